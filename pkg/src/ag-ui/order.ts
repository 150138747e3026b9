import type { AgUiEvent, EventOf } from './events.js'

type Kind = 'text message' | 'tool call' | 'reasoning message' | 'reasoning span'

/** Who an entity belongs to: a subagent, or the agent itself. */
interface Owner {
  readonly subagent: string | undefined
}

/** The rules of AG-UI 1.0 about the order of events, of one stream. Chunk events are expanded before. */
export interface Order {
  /** Why an event may not come here, or `undefined`. It is remembered as having come. */
  check(event: AgUiEvent): string | undefined
}

/** A stream of which nothing has come. */
export function createOrder(): Order {
  let run = createRun()
  let phase: 'none' | 'running' | 'finished' | 'failed' = 'none'

  const check = (event: AgUiEvent): string | undefined => {
    const { type } = event
    if (phase === 'failed' && type !== 'RUN_STARTED') return `${type} after RUN_ERROR`
    if (phase === 'finished' && type !== 'RUN_STARTED' && type !== 'RUN_ERROR') return `${type} after RUN_FINISHED`
    if (phase === 'none' && type !== 'RUN_STARTED' && type !== 'RUN_ERROR') return `${type} before RUN_STARTED`
    if (type === 'RUN_STARTED') {
      if (phase === 'running') return 'RUN_STARTED while a run is active'
      run = createRun()
      phase = 'running'
      run.own(event.input?.messages ?? [], false)
      return undefined
    }
    if (type === 'RUN_ERROR') {
      phase = 'failed'
      return undefined
    }
    const wrong = run.check(event)
    if (type === 'RUN_FINISHED' && wrong === undefined) phase = 'finished'
    return wrong
  }
  return { check }
}

type Inner = Exclude<AgUiEvent, EventOf<'RUN_STARTED' | 'RUN_ERROR'>>
type Messages = EventOf<'MESSAGES_SNAPSHOT'>['messages']

/** What is open in one run, and whose it is. */
function createRun() {
  const open: Record<Kind, Set<string>> = {
    'text message': new Set(),
    'tool call': new Set(),
    'reasoning message': new Set(),
    'reasoning span': new Set(),
  }
  const messages = new Map<string, Owner>()
  const calls = new Map<string, Owner>()
  const thoughts = new Map<string, Owner>()
  const activities = new Map<string, Owner>()
  const steps = new Set<string>()
  const active = new Set<string>()
  const gone = new Set<string>()
  const owners: Record<Kind, Map<string, Owner>> = {
    'text message': messages,
    'tool call': calls,
    'reasoning message': thoughts,
    'reasoning span': thoughts,
  }

  /** A tag may be left out; one that is there agrees with the owner. */
  const foreign = (type: string, subagent: string | undefined, owner: Owner | undefined) =>
    subagent === undefined || owner === undefined || owner.subagent === subagent
      ? undefined
      : `${type} of subagent ${subagent}, which does not own it`
  const begin = (kind: Kind, type: string, id: string, subagent: string | undefined): string | undefined => {
    if (open[kind].has(id)) return `${type}: the ${kind} ${id} is open`
    const owner = owners[kind].get(id)
    const wrong = foreign(type, subagent, owner)
    if (wrong !== undefined) return wrong
    open[kind].add(id)
    if (owner === undefined) owners[kind].set(id, { subagent })
    return undefined
  }
  const within = (kind: Kind, type: string, id: string, subagent: string | undefined, isEnd: boolean): string | undefined => {
    if (!open[kind].has(id)) return `${type}: no ${kind} ${id} is open`
    const wrong = foreign(type, subagent, owners[kind].get(id))
    if (wrong === undefined && isEnd) open[kind].delete(id)
    return wrong
  }
  const beginCall = ({ type, toolCallId, parentMessageId, subagentRunId }: EventOf<'TOOL_CALL_START'>): string | undefined => {
    const parent = parentMessageId === undefined ? undefined : messages.get(parentMessageId)
    const owner = calls.get(toolCallId)
    if (open['tool call'].has(toolCallId)) return `${type}: the tool call ${toolCallId} is open`
    const wrong = foreign(type, subagentRunId, parent) ?? foreign(type, subagentRunId, owner)
    if (wrong !== undefined) return wrong
    if (owner !== undefined && subagentRunId === undefined && parent !== undefined && parent.subagent !== owner.subagent)
      return `${type}: the tool call ${toolCallId} and its message have two owners`
    open['tool call'].add(toolCallId)
    if (owner === undefined)
      calls.set(toolCallId, subagentRunId === undefined ? (parent ?? { subagent: undefined }) : { subagent: subagentRunId })
    return undefined
  }
  const step = ({ type, stepName, subagentRunId }: EventOf<'STEP_STARTED' | 'STEP_FINISHED'>): string | undefined => {
    const key = JSON.stringify([subagentRunId, stepName])
    if (type === 'STEP_FINISHED') return steps.delete(key) ? undefined : `${type}: no step ${stepName} is open`
    if (steps.has(key)) return `${type}: the step ${stepName} is open`
    steps.add(key)
    return undefined
  }
  const subagent = (event: EventOf<'SUBAGENT_STARTED' | 'SUBAGENT_FINISHED' | 'SUBAGENT_ERROR'>): string | undefined => {
    const { type, subagentRunId: id } = event
    if (type !== 'SUBAGENT_STARTED') {
      if (!active.delete(id)) return `${type}: no subagent ${id} is active`
      gone.add(id)
      return undefined
    }
    if (active.has(id) || gone.has(id)) return `${type}: the id ${id} was used before`
    const { parentSubagentRunId: parent } = event
    if (parent !== undefined && !active.has(parent) && !gone.has(parent)) return `${type}: no subagent ${parent} was started`
    active.add(id)
    return undefined
  }
  const finish = (): string | undefined => {
    if (steps.size > 0) return 'RUN_FINISHED while a step is open'
    for (const [kind, ids] of Object.entries(open)) if (ids.size > 0) return `RUN_FINISHED while a ${kind} is open`
    return active.size > 0 ? 'RUN_FINISHED while a subagent is active' : undefined
  }

  const check = (event: Inner): string | undefined => {
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        return begin('text message', event.type, event.messageId, event.subagentRunId)
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_END':
        return within('text message', event.type, event.messageId, event.subagentRunId, event.type === 'TEXT_MESSAGE_END')
      case 'TOOL_CALL_START':
        return beginCall(event)
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_END':
        return within('tool call', event.type, event.toolCallId, event.subagentRunId, event.type === 'TOOL_CALL_END')
      case 'REASONING_START':
        return begin('reasoning span', event.type, event.messageId, event.subagentRunId)
      case 'REASONING_END':
        return within('reasoning span', event.type, event.messageId, event.subagentRunId, true)
      case 'REASONING_MESSAGE_START':
        return begin('reasoning message', event.type, event.messageId, event.subagentRunId)
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_END':
        return within(
          'reasoning message',
          event.type,
          event.messageId,
          event.subagentRunId,
          event.type === 'REASONING_MESSAGE_END',
        )
      case 'REASONING_ENCRYPTED_VALUE': {
        const { type, subtype, entityId, subagentRunId } = event
        return foreign(
          type,
          subagentRunId,
          subtype === 'tool-call' ? calls.get(entityId) : (messages.get(entityId) ?? thoughts.get(entityId)),
        )
      }
      case 'STEP_STARTED':
      case 'STEP_FINISHED':
        return step(event)
      case 'SUBAGENT_STARTED':
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        return subagent(event)
      case 'ACTIVITY_SNAPSHOT':
        if (!activities.has(event.messageId) || event.replace !== false)
          activities.set(event.messageId, { subagent: event.subagentRunId })
        return undefined
      case 'ACTIVITY_DELTA':
        return foreign(event.type, event.subagentRunId, activities.get(event.messageId))
      case 'TOOL_CALL_RESULT':
        messages.set(event.messageId, { subagent: event.subagentRunId })
        return undefined
      case 'MESSAGES_SNAPSHOT':
        own(event.messages, true)
        return undefined
      case 'RUN_FINISHED':
        return finish()
      case 'STATE_SNAPSHOT':
      case 'STATE_DELTA':
      case 'RAW':
      case 'CUSTOM':
      case 'TEXT_MESSAGE_CHUNK':
      case 'TOOL_CALL_CHUNK':
      case 'REASONING_MESSAGE_CHUNK':
        return undefined
      default: {
        const none: never = event
        return none
      }
    }
  }
  /** Learns whose the messages of a history are. */
  const own = (list: Messages, isNewer: boolean) => {
    for (const message of list) {
      const owner = { subagent: message.subagentRunId }
      const known = message.role === 'reasoning' ? thoughts : message.role === 'activity' ? activities : messages
      if (isNewer || !known.has(message.id)) known.set(message.id, owner)
      const carried = message.role === 'assistant' ? (message.toolCalls ?? []) : []
      for (const { id } of carried) if (isNewer || !calls.has(id)) calls.set(id, owner)
    }
  }
  return { check, own }
}
