// Recordings: JSON lines, each an event or a chunk of the log, in the order in which a server sent and wrote them.

const isChunk = line => Number.isSafeInteger(line.seq) && typeof line.role === 'string' && typeof line.turnId === 'string'
const isEvent = line => typeof line.type === 'string' && !('seq' in line)

/** The lines of a text that are events or chunks, and how many are neither. */
export function readRecording(text) {
  const found = text.split('\n').filter(line => line.trim() !== '').map(parsed)
  const lines = found.filter(line => line !== undefined && (isChunk(line) || isEvent(line)))
  return { lines, refused: found.length - lines.length }
}

export function writeRecording(tape) {
  return tape.map(line => `${JSON.stringify(line)}\n`).join('')
}

function parsed(line) {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Lets the server say and write the lines, one after the other. Gives a function that ends it early. */
export function replay({ server, clock }, lines, done) {
  let at = 0
  let end = () => {}
  const next = () => {
    const line = lines[at]
    if (line === undefined) return done()
    at += 1
    server.replay(line)
    // What was written before anything was said is the past: it is there at once.
    end = clock.after(isChunk(line) ? 0 : 50, next)
  }
  next()
  return () => end()
}
