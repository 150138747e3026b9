// A tool's arguments as they stream, and its output: a call in the turn that streams, on any side.
import { deltas, frames } from '../work.mjs'
import { fed, streaming } from './deltas.mjs'

const place = { threadId: 'main', turnId: 'turn-live', callId: 'call' }

/** Pieces of arguments, from number `n` on. */
export const pieces = (n, count) => deltas(n, count).map(({ n: number, delta }) => ({ type: 'tool-input-delta', ...place, n: number, delta }))

/** Lines of output, from number `n` on. */
export const lines = (n, count) => deltas(n, count).map(({ n: number, delta }) => ({ type: 'tool-output', ...place, n: number, data: `${delta} of it\n`, stream: 'stdout' }))

/** Opens a call in the turn that streams, as event number `n`. */
export function open(side, n, isRunning = false) {
  side.store.handleMessage(JSON.stringify(isRunning
    ? { type: 'tool-call', threadId: 'main', turnId: 'turn-live', n, toolCall: { id: 'call', name: 'run', arguments: { command: 'ls' } } }
    : { type: 'tool-input-start', ...place, n, name: 'write' }))
  side.look.look()
  side.said = ''
}

/** A side with so many groups and an open call in the last. */
export function opened(store, groups, isRunning) {
  const side = streaming(store, groups)
  open(side, 3, isRunning)
  return side
}

/** One round: all frames fed, each looked at. Fails where a change was not shown. */
export function round(side, { feed, size }, events, groups) {
  const ready = frames(events, size)
  const before = side.look.changes()
  const time = fed(side, ready, feed)
  side.said += events.map(({ delta, data }) => delta ?? data).join('')
  if (side.look.changes() - before !== ready.length) throw new Error('a change was not shown')
  const part = side.store.renderGroups().at(-1).parts.at(-1)
  if ((part.output?.stdout ?? part.argumentsText) !== side.said) throw new Error('the arguments or the output are others')
  if (side.look.count() !== groups) throw new Error(`${side.look.count()} groups, not ${groups}`)
  return time
}
