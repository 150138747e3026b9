import type { Store, Unsubscribe } from './api.js'
import type { UnknownEvent } from './events.js'
import type { StoreOptions } from './options.js'

/** A row of the server's log, as the server gave it. */
export interface ChunkRow {
  /** The server's name for the row. */
  readonly id?: string
  /** Its place in the log. */
  readonly seq: number
  /** The turn that wrote it. */
  readonly turnId: string
  /** The step of its turn. */
  readonly step?: number
  /** Who speaks. */
  readonly role: string
  /** What it holds. */
  readonly type: string
  /** Its content. */
  readonly data: unknown
  readonly [field: string]: unknown
}

/** One call of a batch. */
export interface BatchCall {
  /** The call's id. */
  readonly id: string
  /** The tool. */
  readonly name: string
  /** Its arguments; empty where the call is older than what is loaded. */
  readonly arguments: unknown
  /** What came back. */
  readonly result?: unknown
  /** True where that is an error. */
  readonly isError?: boolean
  /** What the tool printed. */
  readonly shellOutput?: { readonly stdout: string; readonly stderr: string }
}

/** One piece of a message. */
export type RenderChunk =
  /** What somebody said. */
  | { readonly type: 'text'; readonly text: string }
  /** What the model thought. */
  | { readonly type: 'thinking'; readonly text: string; readonly metadata?: unknown }
  /** The calls of one step. */
  | { readonly type: 'tool-batch'; readonly calls: readonly BatchCall[] }
  /** The turn failed. */
  | { readonly type: 'error'; readonly message: string; readonly statusCode?: string | number }
  /** A line for the reader. */
  | { readonly type: 'system'; readonly kind: string; readonly text: string }
  /** A file, a source or data. */
  | { readonly type: 'file' | 'source' | 'data'; readonly [field: string]: unknown }

/** One message as the ancestor draws it. The same object until it changes. */
export interface ChatMessage {
  /** `queued-<id>` while it waits in the queue. */
  readonly id: string
  /** Stays the same from first draw to sealed: the better key for a list. */
  readonly key: string
  /** Who speaks. */
  readonly role: 'user' | 'assistant' | 'system'
  /** What it says. */
  readonly chunks: readonly RenderChunk[]
  /** True while it may still grow. */
  readonly isStreaming: boolean
  /** The place of its first row in the log. */
  readonly seq?: number
  /** Its turn; absent while it waits for one. */
  readonly turnId?: string
  /** Why it failed. */
  readonly error?: string
}

/** One message of a tab's queue. */
export interface QueuedMessage {
  /** The server's name for it. */
  readonly id: string
  /** What it says. */
  readonly message: string
}

/** What the tokens of a tab came to. */
export interface CacheStats {
  /** Requests so far. */
  readonly requests: number
  /** Tokens of all prompts. */
  readonly inputTokens: number
  /** Tokens of all answers. */
  readonly outputTokens: number
  /** Prompt tokens that were read from a cache. */
  readonly cacheReadTokens: number
  /** Prompt tokens that were written to a cache. */
  readonly cacheWriteTokens: number
  /** The last request. */
  readonly last?: unknown
}

/** What a tab is besides its conversation. */
export interface TabInfo {
  /** Its id. */
  readonly id: string
  /** Its title. */
  readonly title: string
  /** The key of the model's vendor. */
  readonly keyId?: string | null
  /** The model. */
  readonly modelId?: string | null
  /** The tab that opened it; null: the user did. */
  readonly parentTabId?: string | null
  /** What the tokens came to. */
  readonly cacheStats?: CacheStats | undefined
  /** What the agent says that it does. */
  readonly agentStatus: 'idle' | 'running' | 'error'
  /** The agent's list of tasks. */
  readonly tasks: readonly unknown[]
}

/** What the user did with a tab. */
export interface TabDraft {
  /** What is typed and not sent. */
  readonly draft: string
  /** True where the user gave the title: it is not made from a message any more. */
  readonly manualTitle: boolean
}

/** A tab: its fields are read anew with each access. */
export interface Tab extends TabInfo, TabDraft {
  /** The loaded rows of the log that are drawn, by seq. */
  readonly chunks: readonly ChunkRow[]
  /** The messages that are not drawn from the log. */
  readonly live: readonly ChatMessage[]
  /** All messages, top to bottom. */
  readonly renderGroups: readonly ChatMessage[]
  /** The queue, in order. */
  readonly queuedMessages: readonly QueuedMessage[]
  /** The running turn. */
  readonly liveTurnId: string | null
  /** The message that grows. */
  readonly currentAssistantId: string | null
  /** The smallest seq that is loaded. */
  readonly oldestLoadedSeq: number | null
  /** How many rows the log has, as the last page said. */
  readonly totalChunks: number
}

/** What the store of tabs is made of. */
export interface TabStoreOptions {
  /** `createStore` of `turnseal` or of another entry. */
  readonly createStore: (options?: StoreOptions) => Store
  /** Where the API is: `/api`, or a whole address. */
  readonly api?: string
  /** `fetch`, or what takes its place. */
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>
  /** `createSubscriber` of `svelte/reactivity`: then every read is reactive, as it was with runes. */
  readonly createSubscriber?: (start: (update: () => void) => () => void) => () => void
  /** Writes a frame to the socket: the answers to questions for permission. */
  readonly write?: (frame: string) => void
  /** Names a new tab: a random id. */
  readonly newTabId?: () => string
  /** More fields for the body of a message: key, model, agents. */
  readonly extras?: (tab: Tab) => Readonly<Record<string, unknown>>
  /** Anything else that `createStore` takes. */
  readonly store?: Omit<StoreOptions, 'transport'>
}

/** An answer to a question for permission. */
export interface PermissionAnswer {
  /** The question, as the server asked it. */
  readonly prompt: unknown
  /** The answer. */
  readonly reply: 'once' | 'always' | 'reject'
}

/** The ancestor's store over turnseal. All methods work detached. */
export interface TabStore {
  /** All tabs, in order. */
  readonly tabs: readonly Tab[]
  /** The tab on the screen. */
  readonly activeTab: Tab | undefined
  /** Its id. */
  readonly activeTabId: string | null
  /** The questions for permission that are open, over all tabs. */
  readonly pendingPermissions: readonly unknown[]
  /** The answers that were given to them. */
  readonly permissionLog: readonly PermissionAnswer[]
  /** The store below: `explain`, `record`, `dehydrate`. */
  readonly store: Store
  /** Takes one event of the socket as it came. Events of unknown tabs do nothing. */
  handleEvent(this: void, event: UnknownEvent): void
  /** Answers a question for permission; one that is not open is passed over. */
  replyPermission(this: void, id: string, reply: PermissionAnswer['reply']): void
  /** Tells how the socket is. */
  setConnected(this: void, isConnected: boolean): void
  /** Loads the tabs, what they do, and their newest rows; gives how many. Does nothing where there are tabs. */
  hydrateFromBackend(this: void): Promise<number>
  /** Opens a tab and puts it on the screen; gives its id at once. */
  createNewTab(this: void): string
  /** Closes a tab; the last one on the screen takes its place. */
  closeTab(this: void, tabId: string): void
  /** Gives a tab a title; an empty one does nothing. */
  renameTab(this: void, tabId: string, title: string): void
  /** Puts the user's tabs in an order. One that does not name each of them does nothing. */
  reorderTabs(this: void, tabIds: readonly string[]): void
  /** Keeps what is typed. */
  setDraft(this: void, tabId: string, text: string): void
  /** Puts a tab on the screen. */
  switchTab(this: void, tabId: string): void
  /** Sends a message; gives its client id. */
  sendMessage(this: void, text: string, tabId?: string): string
  /** Takes a message out of the queue. */
  cancelQueuedMessage(this: void, tabId: string, id: string): void
  /** Stops the running turn. */
  stopGeneration(this: void, tabId?: string): void
  /** Loads the page before the window. */
  loadOlderChunks(this: void, tabId: string): Promise<void>
  /** Tells whether the user reads older rows. */
  setScrolledUp(this: void, tabId: string, value: boolean): void
  /** Hears of every change: the contract of Svelte's stores. */
  subscribe(this: void, run: (store: TabStore) => void): Unsubscribe
  /** Ends all requests and gives the memory back. */
  free(this: void): void
}
