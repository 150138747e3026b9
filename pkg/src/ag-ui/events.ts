import type { AGUIEvent } from '@ag-ui/core'

/** An event whose type is a plain string. */
type Plain<Event> = Event extends { readonly type: infer Type extends string }
  ? Omit<Event, 'type'> & { readonly type: `${Type}` }
  : never

/** An event of AG-UI as it comes over the wire: its type is the text, not the member of the peer's enum. */
export type AgUiEvent = Plain<AGUIEvent>

/** An event of one or several types. */
export type EventOf<Type extends AgUiEvent['type']> = Extract<AgUiEvent, { readonly type: Type }>

/** The texts that an event must have, by its type. A type that is new in the peer fails the build here. */
export const REQUIRED = {
  RUN_STARTED: ['threadId', 'runId'],
  RUN_FINISHED: ['threadId', 'runId'],
  RUN_ERROR: ['message'],
  STEP_STARTED: ['stepName'],
  STEP_FINISHED: ['stepName'],
  TEXT_MESSAGE_START: ['messageId'],
  TEXT_MESSAGE_CONTENT: ['messageId', 'delta'],
  TEXT_MESSAGE_END: ['messageId'],
  TEXT_MESSAGE_CHUNK: [],
  TOOL_CALL_START: ['toolCallId', 'toolCallName'],
  TOOL_CALL_ARGS: ['toolCallId', 'delta'],
  TOOL_CALL_END: ['toolCallId'],
  TOOL_CALL_CHUNK: [],
  TOOL_CALL_RESULT: ['messageId', 'toolCallId'],
  REASONING_START: ['messageId'],
  REASONING_MESSAGE_START: ['messageId'],
  REASONING_MESSAGE_CONTENT: ['messageId', 'delta'],
  REASONING_MESSAGE_END: ['messageId'],
  REASONING_MESSAGE_CHUNK: [],
  REASONING_END: ['messageId'],
  REASONING_ENCRYPTED_VALUE: ['subtype', 'entityId', 'encryptedValue'],
  STATE_SNAPSHOT: [],
  STATE_DELTA: [],
  MESSAGES_SNAPSHOT: [],
  ACTIVITY_SNAPSHOT: ['messageId', 'activityType'],
  ACTIVITY_DELTA: ['messageId'],
  SUBAGENT_STARTED: ['subagentRunId', 'name'],
  SUBAGENT_FINISHED: ['subagentRunId'],
  SUBAGENT_ERROR: ['subagentRunId', 'message'],
  RAW: [],
  CUSTOM: ['name'],
} as const satisfies Record<AgUiEvent['type'], readonly string[]>

const LISTS: Readonly<Record<string, string>> = { STATE_DELTA: 'delta', MESSAGES_SNAPSHOT: 'messages', ACTIVITY_DELTA: 'patch' }
const required: Readonly<Record<string, readonly string[]>> = REQUIRED

/** The event as one that is known and whole, or what is wrong with it. */
export function checkEvent(event: unknown): { readonly event: AgUiEvent } | { readonly wrong: string; readonly type?: string } {
  if (typeof event !== 'object' || event === null) return { wrong: 'an event is an object' }
  const type: unknown = Reflect.get(event, 'type')
  if (typeof type !== 'string') return { wrong: 'an event has a type' }
  if (!isKnown(event)) return { wrong: `no event of this version has the type ${type}`, type }
  const missing = (required[type] ?? []).filter(field => typeof Reflect.get(event, field) !== 'string')
  const list = LISTS[type]
  if (list !== undefined && !Array.isArray(Reflect.get(event, list))) missing.push(list)
  return missing.length > 0 ? { wrong: `${type} lacks ${missing.join(', ')}`, type } : { event }
}

function isKnown(event: object): event is AgUiEvent {
  const type: unknown = Reflect.get(event, 'type')
  return typeof type === 'string' && Object.hasOwn(required, type)
}
