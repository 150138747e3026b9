import type { Chunk, Outcome } from './events.js'
import type { Intent, OpaquePart, Part } from './view.js'

/** What a user says. */
export type SendInput = {
  readonly type: 'send'
  /** The server's name for it. */
  readonly messageId: string
  /** The client's name for it: a known one is the same message. */
  readonly clientId?: string
  /** What it is meant for while a turn runs; `queue` by default. */
  readonly intent?: Intent
  /** Who is to answer, one execution each; absent: the models of the engine. */
  readonly models?: readonly string[]
} & ({ readonly text: string } | { readonly parts: readonly Part[] })

/** What the inputs of an execution name. @inline */
interface OfExecution {
  /** Who, as the `request` named it. */
  readonly executionId: string
}

/** What the inputs of a tool call name. @inline */
interface OfCall {
  /** The turn of the call. */
  readonly turnId: string
  /** The execution of the call; absent: the newest open call of that id. */
  readonly executionId?: string
  /** The call. */
  readonly callId: string
}

/** A decision on a call that waits for a person. */
export interface DecisionInput {
  readonly type: 'approve' | 'deny'
  /** The call; of several with that id the newest that waits. */
  readonly callId: string
  /** Its turn. */
  readonly turnId?: string
  /** Its execution. */
  readonly executionId?: string
  /** Why. */
  readonly reason?: string
}

/** Everything that can happen to a thread, by `type`. */
export type EngineInput =
  | SendInput
  /** The user ends a turn. */
  | { readonly type: 'stop'; readonly turnId?: string }
  /** The model said something. */
  | (OfExecution & { readonly type: 'delta'; readonly kind: 'text' | 'reasoning'; readonly delta: string })
  /** A reasoning part is whole. */
  | (OfExecution & { readonly type: 'reasoning-end'; readonly metadata?: unknown })
  /** The arguments of a call stream. */
  | (OfExecution & { readonly type: 'tool-input'; readonly callId: string; readonly name?: string; readonly delta?: string })
  /** The model gave a file, a source or data. */
  | (OfExecution & { readonly type: 'part'; readonly part: OpaquePart })
  /** What the execution used. */
  | (OfExecution & { readonly type: 'usage'; readonly usage: unknown })
  /** The model calls a tool. */
  | (OfExecution & {
      readonly type: 'tool-call'
      readonly callId: string
      readonly name: string
      readonly arguments: unknown
      /** True: a person is asked first. */
      readonly approval?: boolean
      readonly prompt?: string
      readonly options?: unknown
    })
  /** A running tool printed something. */
  | (OfCall & { readonly type: 'tool-output'; readonly data: string; readonly stream?: 'stdout' | 'stderr' })
  /** A tool has answered. */
  | (OfCall & { readonly type: 'tool-result'; readonly result: unknown; readonly isError?: boolean })
  /** The model is done with its step: asked again where tools have answered, else its execution is done. */
  | (OfExecution & { readonly type: 'step-end' })
  /** The execution is over. */
  | (OfExecution & { readonly type: 'execution-end'; readonly outcome: Outcome; readonly error?: string })
  | DecisionInput
  /** The rows of a seal are written. */
  | { readonly type: 'persisted'; readonly turnId: string; readonly chunks: readonly Chunk[] }
  /** Rows could not be written. */
  | { readonly type: 'persist-failed'; readonly turnId: string; readonly from?: number; readonly error?: string }
  /** Ask a model again whose execution failed. */
  | (OfExecution & { readonly type: 'retry'; readonly turnId: string })
  /** So many look on now; told when it changes. The policy `background` decides what 0 does. */
  | { readonly type: 'watchers'; readonly count: number }
  /** The user takes a queued message back, or lets it be the next. */
  | { readonly type: 'cancel-queued' | 'send-now'; readonly messageId: string }
  /** The user changes what a queued message says. */
  | { readonly type: 'edit-queued'; readonly messageId: string; readonly text: string }
  /** The user gives a queued message another place. */
  | { readonly type: 'move-queued'; readonly messageId: string; readonly index: number }
  /** The user lets a held queue go on. */
  | { readonly type: 'resume-queue' }
  /** A timer of `start-timer` is over. */
  | { readonly type: 'timer-fired'; readonly timer: number }
