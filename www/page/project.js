// What a client should show of a log and a queue, by the words of the specification alone: the page's judge.

/** The groups of a log: turns by their first chunk, in each turn runs of one role; calls with their results. */
export function project(log) {
  const turns = new Map()
  for (const chunk of log) turns.set(chunk.turnId, [...(turns.get(chunk.turnId) ?? []), chunk])
  return [...turns.values()].flatMap(groups)
}

function groups(chunks) {
  const out = []
  for (const { seq, type, data, ...chunk } of chunks) {
    if (type === 'usage') continue
    if (type === 'tool_result' && answered(out, data)) continue
    const role = chunk.role === 'tool' ? 'assistant' : chunk.role
    if (role === 'user' || out.at(-1)?.role !== role) out.push({ role, seq, parts: [] })
    const { parts } = out.at(-1)
    const part = drawn(type, data, chunk.step ?? 0)
    const same = part.id === undefined ? -1 : parts.findIndex(known => known.type === part.type && known.id === part.id)
    if (same < 0) parts.push(part)
    else parts[same] = part
  }
  return out
}

function answered(out, data) {
  const open = out.flatMap(group => group.parts).findLast(part => part.type === 'tool' && part.callId === data.callId && part.result === undefined)
  if (open !== undefined) Object.assign(open, ended(data))
  return open !== undefined
}

const ended = ({ result, isError, output }) => ({
  result,
  state: isError ? 'error' : 'done',
  isError: isError === true,
  ...(output === undefined ? {} : { output }),
})

function drawn(type, data, step) {
  switch (type) {
    case 'text':
      return { type, text: data.text }
    case 'reasoning':
    case 'thinking':
      return { type: 'reasoning', text: data.text, sealed: true, ...(data.metadata === undefined ? {} : { metadata: data.metadata }) }
    case 'tool_call':
      return { type: 'tool', callId: data.callId, name: data.name, step, state: 'interrupted', arguments: data.arguments }
    // Its call is older than what was loaded.
    case 'tool_result':
      return { type: 'tool', callId: data.callId, name: data.name ?? '', step, ...ended(data) }
    case 'error':
      return { type, text: data.message, ...(data.statusCode === undefined ? {} : { code: data.statusCode }) }
    case 'system':
      return { type: 'notice', text: data.text }
    default:
      return data
  }
}

/** Where a client differs from the server, in words; undefined: nowhere. Only for a quiet network. */
export function difference({ thread }, { log, queue }) {
  const shown = thread.renderGroups().filter(group => group.state !== 'failed')
  const from = shown.find(group => group.seq !== undefined)?.seq ?? Infinity
  const expected = [
    ...project(log.filter(chunk => chunk.seq >= from)).map(group => ({ ...group, state: 'sealed' })),
    ...queue.map(item => ({ role: 'user', state: 'queued', parts: [{ type: 'text', text: item.message }] })),
  ]
  if (from === Infinity && log.length > 0) return 'shows nothing of the log'
  const [has, wants] = [shown.map(plain), expected.map(plain)]
  const at = wants.findIndex((want, index) => want !== has[index])
  if (at >= 0) return `row ${at + 1} should be ${wants[at]}, is ${has[at] ?? 'absent'}`
  return has.length > wants.length ? `row ${has.length} should not be there: ${has.at(-1)}` : undefined
}

const plain = ({ role, state, parts }) => JSON.stringify([role, state, parts.map(sorted)])

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])]))
}
