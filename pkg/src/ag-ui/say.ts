import type { KnownEvent, Outcome, ThreadEvent } from '../events.js'
import { messageOf } from '../errors.js'
import { isRecord } from '../json.js'
import type { OpaquePart } from '../view.js'
import { sayOfCall } from './calls.js'
import type { AgUiEvent, EventOf } from './events.js'
import { activityPart } from './history.js'
import { learn, seals } from './log.js'
import { patched } from './patch.js'
import { type Thread, type Turn, place } from './thread.js'

/** What an event is read with. */
export interface Around {
  readonly thread: Thread
  /** The turn that the stream's run is of. */
  readonly turn: Turn | undefined
  /** Messages of the stream that are no answer: they are told whole. */
  readonly whole: Map<string, { readonly role: 'user' | 'system' | 'developer'; text: string }>
  /** The thoughts of the stream that have not ended. */
  readonly thoughts: Set<string>
  /** Hears of what was ignored. */
  report(detail: string, type: string): void
}

type Said = Exclude<AgUiEvent, EventOf<'RUN_STARTED' | 'TEXT_MESSAGE_CHUNK' | 'TOOL_CALL_CHUNK' | 'REASONING_MESSAGE_CHUNK'>>

/** What an event says, as events of the store. */
export function say(event: Said, around: Around): readonly ThreadEvent[] {
  const { thread, turn, report } = around
  const at = turn === undefined ? {} : { turnId: turn.turnId }
  const of = 'subagentRunId' in event && event.subagentRunId !== undefined ? { executionId: event.subagentRunId } : {}
  const part = (value: OpaquePart): readonly KnownEvent[] => [{ type: 'part', ...at, ...of, part: value }]
  switch (event.type) {
    case 'RUN_FINISHED':
      return finish(event, around)
    case 'RUN_ERROR': {
      const { message, code } = event
      const error: KnownEvent = { type: 'error', ...at, error: message, ...(code === undefined ? {} : { statusCode: code }) }
      return [error, ...(turn === undefined ? [] : close(turn, 'error', message))]
    }
    case 'TEXT_MESSAGE_START': {
      const { role, messageId } = event
      if (role !== undefined && role !== 'assistant') around.whole.set(messageId, { role, text: '' })
      return []
    }
    case 'TEXT_MESSAGE_CONTENT': {
      const { messageId, delta } = event
      turn?.said.set(messageId, thread.history.count)
      const whole = around.whole.get(messageId)
      if (whole === undefined) return [{ type: 'text-delta', ...at, ...of, messageId, partId: messageId, delta }]
      whole.text += delta
      return []
    }
    case 'TEXT_MESSAGE_END':
      return tellWhole(event.messageId, around)
    case 'REASONING_MESSAGE_CONTENT': {
      const { messageId, delta } = event
      turn?.said.set(messageId, thread.history.count)
      around.thoughts.add(messageId)
      return [{ type: 'reasoning-delta', ...at, ...of, messageId, partId: messageId, delta }]
    }
    case 'REASONING_MESSAGE_END':
      around.thoughts.delete(event.messageId)
      // The store ends the newest thought: where several are open, that may be another one.
      return around.thoughts.size > 0 ? [] : [{ type: 'reasoning-end', ...at, ...of }]
    case 'REASONING_START':
    case 'REASONING_MESSAGE_START':
    case 'REASONING_END':
    case 'RAW':
      return []
    case 'REASONING_ENCRYPTED_VALUE': {
      const { subtype, entityId, encryptedValue } = event
      return part({
        type: 'data',
        id: `ag-ui:encrypted:${entityId}`,
        name: 'encrypted',
        data: { subtype, entityId, encryptedValue },
      })
    }
    case 'TOOL_CALL_START':
    case 'TOOL_CALL_ARGS':
    case 'TOOL_CALL_END':
    case 'TOOL_CALL_RESULT':
      return sayOfCall(event, thread, turn, of)
    case 'STATE_SNAPSHOT':
      thread.state = event.snapshot
      return part(statePart(thread))
    case 'STATE_DELTA':
      try {
        thread.state = patched(thread.state, event.delta)
      } catch (thrown) {
        report(`the patch does not fit the state: ${messageOf(thrown)}`, event.type)
        return []
      }
      return part(statePart(thread))
    case 'ACTIVITY_SNAPSHOT': {
      const { messageId, activityType, content, replace } = event
      if (replace === false && thread.activities.has(messageId)) return []
      thread.activities.set(messageId, { activityType, content })
      return part(activityPart(messageId, activityType, content))
    }
    case 'ACTIVITY_DELTA': {
      const { messageId, activityType, patch } = event
      const known = thread.activities.get(messageId)
      if (known === undefined) {
        report(`no activity ${messageId} is known`, event.type)
        return []
      }
      try {
        const next = { activityType: activityType ?? known.activityType, content: patched(known.content, patch) }
        thread.activities.set(messageId, next)
        return part(activityPart(messageId, next.activityType, next.content))
      } catch (thrown) {
        report(`the patch does not fit the activity ${messageId}: ${messageOf(thrown)}`, event.type)
        return []
      }
    }
    case 'MESSAGES_SNAPSHOT':
      return [...learn(event, thread), ...seals(thread)]
    case 'STEP_STARTED':
    case 'STEP_FINISHED': {
      const { stepName: name, type } = event
      return part({
        type: 'data',
        id: `ag-ui:step:${name}`,
        name: 'step',
        data: { name, state: type === 'STEP_STARTED' ? 'running' : 'done' },
      })
    }
    case 'SUBAGENT_STARTED':
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return [{ type: 'part', ...at, part: subagentPart(event) }]
    case 'CUSTOM':
      return event.name === 'turnseal'
        ? carried(event.value)
        : part({ type: 'data', name: event.name, data: event.value ?? null })
    default: {
      const none: never = event
      return none
    }
  }
}

/** A message that is no answer, once it is whole. */
function tellWhole(messageId: string, { whole, turn }: Around): readonly KnownEvent[] {
  const message = whole.get(messageId)
  whole.delete(messageId)
  if (message === undefined) return []
  const { role, text } = message
  if (role !== 'user') return [{ type: 'notice', ...place(turn), message: text }]
  return [
    { type: 'message-queued', messageId, message: text, intent: 'steer' },
    { type: 'message-consumed', messageIds: [messageId], reason: 'interrupt', ...place(turn) },
  ]
}

function finish({ outcome, usage, result }: EventOf<'RUN_FINISHED'>, around: Around): readonly ThreadEvent[] {
  const { thread, turn, whole } = around
  const left = [...whole.keys()].flatMap(id => tellWhole(id, around))
  const used: readonly KnownEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }]
  if (turn === undefined) return [...left, ...used]
  const { turnId } = turn
  const results: readonly KnownEvent[] =
    result === undefined
      ? []
      : [{ type: 'part', turnId, part: { type: 'data', id: 'ag-ui:result', name: 'result', data: result } }]
  const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : []
  const asked = interrupts.flatMap((interrupt): KnownEvent[] => {
    const { id, toolCallId, message } = interrupt
    if (toolCallId === undefined || !turn.calls.has(toolCallId))
      return [{ type: 'part', turnId, part: { type: 'data', id: `ag-ui:interrupt:${id}`, name: 'interrupt', data: interrupt } }]
    turn.interrupts.set(id, toolCallId)
    return [
      {
        type: 'approval-request',
        turnId,
        callId: toolCallId,
        ...(message === undefined ? {} : { prompt: message }),
        options: interrupt,
      },
    ]
  })
  const said = [...left, ...used, ...results, ...asked]
  const pending = outcome?.type === 'success' ? outcome.pendingToolCallIds : undefined
  const isOpen = ([id, { phase }]: readonly [string, { readonly phase: string }]) =>
    phase === 'whole' && (pending === undefined || pending.includes(id))
  if (outcome?.type !== 'cancelled' && [...turn.calls].some(isOpen)) {
    // The client or a person answers a call: the turn goes on with the next run.
    turn.phase = 'waiting'
    return said
  }
  return [...said, ...close(turn, outcome?.type === 'cancelled' ? 'aborted' : 'done'), ...seals(thread)]
}

/** Ends a turn. */
export function close(turn: Turn, outcome: Outcome, error?: string): readonly KnownEvent[] {
  turn.phase = 'over'
  return [{ type: 'turn-end', turnId: turn.turnId, outcome, ...(error === undefined ? {} : { error }) }]
}

function statePart(thread: Thread): OpaquePart {
  return { type: 'data', id: 'ag-ui:state', name: 'state', data: thread.state ?? null }
}

function subagentPart(event: EventOf<'SUBAGENT_STARTED' | 'SUBAGENT_FINISHED' | 'SUBAGENT_ERROR'>): OpaquePart {
  const { type, timestamp: _, rawEvent: __, metadata: ___, ...rest } = event
  const isSuspended = event.type === 'SUBAGENT_FINISHED' && event.outcome?.type === 'suspended'
  const state = type === 'SUBAGENT_STARTED' ? 'running' : type === 'SUBAGENT_ERROR' ? 'error' : isSuspended ? 'suspended' : 'done'
  return { type: 'data', id: `ag-ui:subagent:${event.subagentRunId}`, name: 'subagent', data: { state, ...rest } }
}

/** The events of the store in a CUSTOM event named `turnseal`. */
function carried(value: unknown): readonly ThreadEvent[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((event): event is ThreadEvent => isRecord(event) && typeof event['type'] === 'string')
}
