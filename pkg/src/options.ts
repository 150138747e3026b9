import type { Page, SnapshotEvent } from './events.js'
import type { Intent, Part } from './view.js'

/** A value, now or later. */
export type Eventually<T> = T | PromiseLike<T>

/** What the server said to a message. `returned` and `refused`: it failed, its text is kept. */
export interface SendAnswer {
  /** Where the message is now. */
  readonly status: 'ok' | 'queued' | 'returned' | 'refused'
  /** The server's name for it. */
  readonly messageId?: string
  /** The turn that answers it. */
  readonly turnId?: string
  /** The number of the last event that the server had sent by then. */
  readonly n?: number
}

/**
 * The way to the server. Every member may be absent: what is then wanted fails with a diagnostic. The second argument
 * tells when the answer is no longer wanted. A function may throw, or give its answer at once.
 */
export interface Transport {
  /** Gives a page: the newest, or the one before or after a seq. */
  loadChunks?(
    query: { readonly threadId: string; readonly limit: number; readonly before?: number; readonly after?: number },
    signal: AbortSignal,
  ): Eventually<Page>
  /** Gives the server a message. The same clientId is the same message. */
  send?(
    message: {
      readonly threadId: string
      readonly clientId: string
      readonly text?: string
      readonly parts?: readonly Part[]
      readonly intent: Intent
    },
    signal: AbortSignal,
  ): Eventually<SendAnswer>
  /** Stops the running turn. */
  stop?(query: { readonly threadId: string; readonly turnId?: string }, signal: AbortSignal): Eventually<unknown>
  /** Takes a message out of the queue; `success: false`: it had left the queue before. */
  cancelQueued?(
    query: { readonly threadId: string; readonly messageId: string },
    signal: AbortSignal,
  ): Eventually<{ readonly success: boolean }>
  /** Changes the words of a queued message. */
  editQueued?(
    query: { readonly threadId: string; readonly messageId: string; readonly text: string },
    signal: AbortSignal,
  ): Eventually<unknown>
  /** Moves a queued message. */
  moveQueued?(
    query: { readonly threadId: string; readonly messageId: string; readonly index: number },
    signal: AbortSignal,
  ): Eventually<unknown>
  /** Makes a queued message the next one. */
  sendNow?(query: { readonly threadId: string; readonly messageId: string }, signal: AbortSignal): Eventually<unknown>
  /** Lets a held queue go on. */
  resumeQueue?(query: { readonly threadId: string }, signal: AbortSignal): Eventually<unknown>
  /** Tells a person's decision. `success: false`: the server does not know that call. */
  resolveApproval?(
    query: {
      readonly threadId: string
      readonly callId: string
      readonly turnId?: string
      readonly decision: 'approved' | 'denied'
      readonly reason?: string
    },
    signal: AbortSignal,
  ): Eventually<unknown>
  /** Gives the thread's whole live state, since events behind `after` are missing. */
  resync?(query: { readonly threadId: string; readonly after: number }, signal: AbortSignal): Eventually<SnapshotEvent>
}

/** Where messages that have not arrived outlive a reload: `localStorage`, or something like it. It may throw. */
export interface PendingStorage {
  /** The value of a key, or null. */
  getItem(key: string): string | null
  /** Keeps a value. */
  setItem(key: string, value: string): void
  /** Forgets a key. */
  removeItem(key: string): void
}

/** Something that was ignored, refused or repaired. */
export interface Diagnostic {
  /** What happened, for code: `late`, `missing-field`, `send-failed`, `poisoned` and so on. */
  readonly code: string
  /** What happened, in words. */
  readonly detail: string
  /** The thread. */
  readonly threadId?: string
  /** The type of the event that was refused. */
  readonly type?: string
  /** The field that it was refused for. */
  readonly field?: string
}

/** When listeners hear of a change: once a frame, once a microtask, or before the call returns. */
export type Schedule = 'frame' | 'microtask' | 'sync'

/** How much a store keeps. */
export interface Limits {
  /** Sealed chunks in the window unless scrolled up: 100. */
  readonly window?: number
  /** Chunks in an older page: 50. */
  readonly page?: number
  /** Threads; the least recent idle one goes first: 1000. */
  readonly threads?: number
}

/** Headers of a request. */
export type HeadersGiven = Readonly<Record<string, string>>

/** A server that speaks the protocol of `turnseal-server`. `{ url }` is enough in a browser. */
export interface ConnectOptions {
  /** Where it is: `https://host/base`, or a path of the page's own server. */
  readonly url: string | URL
  /** Subprotocols of the socket, where a server wants a token there. */
  readonly protocols?: string | readonly string[]
  /** Headers of each request; a function is asked each time. */
  readonly headers?: HeadersGiven | (() => Eventually<HeadersGiven>)
  /** Makes the requests: the host's own `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Makes the socket, where the host has none of its own: Node 20. */
  readonly WebSocket?: new (url: string, protocols?: string | string[]) => WebSocket
  /** Where pending sends and drafts outlive a reload: `localStorage`. `false`: nowhere. */
  readonly storage?: PendingStorage | false
  /** Whether tabs of one page share pending sends and drafts: true. */
  readonly tabs?: boolean
  /** Whose storage and tabs these are: the url. Another user of one page wants another name. */
  readonly name?: string
}

/** What `createStore` takes; all of it may be absent. */
export interface StoreOptions {
  /** The way to the server; `manual`: the host takes effects with `takeEffects` and answers them. */
  readonly transport?: Transport | 'manual'
  /** Brings socket, requests, storage and tabs for a server of that protocol. What `transport` has goes before it. */
  readonly connect?: ConnectOptions
  /** Where messages that have not arrived, and drafts, outlive a reload. */
  readonly storage?: PendingStorage
  /** How much is kept. */
  readonly limits?: Limits
  /** When listeners hear of a change: `frame`. */
  readonly schedule?: Schedule
  /** Hears what was ignored, refused or repaired. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** A state that `dehydrate` gave. */
  readonly from?: string
  /** How long an answer of the transport may take: 30,000. */
  readonly timeoutMs?: number
  /** Names a new message; unique for all clients of a thread. */
  readonly newClientId?: () => string
}
