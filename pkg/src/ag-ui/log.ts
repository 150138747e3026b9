import type { KnownEvent } from '../events.js'
import type { EventOf } from './events.js'
import { chunksOf } from './history.js'
import { type Thread, turnOf, turnsOf } from './thread.js'

/** A history becomes a page: the whole log. One that is no continuation of the last is another generation of it. */
export function learn({ messages }: EventOf<'MESSAGES_SNAPSHOT'>, thread: Thread): readonly KnownEvent[] {
  const { history } = thread
  const ids = messages.map(({ id }) => id)
  const epoch = history.ids.every((id, index) => ids[index] === id) ? history.epoch : history.epoch + 1
  const named = (message: (typeof messages)[number]) => [
    message.id,
    ...(message.role === 'assistant'
      ? (message.toolCalls ?? []).map(({ id }) => id)
      : message.role === 'tool'
        ? [message.toolCallId]
        : []),
  ]
  const chunks = chunksOf(messages, message =>
    named(message)
      .map(id => turnOf(thread, id)?.turnId)
      .find(turnId => turnId !== undefined),
  )
  thread.history = { count: history.count + 1, ids: messages.flatMap(named), chunks, epoch }
  const oldest = chunks[0]?.seq
  return [{ type: 'chunks-loaded', chunks, total: chunks.length, epoch, ...(oldest === undefined ? {} : { oldestSeq: oldest }) }]
}

/** The turns that are over and stand whole in the newest history are sealed: all that they said is in it, and was said before it. */
export function seals(thread: Thread): readonly KnownEvent[] {
  const { count, ids, chunks } = thread.history
  const held = new Set(ids)
  return turnsOf(thread).flatMap((turn): KnownEvent[] => {
    const { turnId, said } = turn
    if (turn.isSealed || turn.phase !== 'over' || said.size === 0) return []
    if (![...said].every(([id, at]) => at < count && held.has(id))) return []
    const mine = chunks.filter(chunk => chunk.turnId === turnId)
    const last = mine.at(-1)
    if (last === undefined) return []
    turn.isSealed = true
    return [{ type: 'turn-sealed', turnId, lastSeq: last.seq }]
  })
}
