import type { Store, Thread, Unsubscribe } from './api.js'
import { createListeners } from './listeners.js'
import type { ThreadSnapshot } from './view.js'

/** A store whose reads may be of another time than its writes. */
export interface Traveller {
  /** The store to give to a UI: what is fed to it goes into the live one. */
  readonly store: Store
  /** Shows another store in place of the live one; `undefined`: the live one again. The one shown before is freed. */
  show(past: Store | undefined): void
  /** Hears when the live store changed. */
  onLive(listener: () => void): Unsubscribe
  /** What is shown of each thread that was asked for. */
  states(): Readonly<Record<string, ThreadSnapshot>>
}

/** A traveller over a live store. */
export function createTraveller(live: Store): Traveller {
  let past: Store | undefined
  const threads = new Map<Thread, { readonly handle: Thread; tell(): void }>()
  const everyone = createListeners<[]>(() => {}, thrown => console.error(thrown))
  const shown = () => past ?? live

  const traveller = (id: string | undefined): Thread => {
    const real = live.thread(id)
    const known = threads.get(real)
    if (known !== undefined) return known.handle
    const made = createHandle(real, () => shown().thread(real.id))
    threads.set(real, made)
    return made.handle
  }
  live.subscribe(() => {
    if (past === undefined) everyone.tell()
  })

  return {
    store: {
      ...live,
      renderGroups: id => shown().renderGroups(id),
      explain: (id, key) => shown().explain(id, key),
      subscribe: everyone.add,
      thread: traveller,
      free: () => {
        past?.free()
        past = undefined
        live.free()
      },
      [Symbol.dispose]: () => {
        past?.free()
        live.free()
      },
    },
    show: next => {
      const before = past
      past = next
      for (const { tell } of threads.values()) tell()
      everyone.tell()
      before?.free()
    },
    onLive: listener => live.subscribe(listener),
    states: () => Object.fromEntries([...threads.values()].map(({ handle }) => [handle.id, handle.getSnapshot()])),
  }
}

/** A handle that reads from `shown`, and does everything else with the live thread. */
function createHandle(real: Thread, shown: () => Thread) {
  const listeners = createListeners<[ThreadSnapshot, ThreadSnapshot]>(() => {}, thrown => console.error(thrown))
  let told = real.getSnapshot()
  const tell = () => {
    const [now, before] = [shown().getSnapshot(), told]
    told = now
    if (now !== before) listeners.tell(now, before)
  }
  real.subscribe(tell)
  const handle: Thread = {
    ...real,
    // A getter: a rename gives the thread another id.
    get id() {
      return real.id
    },
    getSnapshot: () => shown().getSnapshot(),
    getState: () => shown().getSnapshot(),
    subscribe: listeners.add,
    subscribeGroup: (key, listener) => {
      let seen = shown().group(key)
      return listeners.add(() => {
        const now = shown().group(key)
        if (now === seen) return
        seen = now
        listener()
      })
    },
    group: key => shown().group(key),
    keys: () => shown().keys(),
    renderGroups: () => shown().renderGroups(),
  }
  return { handle, tell }
}
