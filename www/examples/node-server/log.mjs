// The rows of all threads, in memory. Put a table in its place: what `write` has given back must outlive a crash.
const threads = new Map()

/** All rows of a thread, in order. */
export const rows = threadId => {
  if (!threads.has(threadId)) threads.set(threadId, [])
  return threads.get(threadId)
}

/** Another log has another epoch: then clients load anew. */
export const epoch = String(Date.now())

/** Writes rows behind those that are there, in one step. */
export function write(threadId, chunks) {
  const log = rows(threadId)
  for (const chunk of chunks) log.push({ ...chunk, seq: log.length + 1, createdAt: new Date().toISOString() })
}

/** The newest rows, or those before or after a seq. */
export function page(threadId, { limit = 100, before = Infinity, after = 0 }) {
  const log = rows(threadId)
  const found = log.filter(({ seq }) => seq < before && seq > after)
  const chunks = after > 0 ? found.slice(0, limit) : found.slice(-limit)
  const prevSeq = chunks.length > 0 && chunks[0].seq > 1 ? { prevSeq: chunks[0].seq - 1 } : {}
  return { chunks, total: log.length, oldestSeq: log[0]?.seq, ...prevSeq, limit, epoch }
}
