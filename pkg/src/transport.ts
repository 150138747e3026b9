import type { Effect, Request } from './effects.js'
import type { FailureCode } from './events.js'
import { messageOf } from './errors.js'
import { isRecord } from './json.js'
import type { Diagnostic, Transport } from './options.js'
import type { Pending } from './storage.js'

/** What came of a request. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string; readonly code: FailureCode }

/** Carries effects out. */
export interface Carrier {
  /** Begins, or ends, what an effect says. */
  carry(effect: Effect): void
  /** Ends all; nothing is answered any more. */
  stop(): void
}

/** What a carrier is given. */
export interface CarrierParts {
  /** The way to the server. */
  readonly transport: Transport
  /** How long an answer may take. */
  readonly timeoutMs: number
  /** What outlives a reload. */
  readonly pending: Pending
  /** Takes what came of a request. */
  answer(id: number, outcome: Outcome): void
  /** Takes a timer that is due. */
  fired(timer: number): void
  /** Hears of what is missing. */
  report(diagnostic: Diagnostic): void
}

interface Flight {
  readonly abort: AbortController
  readonly timer: ReturnType<typeof setTimeout>
}

/** A carrier over a transport and timers. */
export function createCarrier({ transport, timeoutMs, pending, answer, fired, report }: CarrierParts): Carrier {
  const flights = new Map<number, Flight>()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()

  /** Takes a request off the air. False: it had left before, so this answer is late. */
  const land = (id: number): Flight | undefined => {
    const flight = flights.get(id)
    if (flight !== undefined) clearTimeout(flight.timer)
    flights.delete(id)
    return flight
  }
  const settle = (id: number, outcome: Outcome) => {
    if (land(id) !== undefined) answer(id, outcome)
  }
  const request = (effect: Request) => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      settle(effect.id, { ok: false, error: `no answer in ${timeoutMs} ms`, code: 'timeout' })
      abort.abort(new DOMException('the answer took too long', 'TimeoutError'))
    }, timeoutMs)
    flights.set(effect.id, { abort, timer })
    const fail = (thrown: unknown) => settle(effect.id, { ok: false, error: messageOf(thrown), code: codeOf(thrown) })
    let given: unknown
    try {
      given = call(transport, effect, abort.signal)
    } catch (thrown) {
      return fail(thrown)
    }
    if (given === absent) {
      const member = memberOf(effect)
      const error = `the transport has no ${member}`
      report({ code: 'unsupported', threadId: effect.threadId, detail: error })
      return settle(effect.id, { ok: false, error, code: 'unsupported' })
    }
    if (!isThenable(given)) return settle(effect.id, { ok: true, value: given })
    // A foreign thenable may do anything, also call back at once: a promise of ours tames it.
    Promise.resolve(given).then(value => settle(effect.id, { ok: true, value }), fail)
  }

  return {
    carry: effect => {
      switch (effect.type) {
        case 'persist':
          return pending.write(effect.threadId, effect.sends)
        case 'cancel':
          return land(effect.id)?.abort.abort(new DOMException('no longer wanted', 'AbortError'))
        case 'start-timer': {
          // A crowd of clients shall not come back in one beat.
          const ms = effect.ms * (0.75 + Math.random() / 2)
          const due = () => {
            timers.delete(effect.timer)
            fired(effect.timer)
          }
          timers.set(effect.timer, setTimeout(due, ms))
          return
        }
        case 'cancel-timer':
          clearTimeout(timers.get(effect.timer))
          timers.delete(effect.timer)
          return
        default:
          return request(effect)
      }
    },
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      for (const id of [...flights.keys()]) land(id)?.abort.abort(new DOMException('the store was freed', 'AbortError'))
    },
  }
}

const absent = Symbol('absent')

/** Calls the member for a request with its fields and nothing else. */
function call(transport: Transport, effect: Request, signal: AbortSignal): unknown {
  switch (effect.type) {
    case 'load-chunks': {
      const { id: _, type: __, ...query } = effect
      return transport.loadChunks ? transport.loadChunks(query, signal) : absent
    }
    case 'send': {
      const { id: _, type: __, ...message } = effect
      return transport.send ? transport.send(message, signal) : absent
    }
    case 'stop': {
      const { id: _, type: __, ...query } = effect
      return transport.stop ? transport.stop(query, signal) : absent
    }
    case 'cancel-queued': {
      const { id: _, type: __, ...query } = effect
      return transport.cancelQueued ? transport.cancelQueued(query, signal) : absent
    }
    case 'edit-queued': {
      const { id: _, type: __, ...query } = effect
      return transport.editQueued ? transport.editQueued(query, signal) : absent
    }
    case 'move-queued': {
      const { id: _, type: __, ...query } = effect
      return transport.moveQueued ? transport.moveQueued(query, signal) : absent
    }
    case 'send-now': {
      const { id: _, type: __, ...query } = effect
      return transport.sendNow ? transport.sendNow(query, signal) : absent
    }
    case 'resume-queue': {
      const { id: _, type: __, ...query } = effect
      return transport.resumeQueue ? transport.resumeQueue(query, signal) : absent
    }
    case 'resolve-approval': {
      const { id: _, type: __, ...query } = effect
      return transport.resolveApproval ? transport.resolveApproval(query, signal) : absent
    }
    case 'resync': {
      const { id: _, type: __, ...query } = effect
      return transport.resync ? transport.resync(query, signal) : absent
    }
    default: {
      const unknown: never = effect
      return unknown
    }
  }
}

/** `load-chunks` is `loadChunks` in the transport. */
function memberOf(effect: Request): string {
  return effect.type.replace(/-./g, dash => dash.slice(1).toUpperCase())
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  try {
    return typeof Reflect.get(value, 'then') === 'function'
  } catch {
    return false
  }
}

function codeOf(thrown: unknown): FailureCode {
  try {
    return isRecord(thrown) && thrown['name'] === 'AbortError' ? 'aborted' : 'failed'
  } catch {
    return 'failed'
  }
}
