import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'
import type { Store } from '../api.js'
import { TurnsealError, messageOf } from '../errors.js'
import type { Eventually, Transport } from '../options.js'
import type { Group } from '../view.js'
import type { ChatHost } from './chat.js'
import { forServer, toPage } from './history.js'
import { groupOf, toUIMessages } from './messages.js'
import {
  type ChunkReader,
  type ChunkReaderOptions,
  type ResponseOptions,
  type ResponseReader,
  createChunkReader,
} from './reader.js'

/** What `fromChatTransport` takes. */
export interface ChatServerOptions extends Pick<ChunkReaderOptions, 'onData' | 'onDiagnostic'> {
  /** The store that is made with this transport. It is asked for when it is needed. */
  readonly store: () => Store
  /** All messages of a thread, as the server keeps them. Absent: it keeps none. */
  readonly loadMessages?: (query: { readonly threadId: string }) => Eventually<readonly UIMessage[]>
  /** What goes along with each request of a thread: headers, body, metadata. */
  readonly request?: (query: { readonly threadId: string }) => {
    readonly headers?: Record<string, string>
    readonly body?: object
    readonly metadata?: unknown
  }
}

/** A server of the AI SDK as the transport of a store, and as the host of a chat. */
export type ChatServer = Required<Pick<Transport, 'loadChunks' | 'send' | 'stop' | 'resolveApproval'>> &
  Required<Pick<ChatHost, 'resume' | 'addToolOutput'>>

interface Active {
  /** Settles when it is read to its end. */
  readonly over: Promise<void>
  isStopped: boolean
  /** Ends the request, and the reading. */
  cancel(): void
}

/** What is known of a thread here. */
interface Line {
  readonly reader: ChunkReader
  /** The response that is read. */
  active: Active | undefined
}

/**
 * The transport of a store over one of the AI SDK: `DefaultChatTransport`, or any other. That server has one response at a
 * time and no queue: a message that is sent meanwhile waits as `sending`, and fails where the response is stopped.
 */
export function fromChatTransport(peer: ChatTransport<UIMessage>, options: ChatServerOptions): ChatServer {
  const lines = new Map<string, Line>()
  const { onData, onDiagnostic } = options

  const lineOf = (threadId: string): Line => {
    const known = lines.get(threadId)
    if (known !== undefined) return known
    const reader = createChunkReader({
      threadId,
      ...(onData === undefined ? {} : { onData }),
      ...(onDiagnostic === undefined ? {} : { onDiagnostic }),
    })
    const line: Line = { reader, active: undefined }
    lines.set(threadId, line)
    return line
  }
  /** What the server is told of a thread: all that it has heard of, and last what is sent now. */
  const historyOf = (threadId: string, clientId?: string) => {
    const groups = options.store().renderGroups(threadId)
    const isMine = (group: Group) => clientId !== undefined && group.clientId === clientId
    const known = groups.filter(group => !UNTOLD.has(group.state) && !isMine(group))
    return toUIMessages([...known, ...groups.filter(isMine)]).map(message => forServer(message, groupOf(message)))
  }
  /** Reads a stream to its end. Settles when its turn is known. */
  const follow = async (
    threadId: string,
    stream: ReadableStream<UIMessageChunk>,
    abort: AbortController,
    how: ResponseOptions,
  ): Promise<string | undefined> => {
    const line = lineOf(threadId)
    const response = line.reader.open(how)
    const source = stream.getReader()
    const { promise: over, resolve: end } = withResolvers()
    const cancel = () => {
      abort.abort(new DOMException('no longer wanted', 'AbortError'))
      source.cancel().catch(() => {})
    }
    const active: Active = { over, isStopped: false, cancel }
    line.active = active
    const next = async (): Promise<boolean> => {
      const { done, value } = await source.read()
      if (done || active.isStopped) return false
      options.store().handleEvents(response.read(value))
      return true
    }
    const finish = () => {
      if (line.active === active) line.active = undefined
      end()
    }
    let isOpen = true
    try {
      while (isOpen && response.turnId() === undefined) isOpen = await next()
    } catch (thrown) {
      finish()
      throw thrown
    }
    void read(next, isOpen)
      .then(
        () => settle(response.end(active.isStopped ? 'aborted' : undefined)),
        thrown => lost(threadId, response, active, thrown),
      )
      .finally(finish)
    return response.turnId()
  }
  const settle = (events: ReturnType<ResponseReader['end']>) => {
    if (events.length > 0) options.store().handleEvents(events)
  }
  /** A stream that broke is read again, once; what it had said is not said twice. */
  const lost = async (threadId: string, response: ResponseReader, active: Active, thrown: unknown) => {
    // The store is gone.
    if (thrown instanceof TurnsealError) return active.cancel()
    if (active.isStopped) return settle(response.end('aborted'))
    lineOf(threadId).active = undefined
    const isBack = await resume({ threadId }).catch(() => false)
    if (isBack !== true) settle(response.end({ error: messageOf(thrown) }))
  }
  const ask = async (threadId: string, messages: UIMessage[], messageId: string | undefined, abort: AbortController) => {
    const { headers, body, metadata } = options.request?.({ threadId }) ?? {}
    return peer.sendMessages({
      trigger: 'submit-message',
      chatId: threadId,
      messageId,
      messages,
      abortSignal: abort.signal,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      ...(metadata === undefined ? {} : { metadata }),
    })
  }
  /** Asks the server to go on with a turn once nothing of it waits for this side. */
  const goOn = async (threadId: string) => {
    const line = lineOf(threadId)
    await line.active?.over
    const thread = options.store().thread(threadId)
    const { turnId, groups } = thread.getSnapshot()
    if (turnId === undefined || line.active !== undefined) return
    const mine = groups.filter(group => group.turnId === turnId && group.role === 'assistant')
    const isOpen = mine.some(group => group.parts.some(part => part.type === 'tool' && OPEN.has(part.state)))
    const last = mine.at(-1)
    if (isOpen || last === undefined) return
    const abort = new AbortController()
    const stream = await ask(threadId, historyOf(threadId), last.messageId ?? turnId, abort)
    await follow(threadId, stream, abort, { turnId })
  }
  const resume = async ({ threadId }: { readonly threadId: string }): Promise<boolean> => {
    const line = lineOf(threadId)
    if (line.active !== undefined) return true
    const abort = new AbortController()
    const stream = await peer.reconnectToStream({ chatId: threadId, abortSignal: abort.signal })
    if (stream === null) return false
    await follow(threadId, stream, abort, { resume: true })
    return true
  }
  return {
    loadChunks: async ({ threadId, ...query }) => toPage((await options.loadMessages?.({ threadId })) ?? [], query),
    send: async ({ threadId, clientId, text, parts }, signal) => {
      const line = lineOf(threadId)
      for (let before = line.active; before !== undefined; before = line.active) {
        await before.over
        if (before.isStopped) throw new Error('the response before it was stopped')
      }
      signal.throwIfAborted()
      const abort = new AbortController()
      const giveUp = () => abort.abort(signal.reason)
      signal.addEventListener('abort', giveUp)
      const stream = await ask(threadId, historyOf(threadId, clientId), undefined, abort)
      signal.removeEventListener('abort', giveUp)
      const said = parts === undefined ? { text: text ?? '' } : { parts }
      const turnId = await follow(threadId, stream, abort, { user: { clientId, messageId: clientId, ...said } })
      return { status: 'ok', messageId: clientId, ...(turnId === undefined ? {} : { turnId }) }
    },
    stop: async ({ threadId }) => {
      const { active } = lineOf(threadId)
      if (active === undefined) return
      active.isStopped = true
      active.cancel()
      await active.over
    },
    resolveApproval: async ({ threadId, callId, turnId, decision, reason }) => {
      options
        .store()
        .handleEvent({
          type: 'approval-resolved',
          threadId,
          callId,
          decision,
          ...(turnId === undefined ? {} : { turnId }),
          ...(reason === undefined ? {} : { reason }),
        })
      await goOn(threadId)
      return { success: true }
    },
    resume,
    addToolOutput: async ({ threadId, toolCallId, result, isError }) => {
      options
        .store()
        .handleEvent({
          type: 'tool-result',
          threadId,
          toolResult: { toolCallId, result: result ?? null, ...(isError ? { isError } : {}) },
        })
      await goOn(threadId)
    },
  }
}

/** Rows that the server has not heard of. */
const UNTOLD: ReadonlySet<string> = new Set(['queued', 'sending', 'failed'])
/** What a call does that waits for this side. */
const OPEN: ReadonlySet<string> = new Set(['input-streaming', 'running', 'awaiting-approval'])

async function read(next: () => Promise<boolean>, isOpen: boolean): Promise<void> {
  for (let more = isOpen; more; ) more = await next()
}

/** A promise with its end in hand. */
function withResolvers(): { readonly promise: Promise<void>; resolve(): void } {
  let end: () => void = () => {}
  const promise = new Promise<void>(done => {
    end = done
  })
  return { promise, resolve: () => end() }
}
