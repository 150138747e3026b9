import type { Decision, Intent, Part } from './view.js'

/** What a chunk holds, by its `type`. Types of later versions are kept and not drawn. */
export type ChunkBody =
  | { readonly role: 'user' | 'assistant'; readonly type: 'text'; readonly data: { readonly text: string } }
  | {
      readonly role: 'assistant'
      readonly type: 'reasoning' | 'thinking'
      readonly data: { readonly text: string; readonly metadata?: unknown }
    }
  | {
      readonly role: 'assistant'
      readonly type: 'tool_call'
      readonly data: { readonly callId: string; readonly name: string; readonly arguments: unknown }
    }
  | {
      readonly role: 'tool'
      readonly type: 'tool_result'
      readonly data: {
        readonly callId: string
        readonly name?: string
        readonly result: unknown
        readonly isError?: boolean
        readonly output?: { readonly stdout: string; readonly stderr: string }
      }
    }
  | {
      readonly role: 'assistant'
      readonly type: 'error'
      readonly data: { readonly message: string; readonly statusCode?: number | string }
    }
  | {
      readonly role: 'assistant' | 'user'
      readonly type: 'file' | 'source' | 'data'
      readonly data: Readonly<Record<string, unknown>>
    }
  | { readonly role: 'system'; readonly type: 'system'; readonly data: { readonly kind: string; readonly text: string } }
  | { readonly role: 'user' | 'assistant' | 'tool' | 'system'; readonly type: 'usage'; readonly data: unknown }

/** One sealed row of the server's log. */
export type Chunk = ChunkBody & {
  /** Its place in the log: ascending, gaps allowed. */
  readonly seq: number
  /** The turn that wrote it. */
  readonly turnId: string
  /** The execution that wrote it, where a turn has several. */
  readonly executionId?: string
  /** The step of the turn, from 0. */
  readonly step?: number
  /** The message that it is. */
  readonly messageId?: string
  /** The messages that became this row, where several did. */
  readonly messageIds?: readonly string[]
  /** The client ids of the messages that became this row. */
  readonly clientIds?: readonly string[]
  /** When it was written; carried, not read. */
  readonly createdAt?: unknown
}

/** The reply to a load: chunks in ascending `seq`. */
export interface Page {
  /** The rows. */
  readonly chunks: readonly Chunk[]
  /** How many rows the whole log has. */
  readonly total?: number
  /** The smallest seq of the log. */
  readonly oldestSeq?: number
  /** The seq before the first row of this page. */
  readonly prevSeq?: number
  /** The limit that the server kept to, where it is another than asked for. */
  readonly limit?: number
  /** The generation of the log. */
  readonly epoch?: string | number
}

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

interface OfTurn {
  /** The turn; absent: the running one. */
  readonly turnId?: string
}

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
  readonly type: string & {}
  readonly [field: string]: unknown
}

/** What `handleEvent` takes. */
export type ThreadEvent = KnownEvent | HostEvent | UnknownEvent
