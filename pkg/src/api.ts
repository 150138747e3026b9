/// <reference lib="esnext.disposable" />
import type { Effect } from './effects.js'
import type { ThreadEvent } from './events.js'
import type { Recording } from './journal.js'
import type { Connection, Explanation, Group, Intent, Part, ThreadSnapshot } from './view.js'

/** Ends a subscription. Calling it twice does no harm. */
export type Unsubscribe = () => void

/** An act of the user in one thread. Each has a method of the same meaning. */
export type ThreadCommand =
  /** Say something. */
  | {
      readonly type: 'send'
      readonly text?: string
      readonly parts?: readonly Part[]
      readonly intent?: Intent
      readonly clientId?: string
    }
  /** End the running turn. */
  | { readonly type: 'stop' }
  /** Take a queued message back. */
  | { readonly type: 'cancel-queued'; readonly messageId: string }
  /** Change what a queued message says. */
  | { readonly type: 'edit-queued'; readonly messageId: string; readonly text: string }
  /** Give a queued message another place. */
  | { readonly type: 'move-queued'; readonly messageId: string; readonly index: number }
  /** Let a queued message be the next, now. */
  | { readonly type: 'send-now'; readonly messageId: string }
  /** Let a held queue go on. */
  | { readonly type: 'resume-queue' }
  /** Let a call run. */
  | { readonly type: 'approve'; readonly callId: string; readonly reason?: string }
  /** Let a call not run. */
  | { readonly type: 'deny'; readonly callId: string; readonly reason?: string }
  /** Send a message again that is not known to have arrived. */
  | { readonly type: 'retry'; readonly clientId: string }
  /** Take a failed row off the screen. */
  | { readonly type: 'dismiss'; readonly key: string }
  /** Load the page before the first row. */
  | { readonly type: 'load-older' }
  /** The user reads above the end, or no longer does. */
  | { readonly type: 'scrolled-up'; readonly value: boolean }

/** How a message is sent. */
export interface SendOptions {
  /** `queue`, the default: for the next turn where one runs. `steer`: for the running one. */
  readonly intent?: Intent
  /** The client's name for the message; a known one is the same message. */
  readonly clientId?: string
}

/** What is typed and not sent. With a storage it outlives a reload; with `connect` other tabs see it. */
export interface Draft {
  /** The text; empty: none. */
  get(this: void): string
  /** Keeps another text. Set it to '' once it is sent. */
  set(this: void, text: string): void
  /** Hears of each change, at once. */
  subscribe(this: void, listener: () => void): Unsubscribe
}

/** How the store and its server are connected. */
export interface ConnectionSnapshot {
  /**
   * `waiting`: the next attempt is at `retryAt`. `offline`: the same, and the host says that there is no network.
   * `closed`: the store was freed, or there is no way to connect.
   */
  readonly state: 'connecting' | 'open' | 'waiting' | 'offline' | 'closed'
  /** Attempts since something was heard last. */
  readonly attempt: number
  /** When the next attempt is, in milliseconds since 1970. */
  readonly retryAt?: number
}

/** The connection as a UI reads it. Without `connect` it says what `setConnection` was told. */
export interface ConnectionState {
  /** The same object until something changed. */
  getSnapshot(this: void): ConnectionSnapshot
  /** Hears of each change, at once. */
  subscribe(this: void, listener: () => void): Unsubscribe
  /** Tries now what would be tried later. */
  retry(this: void): void
}

/** One conversation. All methods work detached. */
export interface Thread {
  /** The thread's id; another one after a rename. */
  readonly id: string
  /** What is typed and not sent. */
  readonly draft: Draft
  /** All that a UI reads: the same object until something changed. */
  getSnapshot(this: void): ThreadSnapshot
  /** The same as `getSnapshot`, under the name that zustand's `useStore` calls. */
  getState(this: void): ThreadSnapshot
  /** What stood here when the thread was first asked for: what a server has rendered. */
  getInitialState(this: void): ThreadSnapshot
  /** Hears of every change of the thread. */
  subscribe(this: void, listener: (state: ThreadSnapshot, previous: ThreadSnapshot) => void): Unsubscribe
  /** Hears when one group came, went or changed. */
  subscribeGroup(this: void, key: string, listener: () => void): Unsubscribe
  /** One group. */
  group(this: void, key: string): Group | undefined
  /** The keys, top to bottom: the same array until a group came, went or moved. */
  keys(this: void): readonly string[]
  /** What to draw, top to bottom: the same array until something changed. */
  renderGroups(this: void): readonly Group[]
  /** Sends a message and gives its client id at once. What becomes of it is shown by its group. */
  send(this: void, message: string | readonly Part[], options?: SendOptions): string
  /** Stops the running turn. */
  stop(this: void): void
  /** Takes a message out of the queue. */
  cancelQueued(this: void, messageId: string): void
  /** Changes the words of a queued message. */
  editQueued(this: void, messageId: string, text: string): void
  /** Moves a queued message to a place in the queue. */
  moveQueued(this: void, messageId: string, index: number): void
  /** Makes a queued message the next one. */
  sendNow(this: void, messageId: string): void
  /** Lets a held queue go on. */
  resumeQueue(this: void): void
  /** Lets a call run. */
  approve(this: void, callId: string, reason?: string): void
  /** Keeps a call from running. */
  deny(this: void, callId: string, reason?: string): void
  /** Sends a failed message again, under the same client id. */
  retry(this: void, clientId: string): void
  /** Takes a failed message or a notice off the list. */
  dismiss(this: void, key: string): void
  /** Loads the page before the window; settles when no older page is on its way any more. */
  loadOlder(this: void): Promise<void>
  /** Tells whether the user reads older rows: nothing is folded under their eyes. */
  setScrolledUp(this: void, value: boolean): void
  /** Any act of the user as data. */
  dispatch(this: void, command: ThreadCommand): void
}

/** All conversations of a client. All methods work detached. */
export interface Store {
  /** Takes one event. A bad one is a diagnostic, never an error. */
  handleEvent(this: void, event: ThreadEvent): void
  /** Takes events in order, with one notification. */
  handleEvents(this: void, events: readonly ThreadEvent[]): void
  /** Takes one whole frame as it came: JSON, an array of events, or JSON lines. The fast path. */
  handleMessage(this: void, frame: string | Uint8Array): void
  /** What to draw of a thread, `main` by default; does not load anything. */
  renderGroups(this: void, threadId?: string): readonly Group[]
  /** Hears of every change of any thread. */
  subscribe(this: void, listener: () => void): Unsubscribe
  /** A thread, `main` by default: the same object for the same id. The first call loads its newest page. */
  thread(this: void, id?: string): Thread
  /** How the store is connected. */
  readonly connection: ConnectionState
  /** Tells how the host is connected; with `connect` nobody has to. `online` tries at once what waits for a better time. */
  setConnection(this: void, connection: Connection): void
  /** Takes the waiting effects, with `transport: 'manual'`. */
  takeEffects(this: void): readonly Effect[]
  /** What crossed into the store so far, in order, for `replay`. Plain JSON. */
  record(this: void): Recording
  /** The whole state as JSON, for `createStore({ from })`. */
  dehydrate(this: void): string
  /** Why a group is here; null: it is not. */
  explain(this: void, threadId: string, key: string): Explanation | null
  /** Gives the memory back and ends all requests. Every later call throws, but for `free`. */
  free(this: void): void
  /** The same as `free`, for `using`. */
  [Symbol.dispose](this: void): void
}
