import type { Unsubscribe } from './api.js'

/** Those who want to hear of something. */
export interface Listeners<A extends unknown[]> {
  /** One more; the same function twice hears twice. */
  add(listener: (...args: A) => void): Unsubscribe
  /** Tells all that are there now; who leaves meanwhile hears nothing more. One that throws keeps no other from hearing. */
  tell(...args: A): void
  /** How many. */
  size(): number
}

/** An empty list. `count` hears of each one more and less; `failed` of what a listener throws. */
export function createListeners<A extends unknown[]>(
  count: (more: 1 | -1) => void,
  failed: (thrown: unknown) => void,
): Listeners<A> {
  const entries = new Set<{ listener: (...args: A) => void }>()
  return {
    add: listener => {
      const entry = { listener }
      entries.add(entry)
      count(1)
      return () => {
        if (entries.delete(entry)) count(-1)
      }
    },
    tell: (...args) => {
      for (const entry of [...entries]) {
        if (!entries.has(entry)) continue
        try {
          entry.listener(...args)
        } catch (thrown) {
          failed(thrown)
        }
      }
    },
    size: () => entries.size,
  }
}
