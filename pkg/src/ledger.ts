import type { Effect, Order, Request } from './effects.js'
import { keyOf, numberOf } from './journal.js'

/**
 * Numbers effects for the host, so that a number stays good when a new core counts anew.
 *
 * Owns which host number stands for which number of the core.
 */
export interface Ledger {
  /** The effect with the host's number; nothing for one that ends what is already over. */
  out(effect: Effect): Effect | undefined
  /** Ends a request or timer: its number in the core, and what was asked. */
  end(kind: 'request' | 'timer', id: number): { readonly id: number; readonly asked: string } | undefined
  /** A new core waits for `open`: what the host has to begin, and what it may give up. */
  rebuilt(open: readonly Effect[]): readonly Effect[]
  /** True while no request is on its way. */
  isQuiet(): boolean
  /** The messages that are on their way. */
  sending(): readonly { readonly threadId: string; readonly clientId: string }[]
}

interface Line {
  core: number
  readonly asked: string
  readonly effect: Effect
}

/** A ledger without lines. */
export function createLedger(): Ledger {
  const requests = new Map<number, Line>()
  const timers = new Map<number, Line>()
  let last = 0

  const hostOf = (lines: ReadonlyMap<number, Line>, core: number): number | undefined => {
    for (const [host, line] of lines) if (line.core === core) return host
    return undefined
  }
  const out = (effect: Effect): Effect | undefined => {
    switch (effect.type) {
      case 'persist':
        return effect
      case 'cancel': {
        const id = hostOf(requests, effect.id)
        if (id === undefined) return undefined
        requests.delete(id)
        return { type: 'cancel', id }
      }
      case 'cancel-timer': {
        const timer = hostOf(timers, effect.timer)
        if (timer === undefined) return undefined
        timers.delete(timer)
        return { type: 'cancel-timer', timer }
      }
      case 'start-timer':
        last += 1
        timers.set(last, { core: effect.timer, asked: keyOf(effect), effect })
        return { ...effect, timer: last }
      default:
        last += 1
        requests.set(last, { core: effect.id, asked: keyOf(effect), effect })
        return { ...effect, id: last }
    }
  }
  /** Lines whose question is open in the new core get its number; the others go. */
  const move = (lines: Map<number, Line>, open: Map<number, string>, gone: (host: number) => Order): Order[] => {
    const orders: Order[] = []
    for (const [host, line] of [...lines]) {
      const core = numberOf(open, line.asked, line.core)
      if (core === undefined) {
        lines.delete(host)
        orders.push(gone(host))
      } else {
        line.core = core
        open.delete(core)
      }
    }
    return orders
  }

  return {
    out,
    end: (kind, id) => {
      const lines = kind === 'request' ? requests : timers
      const line = lines.get(id)
      if (line === undefined) return undefined
      lines.delete(id)
      return { id: line.core, asked: line.asked }
    },
    rebuilt: open => {
      const asked = new Map(open.filter(isRequest).map(effect => [effect.id, keyOf(effect)]))
      const running = new Map(open.flatMap(effect => (effect.type === 'start-timer' ? [[effect.timer, keyOf(effect)]] : [])))
      const orders = [
        ...move(requests, asked, id => ({ type: 'cancel', id })),
        ...move(timers, running, timer => ({ type: 'cancel-timer', timer })),
      ]
      const begin = open.filter(effect =>
        effect.type === 'start-timer' ? running.has(effect.timer) : isRequest(effect) && asked.has(effect.id),
      )
      return [...orders, ...begin.flatMap(effect => out(effect) ?? [])]
    },
    isQuiet: () => requests.size === 0,
    sending: () =>
      [...requests.values()].flatMap(({ effect }) =>
        effect.type === 'send' ? [{ threadId: effect.threadId, clientId: effect.clientId }] : [],
      ),
  }
}

/** True for an effect that wants an answer. */
export function isRequest(effect: Effect): effect is Request {
  switch (effect.type) {
    case 'start-timer':
    case 'cancel-timer':
    case 'persist':
    case 'cancel':
      return false
    default:
      return true
  }
}
