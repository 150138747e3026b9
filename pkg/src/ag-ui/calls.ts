import type { KnownEvent } from '../events.js'
import type { EventOf } from './events.js'
import { argumentsOf } from './history.js'
import { type Thread, type Turn, place, turnsOf } from './thread.js'

type CallEvent = EventOf<'TOOL_CALL_START' | 'TOOL_CALL_ARGS' | 'TOOL_CALL_END' | 'TOOL_CALL_RESULT'>

/** What an event says of a tool call. */
export function sayOfCall(
  event: CallEvent,
  thread: Thread,
  turn: Turn | undefined,
  of: { readonly executionId?: string },
): readonly KnownEvent[] {
  const { toolCallId: callId } = event
  // A run that goes on with a turn tells its calls again; a result may be of an earlier turn's call.
  const owner = turn?.calls.has(callId) === true ? turn : (turnsOf(thread).findLast(one => one.calls.has(callId)) ?? turn)
  const call = owner?.calls.get(callId)
  switch (event.type) {
    case 'TOOL_CALL_START': {
      const { toolCallName: name } = event
      if (call !== undefined && owner === turn) return []
      turn?.calls.set(callId, { name, args: '', phase: 'open' })
      turn?.said.set(callId, thread.history.count)
      return [{ type: 'tool-input-start', ...(turn === undefined ? {} : { turnId: turn.turnId }), ...of, callId, name }]
    }
    case 'TOOL_CALL_ARGS':
      if (call === undefined || call.phase !== 'open') return []
      call.args += event.delta
      return [{ type: 'tool-input-delta', ...place(owner), ...of, callId, delta: event.delta }]
    case 'TOOL_CALL_END':
      if (call === undefined || call.phase !== 'open') return []
      call.phase = 'whole'
      return [
        {
          type: 'tool-call',
          ...place(owner),
          ...of,
          toolCall: { id: callId, name: call.name, arguments: argumentsOf(call.args) },
        },
      ]
    case 'TOOL_CALL_RESULT':
      if (call !== undefined) call.phase = 'answered'
      return [{ type: 'tool-result', ...place(owner), ...of, toolResult: { toolCallId: callId, result: event.content } }]
    default: {
      const none: never = event
      return none
    }
  }
}
