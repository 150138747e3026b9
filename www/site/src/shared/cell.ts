// A value that views listen to: the same shape for React's useSyncExternalStore and Svelte's createSubscriber.

/** A value with listeners. */
export interface Cell<T> {
  /** What it is now: the same object until it changes. */
  get(this: void): T
  /** Changes it and tells everybody, unless it is the same. */
  set(this: void, value: T): void
  /** Hears of changes until the answer is called. */
  subscribe(this: void, listener: () => void): () => void
}

/** A cell. */
export function cell<T>(first: T): Cell<T> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set: next => {
      if (Object.is(value, next)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
