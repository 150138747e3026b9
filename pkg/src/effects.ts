import type { Intent, Part } from './view.js'

/** A message that is not known to have arrived. */
export interface PendingSend {
  /** The client's name for it: the same id is the same message. */
  readonly clientId: string
  /** Its plain words. */
  readonly text?: string
  /** Its parts, where it is more than one text. */
  readonly parts?: readonly Part[]
  /** What it is meant for. */
  readonly intent: Intent
}

/** A wish of the store that wants an answer: `{type: 'effect-result', id, ...}`. */
export type Request = { readonly id: number; readonly threadId: string } & (
  /** Load a page: the newest, or those before or after a seq. */
  | { readonly type: 'load-chunks'; readonly limit: number; readonly before?: number; readonly after?: number }
  /** Send a message. */
  | ({ readonly type: 'send' } & PendingSend)
  /** End a turn. */
  | { readonly type: 'stop'; readonly turnId?: string }
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
  /** Tell how a call was decided. */
  | {
      readonly type: 'resolve-approval'
      readonly callId: string
      readonly turnId?: string
      readonly decision: 'approved' | 'denied'
      readonly reason?: string
    }
  /** Give the whole live state, since events behind `after` are missing. */
  | { readonly type: 'resync'; readonly after: number }
)

/** A wish of the store without an answer. */
export type Order =
  /** Send `{type: 'timer-fired', timer}` after `ms`, give or take a quarter. */
  | {
      readonly type: 'start-timer'
      readonly timer: number
      readonly threadId: string
      readonly ms: number
      readonly why: string
    }
  /** That timer is no longer wanted. */
  | { readonly type: 'cancel-timer'; readonly timer: number }
  /** The pending sends of a thread, whole. Empty: remove what was kept. */
  | { readonly type: 'persist'; readonly threadId: string; readonly sends: readonly PendingSend[] }
  /** The answer to that request is no longer wanted. */
  | { readonly type: 'cancel'; readonly id: number }

/** What the store wants from its host; `takeEffects` gives them raw. */
export type Effect = Request | Order
