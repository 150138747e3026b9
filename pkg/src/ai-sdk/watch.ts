import type { ChatInit, UIMessage } from 'ai'
import type { Thread } from '../api.js'
import type { Group, Part, ThreadSnapshot } from '../view.js'
import { carriedBy } from './carried.js'
import { toUIMessages } from './messages.js'
import { uiParts } from './parts.js'
import type { ThreadChatState } from './state.js'

/** What a chat calls back. Each turn counts, whoever asked for it. */
export type ChatCallbacks<MESSAGE extends UIMessage> = Pick<ChatInit<MESSAGE>, 'onError' | 'onFinish' | 'onToolCall' | 'onData'>

type Finish<MESSAGE extends UIMessage> = Parameters<NonNullable<ChatInit<MESSAGE>['onFinish']>>[0]

/** Calls back what a thread comes to. Without callbacks it listens to nothing. */
export function watch<MESSAGE extends UIMessage>(
  thread: Thread,
  state: ThreadChatState<MESSAGE>,
  callbacks: ChatCallbacks<MESSAGE>,
): () => void {
  const { onError, onFinish, onToolCall, onData } = callbacks
  if (onError === undefined && onFinish === undefined && onToolCall === undefined && onData === undefined) return () => {}
  const called = new Set<string>()
  // What is there when the chat is made is history.
  const first = thread.getSnapshot()
  const told = new WeakSet<Part>(first.groups.flatMap(group => group.parts))
  const over = new Set<string | undefined>(first.groups.map(({ turnId }) => turnId).filter(turnId => turnId !== first.turnId))
  let error = state.error

  const tellParts = (turnId: string, { groups }: ThreadSnapshot) => {
    for (const group of groups) {
      if (group.turnId !== turnId || group.role !== 'assistant') continue
      for (const part of group.parts) {
        if (told.has(part)) continue
        told.add(part)
        if (part.type === 'tool') callTool(group, part.callId, part.state)
        if (part.type === 'data' && carriedBy(part) === undefined) tellData(part)
      }
    }
  }
  const callTool = (group: Group, callId: string, toolState: string) => {
    const key = `${group.key} ${callId}`
    if (toolState !== 'running' || called.has(key)) return
    called.add(key)
    const ui = partOf(group, 'toolCallId', callId)
    if (ui === undefined || ui['providerExecuted'] === true) return
    const { type, toolName, input, toolMetadata, title } = ui
    const isDynamic = type === 'dynamic-tool'
    const toolCall = {
      toolCallId: callId,
      toolName: isDynamic ? toolName : String(type).slice('tool-'.length),
      input,
      ...(isDynamic ? { dynamic: true } : {}),
      ...(toolMetadata === undefined ? {} : { toolMetadata }),
      ...(title === undefined ? {} : { title }),
    }
    if (isToolCall<MESSAGE>(toolCall)) void onToolCall?.({ toolCall })
  }
  const tellData = (part: Part) => {
    const data = uiParts({ streaming: false, parts: [part] }).parts[0]
    if (data !== undefined && isData<MESSAGE>(data)) onData?.(data)
  }
  const finish = (turnId: string, now: ThreadSnapshot, before: ThreadSnapshot) => {
    if (onFinish === undefined) return
    const group = now.groups.findLast(one => one.turnId === turnId && one.role === 'assistant')
    if (group === undefined) return
    const [message] = toUIMessages<MESSAGE>([group])
    if (message === undefined) return
    const reason = group.parts.map(carriedBy).find(carried => carried?.of === 'message')
    const told = {
      message,
      messages: state.messages,
      isAbort: before.status === 'stopping',
      isDisconnect: false,
      isError: group.error !== undefined,
      ...(reason?.of !== 'message' || reason.finishReason === undefined ? {} : { finishReason: reason.finishReason }),
    }
    if (isFinish<MESSAGE>(told)) onFinish(told)
  }
  return thread.subscribe((now, before) => {
    // A turn may have begun and ended since the last change: its rows tell.
    const live = now.groups.filter(group => group.state === 'live' && group.role === 'assistant')
    for (const turnId of new Set([before.turnId, ...live.map(group => group.turnId), now.turnId])) {
      if (turnId === undefined || over.has(turnId)) continue
      tellParts(turnId, now)
      if (turnId === now.turnId) continue
      over.add(turnId)
      finish(turnId, now, before)
    }
    const next = state.error
    if (next !== undefined && next !== error) onError?.(next)
    error = next
  })
}

/** The UI part of a group that has a value in a field. */
function partOf(group: Group, field: string, value: string): Readonly<Record<string, unknown>> | undefined {
  const [message] = toUIMessages([group])
  const found = message?.parts.find(part => Reflect.get(part, field) === value)
  return found === undefined ? undefined : { ...found }
}

// The peer's types of calls and data are those of the application: a stream says nothing about them.
function isToolCall<MESSAGE extends UIMessage>(
  call: object,
): call is Parameters<NonNullable<ChatInit<MESSAGE>['onToolCall']>>[0]['toolCall'] {
  return 'toolCallId' in call
}

function isData<MESSAGE extends UIMessage>(part: object): part is Parameters<NonNullable<ChatInit<MESSAGE>['onData']>>[0] {
  return 'type' in part && typeof part.type === 'string' && part.type.startsWith('data-')
}

function isFinish<MESSAGE extends UIMessage>(over: object): over is Finish<MESSAGE> {
  return 'message' in over
}
