import type { KnownEvent } from '../events.js'
import { isRecord } from '../json.js'
import { type CallExtras, carry } from './carried.js'
import type { KnownChunk, OfCall } from './chunks.js'
import type { Turn } from './turn.js'

/** A chunk of a tool call. */
export type CallChunk = Extract<KnownChunk, { readonly type: `tool-${string}` }>

/** What a chunk says of a tool call. */
export function sayOfCall(turn: Turn, chunk: CallChunk): readonly KnownEvent[] {
  const { turnId } = turn
  switch (chunk.type) {
    case 'tool-input-start': {
      const { toolCallId: callId, toolName: name, inputEncoding } = chunk
      turn.open.add(callId)
      turn.step.add(callId)
      const extras = learn(turn, callId, { ...ofCall(chunk, 'call'), ...(inputEncoding === undefined ? {} : { inputEncoding }) })
      return [{ type: 'tool-input-start', turnId, callId, name }, ...extras]
    }
    case 'tool-input-delta':
      return [{ type: 'tool-input-delta', turnId, callId: chunk.toolCallId, delta: chunk.inputTextDelta }]
    case 'tool-input-available':
      if (chunk.providerExecuted === true) turn.open.delete(chunk.toolCallId)
      else turn.open.add(chunk.toolCallId)
      turn.step.add(chunk.toolCallId)
      return [called(turnId, chunk), ...learn(turn, chunk.toolCallId, ofCall(chunk, 'call'))]
    case 'tool-input-error':
      turn.open.delete(chunk.toolCallId)
      return [
        called(turnId, chunk),
        { type: 'tool-result', turnId, toolResult: { toolCallId: chunk.toolCallId, result: chunk.errorText, isError: true } },
        ...learn(turn, chunk.toolCallId, ofCall(chunk, 'call')),
      ]
    case 'tool-approval-request': {
      const { type: _, approvalId, toolCallId: callId, reason, isAutomatic, approvalDescriptor, ...rest } = chunk
      turn.approvals.set(approvalId, callId)
      const approval = {
        id: approvalId,
        ...(reason === undefined ? {} : { requestReason: reason }),
        ...(isAutomatic === undefined ? {} : { isAutomatic }),
        ...(approvalDescriptor === undefined ? {} : { descriptor: approvalDescriptor }),
        ...rest,
      }
      const extras = learn(turn, callId, { approval })
      if (isAutomatic === true) return extras
      // The turn waits for a person, whoever runs the tool.
      turn.open.add(callId)
      return [
        {
          type: 'approval-request',
          turnId,
          callId,
          ...(reason === undefined ? {} : { prompt: reason }),
          options: { approvalId },
        },
        ...extras,
      ]
    }
    case 'tool-approval-response': {
      const callId = turn.approvals.get(chunk.approvalId)
      if (callId === undefined) return []
      if (!chunk.approved) turn.open.delete(callId)
      const decision = chunk.approved ? 'approved' : 'denied'
      const reason = chunk.reason === undefined ? {} : { reason: chunk.reason }
      const extras = learn(turn, callId, { approval: { id: chunk.approvalId, ...turn.extras.get(callId)?.approval, ...reason } })
      return [{ type: 'approval-resolved', turnId, callId, decision, ...reason }, ...extras]
    }
    case 'tool-output-available': {
      const { toolCallId, output, preliminary } = chunk
      if (preliminary === true) return learn(turn, toolCallId, { ...ofCall(chunk, 'result'), preliminary: { output } })
      turn.open.delete(toolCallId)
      return [
        { type: 'tool-result', turnId, toolResult: { toolCallId, result: output ?? null } },
        ...learn(turn, toolCallId, ofCall(chunk, 'result')),
      ]
    }
    case 'tool-output-error': {
      const { toolCallId, errorText } = chunk
      turn.open.delete(toolCallId)
      const extras = learn(turn, toolCallId, ofCall(chunk, 'result'))
      return [{ type: 'tool-result', turnId, toolResult: { toolCallId, result: errorText, isError: true } }, ...extras]
    }
    case 'tool-output-denied':
      turn.open.delete(chunk.toolCallId)
      return [
        { type: 'approval-resolved', turnId, callId: chunk.toolCallId, decision: 'denied' },
        // A call that nothing answers would be one that was interrupted.
        { type: 'tool-result', turnId, toolResult: { toolCallId: chunk.toolCallId, result: 'denied', isError: true } },
        ...learn(turn, chunk.toolCallId, { denied: true }),
      ]
    default: {
      const none: never = chunk
      return none
    }
  }
}

function called(
  turnId: string,
  { toolCallId, toolName, input }: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
): KnownEvent {
  return { type: 'tool-call', turnId, toolCall: { id: toolCallId, name: toolName, arguments: input ?? null } }
}

/** The extras of a call that a chunk has. */
function ofCall(chunk: OfCall, what: 'call' | 'result'): CallExtras {
  const { dynamic, title, providerExecuted, toolMetadata, providerMetadata } = chunk
  return {
    ...(dynamic === true ? { dynamic } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof providerExecuted === 'boolean' ? { providerExecuted } : {}),
    ...(isRecord(toolMetadata) ? { toolMetadata } : {}),
    ...(!isRecord(providerMetadata)
      ? {}
      : what === 'call'
        ? { callProviderMetadata: providerMetadata }
        : { resultProviderMetadata: providerMetadata }),
  }
}

/** Tells the extras of a call, whole, where a chunk adds to them. */
function learn(turn: Turn, callId: string, extras: CallExtras): readonly KnownEvent[] {
  if (Object.keys(extras).length === 0) return []
  const all = { ...turn.extras.get(callId), ...extras }
  turn.extras.set(callId, all)
  return [{ type: 'part', turnId: turn.turnId, part: carry({ of: 'tool', callId, ...all }) }]
}
