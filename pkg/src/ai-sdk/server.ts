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

/** A response that is asked for, or read. One at a time. */
interface Active {
  readonly abort: AbortController
  /** Settles when it is read to its end. */
  readonly over: Promise<void>
  isStopped: boolean
  /** Ends the request, and the reading. */
  cancel(): void
  /** It is over. */
  end(): void
  /** Its stream, once it has one. */
  source: ReadableStreamDefaultReader<UIMessageChunk> | undefined
}

/** What is known of a thread here. */
interface Line {
  readonly reader: ChunkReader
  /** The response that is read. */
  active: Active | undefined
}

/**
 * The transport of a store over one of the AI SDK: `DefaultChatTransport`, or any other. That server has one response at a
 * time and no queue: a message that is sent meanwhile waits as `sending`, and fails where the response is stopped. Give the
 * store a `timeoutMs` that is as long as an answer may take.
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
  /** From here on the thread is busy. */
  const begin = (line: Line): Active => {
    const abort = new AbortController()
    const { promise: over, resolve } = withResolvers()
    const active: Active = {
      abort,
      over,
      isStopped: false,
      source: undefined,
      cancel: () => {
        abort.abort(new DOMException('no longer wanted', 'AbortError'))
        active.source?.cancel().catch(() => {})
      },
      end: () => {
        if (line.active === active) line.active = undefined
        resolve()
      },
    }
    line.active = active
    return active
  }
  /** Asks for a stream and reads it to its end. Settles when its turn is known; undefined: there is no stream. */
  const follow = async (
    threadId: string,
    ask: (signal: AbortSignal) => Promise<ReadableStream<UIMessageChunk> | null>,
    how: ResponseOptions,
  ) => {
    const line = lineOf(threadId)
    const active = begin(line)
    try {
      const stream = await ask(active.abort.signal)
      if (stream === null) {
        active.end()
        return undefined
      }
      const response = line.reader.open(how)
      active.source = stream.getReader()
      const next = async (): Promise<boolean> => {
        const { done, value } = (await active.source?.read()) ?? { done: true, value: undefined }
        if (done || active.isStopped) return false
        options.store().handleEvents(response.read(value))
        return true
      }
      let isOpen = true
      while (isOpen && response.turnId() === undefined) isOpen = await next()
      void read(next, isOpen)
        .then(
          () => settle(response.end(active.isStopped ? 'aborted' : undefined)),
          thrown => lost(threadId, response, active, thrown),
        )
        .finally(active.end)
      return { turnId: response.turnId() }
    } catch (thrown) {
      active.end()
      throw thrown
    }
  }
  const settle = (events: ReturnType<ResponseReader['end']>) => {
    if (events.length > 0) options.store().handleEvents(events)
  }
  /** A stream that broke is read again, once; what it had said is not said twice. */
  const lost = async (threadId: string, response: ResponseReader, active: Active, thrown: unknown) => {
    // The store is gone.
    if (thrown instanceof TurnsealError) return active.cancel()
    if (active.isStopped) return settle(response.end('aborted'))
    active.end()
    const isBack = await resume({ threadId }).catch(() => false)
    if (isBack !== true) settle(response.end({ error: messageOf(thrown) }))
  }
  const post = (threadId: string, messages: UIMessage[], messageId: string | undefined) => async (abortSignal: AbortSignal) => {
    const { headers, body, metadata } = options.request?.({ threadId }) ?? {}
    return peer.sendMessages({
      trigger: 'submit-message',
      chatId: threadId,
      messageId,
      messages,
      abortSignal,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      ...(metadata === undefined ? {} : { metadata }),
    })
  }
  /** Asks the server to go on with a turn once nothing of it waits for this side. */
  const goOn = async (threadId: string) => {
    const line = lineOf(threadId)
    await line.active?.over
    const { turnId, groups } = options.store().thread(threadId).getSnapshot()
    if (turnId === undefined || line.active !== undefined) return
    const mine = groups.filter(group => group.turnId === turnId && group.role === 'assistant')
    const isOpen = mine.some(group => group.parts.some(part => part.type === 'tool' && OPEN.has(part.state)))
    const last = mine.at(-1)
    if (!isOpen && last !== undefined)
      await follow(threadId, post(threadId, historyOf(threadId), last.messageId ?? turnId), { turnId })
  }
  const resume = async ({ threadId }: { readonly threadId: string }): Promise<boolean> => {
    if (lineOf(threadId).active !== undefined) return true
    const ask = (abortSignal: AbortSignal) => peer.reconnectToStream({ chatId: threadId, abortSignal })
    return (await follow(threadId, ask, { resume: true })) !== undefined
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
      const said = parts === undefined ? { text: text ?? '' } : { parts }
      const ask = post(threadId, historyOf(threadId, clientId), undefined)
      const begun = await follow(threadId, ask, { user: { clientId, messageId: clientId, ...said } })
      return { status: 'ok', messageId: clientId, ...(begun?.turnId === undefined ? {} : { turnId: begun.turnId }) }
    },
    stop: async ({ threadId }) => {
      const { active } = lineOf(threadId)
      if (active === undefined) return
      active.isStopped = true
      active.cancel()
      await active.over
    },
    resolveApproval: async ({ threadId, callId, turnId, decision, reason }) => {
      options.store().handleEvent({
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
      options.store().handleEvent({
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
