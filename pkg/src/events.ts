import type { Chunk, Page } from './chunks.js'
import type { Decision, Intent, Part } from './view.js'

export type { Chunk, ChunkBody, Page } from './chunks.js'

/** One message of a queue as the server tells it. */
export interface QueueItem {
  /** The server's name for it. */
  readonly messageId: string
  /** What it says. */
  readonly message?: string
  /** What it says, where it is more than one text. */
  readonly parts?: readonly Part[]
  /** The client's name for it. */
  readonly clientId?: string
  /** What it is meant for. */
  readonly intent?: Intent
}

/** A thread's whole live state at `n`. */
export interface Snapshot {
  /** The number of the last event that it contains. */
  readonly n?: number
  /** The generation of the log. */
  readonly epoch?: string | number
  /** The last seq of the log. */
  readonly lastSeq?: number
  /** The turns that are not sealed. */
  readonly turns: readonly {
    readonly turnId: string
    readonly phase: 'pending' | 'streaming' | 'awaiting-tool' | 'awaiting-approval' | 'ended'
    readonly outcome?: Outcome
    readonly sealed?: boolean
    readonly rows: readonly {
      readonly role: 'user' | 'assistant' | 'tool' | 'system'
      readonly executionId?: string
      readonly messageId?: string
      readonly messageIds?: readonly string[]
      readonly clientIds?: readonly string[]
      readonly text?: string
      readonly parts?: readonly Part[]
    }[]
  }[]
  /** The queue, in order. */
  readonly queue?: readonly QueueItem[]
  /** True while the queue waits for the user. */
  readonly held?: boolean
  /** The calls that wait for a person. */
  readonly approvals?: readonly {
    readonly callId: string
    readonly turnId: string
    readonly name: string
    readonly prompt?: string
    readonly options?: unknown
  }[]
}

/** How a turn ended. */
export type Outcome = 'done' | 'aborted' | 'error'

/** What every event may carry. */
export interface Envelope {
  /** The thread; absent: `main`. */
  readonly threadId?: string
  /** An older name of `threadId`. */
  readonly tabId?: string
  /** The number of this event in its thread, without gaps. */
  readonly n?: number
  /** The execution that it is of, where a turn has several. */
  readonly executionId?: string
}

/** What the events of a turn name. @inline */
interface OfTurn {
  /** The turn; absent: the running one. */
  readonly turnId?: string
}

/** What a user said. @inline */
type Said = { readonly text: string } | { readonly parts: readonly Part[] }

/** A snapshot as an event, and the answer to a resync. */
export type SnapshotEvent = Snapshot & Envelope & { readonly type?: 'snapshot' }

/** Everything that the store understands, by `type`. */
export type KnownEvent = Envelope &
  (
    /** A turn begins. */
    | {
        readonly type: 'turn-start'
        readonly turnId: string
        readonly user?: Said & { readonly messageId?: string; readonly clientIds?: readonly string[] }
        readonly messageIds?: readonly string[]
      }
    /** Text or reasoning grows. */
    | (OfTurn & {
        readonly type: 'text-delta' | 'reasoning-delta'
        readonly delta: string
        readonly messageId?: string
        readonly partId?: string
      })
    /** A reasoning part is whole. */
    | (OfTurn & { readonly type: 'reasoning-end'; readonly metadata?: unknown })
    /** The arguments of a call begin to stream. */
    | (OfTurn & { readonly type: 'tool-input-start'; readonly callId: string; readonly name: string })
    /** The arguments of a call grow. */
    | (OfTurn & { readonly type: 'tool-input-delta'; readonly callId: string; readonly delta: string })
    /** A call is whole. */
    | (OfTurn & {
        readonly type: 'tool-call'
        readonly toolCall: { readonly id: string; readonly name: string; readonly arguments: unknown }
        readonly step?: number
      })
    /** A running tool printed something. */
    | (OfTurn & {
        readonly type: 'tool-output' | 'shell-output'
        readonly data: string
        readonly stream?: 'stdout' | 'stderr'
        readonly callId?: string
      })
    /** A tool has answered. */
    | (OfTurn & {
        readonly type: 'tool-result'
        readonly toolResult: { readonly toolCallId: string; readonly result: unknown; readonly isError?: boolean }
      })
    /** A call waits for a person. */
    | (OfTurn & {
        readonly type: 'approval-request'
        readonly callId: string
        readonly prompt?: string
        readonly options?: unknown
      })
    /** A call was decided. */
    | (OfTurn & {
        readonly type: 'approval-resolved'
        readonly callId: string
        readonly decision: Decision
        readonly reason?: string
      })
    /** A file, a source or data. */
    | (OfTurn & {
        readonly type: 'part'
        readonly part: {
          readonly type: 'file' | 'source' | 'data'
          readonly id?: string
          readonly [field: string]: unknown
        }
      })
    /** A message waits for a turn. */
    | ({ readonly type: 'message-queued' } & QueueItem)
    /** Messages left the queue into a turn. */
    | (OfTurn & {
        readonly type: 'message-consumed'
        readonly messageIds: readonly string[]
        readonly reason?: 'interrupt' | 'continuation'
      })
    /** A queued message was taken back. */
    | { readonly type: 'message-cancelled'; readonly messageId: string }
    /** A queued message was changed. */
    | {
        readonly type: 'message-edited'
        readonly messageId: string
        readonly message?: string
        readonly parts?: readonly Part[]
        readonly rev?: number
      }
    /** The whole queue, in order. */
    | {
        readonly type: 'queue-snapshot'
        readonly items: readonly QueueItem[]
        readonly held: boolean
        readonly version: number
      }
    /** A turn is over; the first end counts. */
    | { readonly type: 'turn-end'; readonly turnId: string; readonly outcome: Outcome; readonly error?: string }
    /** One word on the whole thread, of servers that say no more. */
    | { readonly type: 'status'; readonly status: 'idle' | 'running' | 'error' }
    /** A turn is written durably. */
    | {
        readonly type: 'turn-sealed'
        readonly turnId: string
        readonly firstSeq?: number
        readonly lastSeq?: number
        readonly prevSeq?: number
        readonly chunks?: readonly Chunk[]
      }
    /** Says the number of the last event, and nothing else. */
    | { readonly type: 'ping'; readonly n: number }
    /** A line for the reader. */
    | (OfTurn & { readonly type: 'notice'; readonly message: string })
    /** An error for the reader. */
    | (OfTurn & { readonly type: 'error'; readonly error: string; readonly statusCode?: number | string })
    /** The whole live state of the thread. */
    | ({ readonly type: 'snapshot' } & Snapshot)
    /** A snapshot over all threads, of servers that say no more. */
    | { readonly type: 'statuses'; readonly statuses: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
    /** A page that the host has fetched by itself. */
    | ({ readonly type: 'chunks-loaded' } & Page)
    /** The log was cut: what is behind is gone. */
    | { readonly type: 'log-truncated'; readonly fromSeq: number; readonly epoch?: string | number }
    /** The log was written anew. */
    | { readonly type: 'log-reset'; readonly epoch: string | number }
    /** Chunks were changed in place. */
    | { readonly type: 'chunks-updated'; readonly chunks: readonly Chunk[] }
    /** A thread has another name; the old one stays an alias. */
    | { readonly type: 'thread-renamed'; readonly from: string; readonly to: string }
    /** Is kept for each thread, and only shown. */
    | {
        readonly type:
          | 'usage'
          | 'task-list-update'
          | 'model-changed'
          | 'permission-prompt'
          | 'tab-created'
          | 'done'
          | 'config-reload'
        readonly [field: string]: unknown
      }
  )

/** An answer of a host that carries the effects out by itself (`transport: 'manual'`). */
export type HostEvent =
  /** It was done. */
  | { readonly type: 'effect-result'; readonly id: number; readonly ok: true; readonly value?: unknown }
  /** It was not. */
  | {
      readonly type: 'effect-result'
      readonly id: number
      readonly ok: false
      readonly error: string
      readonly code?: FailureCode
    }
  /** The time of a timer is over. */
  | { readonly type: 'timer-fired'; readonly timer: number }

/** Why an effect failed. */
export type FailureCode = 'failed' | 'timeout' | 'unsupported' | 'aborted'

/** An event of a later version: it is ignored, with one diagnostic. */
export interface UnknownEvent extends Envelope {
  /** None of those that are known. */
  readonly type: string & {}
  readonly [field: string]: unknown
}

/** What `handleEvent` takes. */
export type ThreadEvent = KnownEvent | HostEvent | UnknownEvent
