import type { AbstractChat, ChatInit, ChatRequestOptions, FileUIPart, UIMessage } from 'ai'
import type { Thread } from '../api.js'
import { TurnsealError } from '../errors.js'
import { isRecord } from '../json.js'
import type { Eventually } from '../options.js'
import type { Part } from '../view.js'
import { carry } from './carried.js'
import { filesToParts } from './files.js'
import { groupOf } from './messages.js'
import { approvalIdOf } from './parts.js'
import { type ThreadChatState, createChatState } from './state.js'
import { userPart } from './user.js'
import { type ChatCallbacks, watch } from './watch.js'

/** The output of a tool that ran here. */
export interface ToolOutput {
  /** The thread. */
  readonly threadId: string
  /** The call. */
  readonly toolCallId: string
  /** The tool. */
  readonly tool: string
  /** What the tool gave, or why it did not. */
  readonly result: unknown
  /** True where it did not. */
  readonly isError: boolean
}

/** What the store leaves to the host: each is a request to its server. Absent: the chat's method of that name fails. */
export interface ChatHost {
  /** Begins to read the stream of a turn that runs. Absent: the store's own connection does that. */
  resume?(query: { readonly threadId: string }): Eventually<unknown>
  /** Tells the server the output of a tool that ran here. */
  addToolOutput?(output: ToolOutput): Eventually<unknown>
  /** Asks the server for another answer. */
  regenerate?(query: { readonly threadId: string; readonly messageId?: string }): Eventually<unknown>
  /** Asks the server to change a message and to answer it anew. */
  edit?(query: { readonly threadId: string; readonly messageId: string; readonly parts: readonly Part[] }): Eventually<unknown>
  /** Asks the server for another history. */
  setMessages?(query: { readonly threadId: string; readonly messages: readonly UIMessage[] }): unknown
}

/** What `createChat` takes beside the class and the thread. */
export type ChatOptions<MESSAGE extends UIMessage> = ChatHost & ChatCallbacks<MESSAGE> & Pick<ChatInit<MESSAGE>, 'generateId'>

/**
 * A chat of the AI SDK over a thread: an instance of the peer's own class, so that `useChat({ chat })` takes it. The
 * thread has the messages, the status and the queue; the peer's requests are not used.
 *
 * `sendMessage` settles when the turn that answers has ended. With `{ body: { intent: 'steer' } }` the message is for
 * the running turn.
 */
export function createChat<MESSAGE extends UIMessage, CHAT extends AbstractChat<MESSAGE>>(
  Chat: new (init: ChatInit<MESSAGE>) => CHAT,
  thread: Thread,
  options: ChatOptions<MESSAGE> = {},
): CHAT {
  const { generateId } = options
  const chat = new Chat({ id: thread.id, transport: noTransport, ...(generateId === undefined ? {} : { generateId }) })
  const send = (parts: readonly Part[], id: string | undefined, request?: ChatRequestOptions): string => {
    const [first] = parts
    const isSteer = isRecord(request?.body) && request.body['intent'] === 'steer'
    const message = parts.length === 1 && first?.type === 'text' ? first.text : parts
    return thread.send(message, { intent: isSteer ? 'steer' : 'queue', clientId: id ?? chat.generateId() })
  }
  const state = createChatState<MESSAGE>(thread, {
    push: message => send(partsOf(message), message.id),
    set: messages => host(options.setMessages, 'setMessages')({ threadId: thread.id, messages }),
  })
  const leave = watch(thread, state, options)

  const sendMessage: Chat<MESSAGE>['sendMessage'] = async (message, request) => {
    // Without a message the peer sends what is there: the store has sent it.
    if (message === undefined) return
    const parts = await partsOfCreated(message)
    if (message.messageId !== undefined) {
      await host(options.edit, 'sendMessage with messageId')({ threadId: thread.id, messageId: message.messageId, parts })
      return
    }
    const id = 'id' in message && typeof message.id === 'string' ? message.id : undefined
    await answered(thread, send(parts, id, request))
  }
  const addToolOutput: Chat<MESSAGE>['addToolOutput'] = async output => {
    const { toolCallId, tool } = output
    const isError = output.state === 'output-error'
    const result: unknown = isError ? output.errorText : output.output
    await host(options.addToolOutput, 'addToolOutput')({ threadId: thread.id, toolCallId, tool: String(tool), result, isError })
  }
  const addToolApprovalResponse = async ({
    id,
    approved,
    reason,
  }: {
    id: string
    approved: boolean
    reason?: string
  }): Promise<void> => {
    const { approvals } = thread.getSnapshot()
    const asked = approvals.find(({ callId, options }) => approvalIdOf({ callId, approval: { options } }) === id)
    const callId = asked?.callId ?? id
    if (approved) thread.approve(callId, reason)
    else thread.deny(callId, reason)
  }
  const regenerate: Chat<MESSAGE>['regenerate'] = async ({ messageId } = {}) => {
    await host(options.regenerate, 'regenerate')({ threadId: thread.id, ...(messageId === undefined ? {} : { messageId }) })
  }
  const resumeStream = async () => {
    await options.resume?.({ threadId: thread.id })
  }
  const stop = async () => thread.stop()
  // AI SDK 5 and 6 have no queue: there only `chat` shows it.
  Object.defineProperty(chat, 'experimental_queuedMessages', { configurable: true, get: () => state.experimental_queuedMessages })
  return Object.assign(chat, {
    state,
    sendMessage,
    regenerate,
    resumeStream,
    stop,
    addToolOutput,
    addToolResult: addToolOutput,
    addToolApprovalResponse,
    clearError: state.clearError,
    dispose: async () => leave(),
    experimental_removeQueuedMessage: (id: string) => queued(state, id, thread.cancelQueued),
    experimental_sendQueuedMessageNow: async (id: string) => queued(state, id, thread.sendNow),
    '~resumeStreamIfDisconnected': resumeStream,
    '~registerMessagesCallback': state['~registerMessagesCallback'],
    '~registerStatusCallback': state['~registerStatusCallback'],
    '~registerErrorCallback': state['~registerErrorCallback'],
    '~registerQueuedMessagesCallback': state['~registerQueuedMessagesCallback'],
  })
}

type Chat<MESSAGE extends UIMessage> = AbstractChat<MESSAGE>

const noTransport = {
  sendMessages: () => Promise.reject(new TurnsealError('unknown-command', 'a chat over a thread makes no requests')),
  reconnectToStream: () => Promise.resolve(null),
}

/** What the host gave for a method, or what to say without it. */
function host<Act>(act: Act | undefined, method: string): Act {
  if (act === undefined) throw new TurnsealError('unknown-command', `${method}: createChat was given nothing for it`)
  return act
}

/** Acts on the queued message that a UI message stands for. */
function queued<MESSAGE extends UIMessage>(state: ThreadChatState<MESSAGE>, id: string, act: (messageId: string) => void) {
  const message = state.experimental_queuedMessages.find(one => one.id === id)
  const messageId = message === undefined ? undefined : groupOf(message)?.messageId
  if (messageId !== undefined) act(messageId)
}

function partsOf(message: {
  readonly parts: readonly UIMessage['parts'][number][]
  readonly metadata?: unknown
}): readonly Part[] {
  const said = message.parts.flatMap(part => userPart({ ...part }))
  return message.metadata === undefined ? said : [...said, carry({ of: 'message', metadata: message.metadata })]
}

interface Created {
  readonly parts?: readonly UIMessage['parts'][number][]
  readonly text?: string
  readonly files?: FileList | readonly FileUIPart[]
  readonly metadata?: unknown
}

/** The parts of what `sendMessage` was given. Files stand before the text, as the peer has them. */
async function partsOfCreated({ parts, text, files, metadata }: Created): Promise<readonly Part[]> {
  if (parts !== undefined) return partsOf({ parts, metadata })
  const said = text === undefined ? [] : [{ type: 'text' as const, text }]
  return partsOf({ parts: [...(await filesToParts(files)), ...said], metadata })
}

/** Settles when the message was answered, has failed, or is gone. */
function answered(thread: Thread, clientId: string): Promise<void> {
  const isOver = () => {
    const { groups, turnId } = thread.getSnapshot()
    const group = groups.find(one => one.clientId === clientId)
    if (group === undefined || group.state === 'failed' || group.state === 'sealed') return true
    return group.state === 'live' && group.turnId !== turnId
  }
  return new Promise(done => {
    if (isOver()) return done()
    const leave = thread.subscribe(() => {
      if (!isOver()) return
      leave()
      done()
    })
  })
}
