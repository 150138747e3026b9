import type { EngineInput, SendInput } from './engine-inputs.js'
import type { Chunk, ChunkBody, KnownEvent, Outcome, SnapshotEvent } from './events.js'

export type { DecisionInput, EngineInput, SendInput } from './engine-inputs.js'

/** A row without its place in the log: that is the host's to give. */
export type NewChunk = (
  | ChunkBody
  /** A call that its turn did not wait for. */
  | { readonly role: 'tool'; readonly type: 'tool_interrupted'; readonly data: unknown }
) &
  Omit<Chunk, 'seq' | 'role' | 'type' | 'data'>

/** What the host has to do, by `type`, in the order in which it comes. */
export type EngineEffect =
  /** Ask the model now; its context is the transcript of all chunks handed over so far, written or not. */
  | { readonly type: 'request'; readonly turnId: string; readonly executionId: string; readonly step: number; readonly model?: string }
  /** A steer waits: no further step will be asked for. */
  | { readonly type: 'yield'; readonly executionId: string }
  /** The answer of the model is no longer wanted. */
  | { readonly type: 'cancel-request'; readonly executionId: string }
  /** Run a tool. */
  | {
      readonly type: 'run-tool'
      readonly turnId: string
      readonly executionId: string
      readonly callId: string
      readonly name: string
      readonly arguments: unknown
    }
  /** The answer of a tool is no longer wanted. */
  | { readonly type: 'cancel-tool'; readonly turnId: string; readonly executionId: string; readonly callId: string }
  /**
   * Write rows durably, in this order; `from` is the place of the first one in its turn. A failure is told by
   * `persist-failed`; after one, no row of the turn is written until its `seal`, which brings them again.
   * `seal` ends the turn's rows and is answered by `persisted`, with all rows of the turn. Under `lateOutput: 'replace'`
   * one more may follow.
   */
  | { readonly type: 'append' | 'seal'; readonly turnId: string; readonly from: number; readonly chunks: readonly NewChunk[] }
  /** Tell all clients. */
  | { readonly type: 'publish'; readonly event: KnownEvent }
  /** Give `timer-fired` after that time. */
  | {
      readonly type: 'start-timer'
      readonly timer: number
      readonly ms: number
      readonly why: 'seal-backoff' | 'approval' | 'idle'
    }
  /** That timer is no longer wanted. */
  | { readonly type: 'cancel-timer'; readonly timer: number }
  /** Answer the one who asked. */
  | {
      readonly type: 'answer'
      readonly to: EngineInput['type']
      readonly status: 'ok' | 'queued' | 'returned' | 'stale' | 'refused'
      readonly clientId?: string
      readonly messageId?: string
      readonly callId?: string
      readonly turnId?: string
      readonly n: number
    }
  /** Something that a developer should know; the input changed nothing more. */
  | {
      readonly type: 'diagnostic'
      readonly code: string
      readonly turnId?: string
      readonly field?: string
      readonly detail: string
    }

/** Where products differ. What is absent is as the first word of each line. */
export interface EnginePolicy {
  /** What a message does while an approval is open. */
  readonly onApproval?: 'queue' | 'supersede'
  /** When the next turn may start. */
  readonly gate?: 'ended' | 'sealed'
  /** How a steer reaches the running turn. */
  readonly steer?: 'yield' | 'inject' | 'queue'
  /** What a steer does that came after the turn was aborted or had failed. */
  readonly lateSteer?: 'return' | 'drop' | 'start'
  /** What a tool's result does that comes after the end of its turn, until that is sealed. */
  readonly lateOutput?: 'discard' | 'display' | 'replace'
  /** What happens to the queue when the user stops a turn. */
  readonly onStop?: 'hold' | 'drop' | 'run'
  /** What happens to the queue when a turn fails. */
  readonly onError?: 'hold' | 'drop' | 'run'
  /** What a denial does. */
  readonly onDeny?: 'continue' | 'end'
  /** How a turn ends of whose executions some were aborted and none failed. After a stop: as aborted. */
  readonly mixed?: 'done' | 'aborted'
  /** What becomes of a running turn that nobody watches any more, by the input `watchers`. */
  readonly background?: 'continue' | 'abort'
  /** How many queued messages one turn takes. */
  readonly batch?: 'one' | 'alike'
  /** After so many failed tool calls in a row an execution gives up: 6; 0: never. */
  readonly toolFailuresMax?: number
  /** An approval that nobody decides expires after that time; absent: never. */
  readonly approvalTimeoutMs?: number
  /** A model that says nothing for that time is given up; absent: never. */
  readonly idleTimeoutMs?: number
  /** How long the first failed write waits: 500. It doubles. */
  readonly backoffMsMin?: number
  /** How long a failed write waits at most: 30,000. */
  readonly backoffMsMax?: number
}

/** What a host keeps beside the log, as `meta` gave it. Plain JSON. */
export interface EngineMeta {
  /** How many turns were ever started. */
  readonly started: number
  /** The number of the last event. */
  readonly n: number
  /** The number of the last change of the queue. */
  readonly version: number
  /** The turns that are not sealed: how they ended, and their rows that the log may lack. */
  readonly open: readonly {
    readonly turnId: string
    readonly outcome?: Outcome
    readonly rows: readonly { readonly at: number; readonly row: Readonly<Record<string, unknown>> }[]
  }[]
  /** The queue, in order. */
  readonly queue: readonly Omit<SendInput, 'type'>[]
  /** The messages that were answered, oldest first. */
  readonly answered: readonly Readonly<Record<string, unknown>>[]
}

/** What an engine is made with. */
export interface EngineOptions {
  /** Who answers a message that names no models, one execution each; absent: one, unnamed. */
  readonly models?: readonly string[]
  /** Where products differ. */
  readonly policy?: EnginePolicy
  /** What was kept of each thread before a restart: open turns are sealed as aborted, queues are held. */
  readonly restore?: Readonly<Record<string, { readonly chunks: readonly Chunk[]; readonly meta?: EngineMeta }>>
}

/**
 * The authority over the turns of all threads of one server. All methods work detached.
 *
 * A host gives it what happened, and carries out what comes back; the README has a whole one.
 *
 * @example
 * ```js
 * const put = input => engine.apply('main', input).forEach(carry)
 * put({ type: 'send', messageId: 'm1', clientId: 'k1', text: '2+2?' }) // publish, append, request, answer
 * put({ type: 'tool-call', executionId: 'main:1.1', callId: 'c1', name: 'add', arguments: [2, 2], approval: true })
 * put({ type: 'step-end', executionId: 'main:1.1' }) // The response is over: the turn waits for a person.
 * put({ type: 'send', messageId: 'm2', text: 'Is it prime?', intent: 'steer' }) // It waits for the end of this step.
 * put({ type: 'approve', callId: 'c1' }) // publish, answer, run-tool
 * put({ type: 'tool-result', turnId: 'main:1', callId: 'c1', result: 4 }) // The turn ends, the steer's turn begins.
 * put({ type: 'stop' }) // At once: cancel-request, publish, seal.
 * ```
 */
export interface Engine {
  /** What the restart led to, a thread at a time: to be carried out before any input. */
  readonly restored: readonly { readonly threadId?: string; readonly effects: readonly EngineEffect[] }[]
  /** Takes one input of a thread and gives what the host has to do, in this order. A bad input is a `diagnostic`. */
  apply(this: void, threadId: string, input: EngineInput): readonly EngineEffect[]
  /** The whole live state of a thread. Reading it changes nothing. */
  snapshot(this: void, threadId: string): SnapshotEvent
  /**
   * What to keep beside the log for `restore`. Keep it together with what the last input wrote, before anything of it is
   * published; tell a write that failed first.
   */
  meta(this: void, threadId: string): EngineMeta
  /** Gives the memory back. Every later call throws, but for `free`. */
  free(this: void): void
}

/** Whose order and shape messages have. */
export type Vendor = 'anthropic' | 'openai-chat' | 'openai-responses' | 'neutral'

/** For whom to project. */
export interface TranscriptOptions {
  /** Whose form. */
  readonly vendor: Vendor
  /** The execution that will ask: of its turn only its own rows are told. */
  readonly executionId?: string
}

/** A thread as a model is told it. */
export interface Transcript {
  /** The messages, in the vendor's shape. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  /** What stands in `messages` and not in the log. */
  readonly fillers: readonly {
    readonly message: number
    readonly callId: string
    readonly wireId: string
    readonly cause: 'stopped' | 'denied' | 'superseded' | 'timed-out' | 'restarted' | 'no-call'
    readonly started: boolean
  }[]
  /** What `check` says about `messages`, and which chunks could not be read; empty unless a rule is broken. */
  readonly problems: readonly string[]
}
