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
    | {
        readonly type: 'turn-start'
        readonly turnId: string
        readonly user?: Said & { readonly messageId?: string; readonly clientIds?: readonly string[] }
        readonly messageIds?: readonly string[]
      }
    | (OfTurn & {
        readonly type: 'text-delta' | 'reasoning-delta'
        readonly delta: string
        readonly messageId?: string
        readonly partId?: string
      })
    | (OfTurn & { readonly type: 'reasoning-end'; readonly metadata?: unknown })
    | (OfTurn & { readonly type: 'tool-input-start'; readonly callId: string; readonly name: string })
    | (OfTurn & { readonly type: 'tool-input-delta'; readonly callId: string; readonly delta: string })
    | (OfTurn & {
        readonly type: 'tool-call'
        readonly toolCall: { readonly id: string; readonly name: string; readonly arguments: unknown }
        readonly step?: number
      })
    | (OfTurn & {
        readonly type: 'tool-output' | 'shell-output'
        readonly data: string
        readonly stream?: 'stdout' | 'stderr'
        readonly callId?: string
      })
    | (OfTurn & {
        readonly type: 'tool-result'
        readonly toolResult: { readonly toolCallId: string; readonly result: unknown; readonly isError?: boolean }
      })
    | (OfTurn & {
        readonly type: 'approval-request'
        readonly callId: string
        readonly prompt?: string
        readonly options?: unknown
      })
    | (OfTurn & {
        readonly type: 'approval-resolved'
        readonly callId: string
        readonly decision: Decision
        readonly reason?: string
      })
    | (OfTurn & {
        readonly type: 'part'
        readonly part: {
          readonly type: 'file' | 'source' | 'data'
          readonly id?: string
          readonly [field: string]: unknown
        }
      })
    | ({ readonly type: 'message-queued' } & QueueItem)
    | (OfTurn & {
        readonly type: 'message-consumed'
        readonly messageIds: readonly string[]
        readonly reason?: 'interrupt' | 'continuation'
      })
    | { readonly type: 'message-cancelled'; readonly messageId: string }
    | {
        readonly type: 'message-edited'
        readonly messageId: string
        readonly message?: string
        readonly parts?: readonly Part[]
        readonly rev?: number
      }
    | {
        readonly type: 'queue-snapshot'
        readonly items: readonly QueueItem[]
        readonly held: boolean
        readonly version: number
      }
    | { readonly type: 'turn-end'; readonly turnId: string; readonly outcome: Outcome; readonly error?: string }
    | { readonly type: 'status'; readonly status: 'idle' | 'running' | 'error' }
    | {
        readonly type: 'turn-sealed'
        readonly turnId: string
        readonly firstSeq?: number
        readonly lastSeq?: number
        readonly prevSeq?: number
        readonly chunks?: readonly Chunk[]
      }
    | { readonly type: 'ping'; readonly n: number }
    | (OfTurn & { readonly type: 'notice'; readonly message: string })
    | (OfTurn & { readonly type: 'error'; readonly error: string; readonly statusCode?: number | string })
    | ({ readonly type: 'snapshot' } & Snapshot)
    | { readonly type: 'statuses'; readonly statuses: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
    | ({ readonly type: 'chunks-loaded' } & Page)
    | { readonly type: 'log-truncated'; readonly fromSeq: number; readonly epoch?: string | number }
    | { readonly type: 'log-reset'; readonly epoch: string | number }
    | { readonly type: 'chunks-updated'; readonly chunks: readonly Chunk[] }
    | { readonly type: 'thread-renamed'; readonly from: string; readonly to: string }
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
  | { readonly type: 'effect-result'; readonly id: number; readonly ok: true; readonly value?: unknown }
  | {
      readonly type: 'effect-result'
      readonly id: number
      readonly ok: false
      readonly error: string
      readonly code?: FailureCode
    }
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
