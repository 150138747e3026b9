import type { AgUiEvent, EventOf } from './events.js'

type Open = { readonly kind: 'text' | 'reasoning' | 'call'; readonly id: string; readonly subagentRunId?: string }

/** Takes the chunk events of one stream apart: into a start, what it says, and an end when something else comes. */
export interface Expander {
  /** The events that an event stands for, or why it stands for none. */
  expand(event: AgUiEvent): readonly AgUiEvent[] | string
}

/** An expander in which nothing is open. The agent and each of its subagents have a lane with one open message each. */
export function createExpander(): Expander {
  const lanes = new Map<string | undefined, Open>()

  const end = (lane: string | undefined): readonly AgUiEvent[] => {
    const closed = lanes.get(lane)
    lanes.delete(lane)
    return closed === undefined ? [] : [endOf(closed)]
  }
  /** The lane that a chunk goes on in: one without an id or an owner goes to the only one that it can mean. */
  const laneOf = (
    kind: Open['kind'],
    id: string | undefined,
    owner: string | undefined,
  ): { readonly lane: string | undefined } | undefined => {
    const same = [...lanes].filter(([, open]) => open.kind === kind)
    if (id !== undefined) {
      const [lane] = same.find(([, open]) => open.id === id) ?? [owner]
      return owner === undefined || owner === lane ? { lane } : undefined
    }
    if (owner !== undefined || lanes.get(undefined)?.kind === kind) return { lane: owner }
    return same.length > 1 ? undefined : { lane: same[0]?.[0] }
  }
  /** Goes on with what is open, or begins anew. */
  const go = (kind: Open['kind'], id: string | undefined, owner: string | undefined, start: (id: string) => AgUiEvent) => {
    const found = laneOf(kind, id, owner)
    if (found === undefined) return undefined
    const open = lanes.get(found.lane)
    if (open?.kind === kind && (id === undefined || id === open.id)) return { id: open.id, events: [] }
    if (id === undefined) return undefined
    const before = end(found.lane)
    lanes.set(found.lane, { kind, id, ...(owner === undefined ? {} : { subagentRunId: owner }) })
    return { id, events: [...before, start(id)] }
  }
  const expand = (event: AgUiEvent): readonly AgUiEvent[] | string => {
    switch (event.type) {
      case 'TEXT_MESSAGE_CHUNK': {
        const { messageId, role, name, delta, type, ...rest } = event
        const begun = go('text', messageId, event.subagentRunId, id => ({
          type: 'TEXT_MESSAGE_START',
          messageId: id,
          ...some({ role, name }),
          ...rest,
        }))
        if (begun === undefined) return `${type}: it is not said which message it is of`
        return delta === undefined
          ? begun.events
          : [...begun.events, { type: 'TEXT_MESSAGE_CONTENT', messageId: begun.id, delta, ...rest }]
      }
      case 'REASONING_MESSAGE_CHUNK': {
        const { messageId, delta, type, ...rest } = event
        const begun = go('reasoning', messageId, event.subagentRunId, id => ({
          type: 'REASONING_MESSAGE_START',
          messageId: id,
          role: 'reasoning',
          ...rest,
        }))
        if (begun === undefined) return `${type}: it is not said which message it is of`
        return delta === undefined
          ? begun.events
          : [...begun.events, { type: 'REASONING_MESSAGE_CONTENT', messageId: begun.id, delta, ...rest }]
      }
      case 'TOOL_CALL_CHUNK': {
        const { toolCallId, toolCallName, parentMessageId, delta, type, ...rest } = event
        const isOpen =
          toolCallId === undefined || [...lanes.values()].some(({ kind, id }) => kind === 'call' && id === toolCallId)
        if (!isOpen && toolCallName === undefined) return `${type}: the first one lacks toolCallName`
        const name = toolCallName ?? ''
        const begun = go('call', toolCallId, event.subagentRunId, id => ({
          type: 'TOOL_CALL_START',
          toolCallId: id,
          toolCallName: name,
          ...some({ parentMessageId }),
          ...rest,
        }))
        if (begun === undefined) return `${type}: it is not said which call it is of`
        return delta === undefined
          ? begun.events
          : [...begun.events, { type: 'TOOL_CALL_ARGS', toolCallId: begun.id, delta, ...rest }]
      }
      // These say nothing about the message that is open.
      case 'RAW':
      case 'ACTIVITY_SNAPSHOT':
      case 'ACTIVITY_DELTA':
      case 'REASONING_ENCRYPTED_VALUE':
      case 'SUBAGENT_STARTED':
        return [event]
      case 'RUN_STARTED':
      case 'RUN_FINISHED':
      case 'RUN_ERROR':
      case 'MESSAGES_SNAPSHOT':
        return [...[...lanes.keys()].flatMap(end), event]
      default:
        return [...end(event.subagentRunId), event]
    }
  }
  return { expand }
}

function endOf({ kind, id, subagentRunId }: Open): EventOf<'TEXT_MESSAGE_END' | 'REASONING_MESSAGE_END' | 'TOOL_CALL_END'> {
  const rest = some({ subagentRunId })
  switch (kind) {
    case 'text':
      return { type: 'TEXT_MESSAGE_END', messageId: id, ...rest }
    case 'reasoning':
      return { type: 'REASONING_MESSAGE_END', messageId: id, ...rest }
    case 'call':
      return { type: 'TOOL_CALL_END', toolCallId: id, ...rest }
    default: {
      const none: never = kind
      return none
    }
  }
}

/** The fields that are there. */
export function some<Fields extends object>(fields: Fields): { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> }
export function some(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
