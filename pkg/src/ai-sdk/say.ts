import type { KnownEvent } from '../events.js'
import type { OpaquePart } from '../view.js'
import { sayOfCall } from './calls.js'
import { carry } from './carried.js'
import type { DataChunk, Extra, KnownChunk } from './chunks.js'
import { type Turn, close, describe, fail } from './turn.js'
import { userPart } from './user.js'

/** What a chunk says that was not told before. */
export function say(turn: Turn, chunk: KnownChunk, partId: string, delta: string): readonly KnownEvent[] {
  const { endsInText } = turn
  const events = translate(turn, chunk, partId, delta)
  if (events.length > 0) turn.endsInText = chunk.type === 'text-delta'
  if (chunk.type !== 'text-start' || !endsInText) return events
  turn.endsInText = false
  return [{ type: 'part', turnId: turn.turnId, part: carry({ of: 'text' }) }, ...events]
}

function translate(turn: Turn, chunk: KnownChunk, partId: string, delta: string): readonly KnownEvent[] {
  const { turnId } = turn
  const part = (value: OpaquePart): KnownEvent => ({ type: 'part', turnId, part: value })
  if (isData(chunk)) {
    if (chunk.transient === true) return []
    const { type, id, data } = chunk
    const name = type.slice('data-'.length)
    return [part({ type: 'data', ...(id === undefined ? {} : { id: `${name}/${id}`, dataId: id }), name, data })]
  }
  switch (chunk.type) {
    case 'start':
    case 'message-metadata':
      return describe(turn, chunk.messageMetadata)
    case 'finish': {
      // An error or an abort has ended it; the finish that follows says nothing more.
      if (turn.phase === 'over') return []
      const told = describe(turn, chunk.messageMetadata, chunk.finishReason)
      if (turn.open.size > 0 && chunk.finishReason !== 'error' && chunk.finishReason !== 'interrupted') {
        // The client or a person answers a call: the turn goes on with the next response.
        turn.phase = 'waiting'
        return told
      }
      return [
        ...told,
        ...close(turn, chunk.finishReason === 'error' ? 'error' : chunk.finishReason === 'interrupted' ? 'aborted' : 'done'),
      ]
    }
    case 'abort':
      return close(turn, 'aborted')
    case 'error':
      return fail(turn, chunk.errorText)
    case 'start-step':
      turn.step.clear()
      return [part(carry({ of: 'step-start' }))]
    case 'reset-step':
      for (const callId of turn.step) turn.open.delete(callId)
      return [part(carry({ of: 'reset-step' }))]
    case 'finish-step':
      return []
    case 'text-start':
    case 'reasoning-start':
      if (chunk.providerMetadata !== undefined) turn.metadataOf.set(partId, chunk.providerMetadata)
      return []
    case 'text-delta':
    case 'reasoning-delta':
      turn.spoken.add(partId)
      return [{ type: chunk.type, turnId, delta, partId }]
    case 'text-end':
    case 'reasoning-end':
      return sayEnd(turn, chunk, partId)
    case 'source-url':
    case 'source-document': {
      const { type, sourceId, ...rest } = chunk
      return [part({ type: 'source', id: sourceId, sourceType: type.slice('source-'.length), ...rest })]
    }
    case 'file':
    case 'reasoning-file': {
      const { type, ...rest } = chunk
      return [part({ type: 'file', ...rest, ...(type === 'file' ? {} : { reasoning: true }) })]
    }
    case 'custom':
      return [part(carry({ of: 'part', part: { ...chunk } }))]
    case 'steering-message': {
      // The run has taken it at a step boundary; where it was queued before, this says no more than that.
      const queued: KnownEvent = {
        type: 'message-queued',
        messageId: chunk.id,
        parts: chunk.parts.flatMap(userPart),
        intent: 'steer',
      }
      return [queued, { type: 'message-consumed', messageIds: [chunk.id], reason: 'interrupt', turnId }]
    }
    default:
      return sayOfCall(turn, chunk)
  }
}

/** The end of a text or a thought, with what the peer says of it. One without a word is kept only for that. */
function sayEnd(
  turn: Turn,
  chunk: Extract<KnownChunk, { readonly type: 'text-end' | 'reasoning-end' }>,
  partId: string,
): readonly KnownEvent[] {
  const { turnId } = turn
  const isSpoken = turn.spoken.delete(partId)
  const metadata = takeMetadata(turn, partId, chunk.providerMetadata)
  const extras = {
    ...(chunk.type === 'reasoning-end' || chunk.citations === undefined ? {} : { citations: chunk.citations }),
    ...(metadata === undefined ? {} : { providerMetadata: metadata }),
  }
  const hasExtras = Object.keys(extras).length > 0
  if (!isSpoken) {
    const type = chunk.type === 'text-end' ? 'text' : 'reasoning'
    const empty = carry({ of: 'part', part: { type, text: '', state: 'done', ...extras } })
    return hasExtras ? [{ type: 'part', turnId, part: empty }] : []
  }
  if (chunk.type === 'reasoning-end') return [{ type: 'reasoning-end', turnId, ...(metadata === undefined ? {} : { metadata }) }]
  return hasExtras ? [{ type: 'part', turnId, part: carry({ of: 'text', ...extras }) }] : []
}

/** What holds at the end of a part: the newest that the peer has said of it. */
function takeMetadata(turn: Turn, partId: string, last: Extra | undefined): Extra | undefined {
  const metadata = last ?? turn.metadataOf.get(partId)
  turn.metadataOf.delete(partId)
  return metadata
}

/** True for a chunk of the application. */
export function isData(chunk: KnownChunk): chunk is DataChunk {
  return chunk.type.startsWith('data-')
}
