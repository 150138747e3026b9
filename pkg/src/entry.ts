import type { Thread } from './api.js'
import { type Listeners, createListeners } from './listeners.js'
import { type Mirror, createMirror } from './mirror.js'
import type { Group, ThreadSnapshot } from './view.js'

/** What the facade holds of one thread. */
export interface Entry {
  /** Its view. Two entries share one where a rename made two threads one. */
  mirror: Mirror
  /** Entries of the names that became this one: their listeners hear, too. */
  twins: Entry[]
  /** The handle, once it was asked for. */
  handle: Thread | undefined
  /** Who hears of changes. */
  readonly listeners: Listeners<[ThreadSnapshot, ThreadSnapshot]>
  /** Who hears of one group, and what they saw of it last. */
  readonly groups: Map<string, { seen: Group | undefined; readonly listeners: Listeners<[]> }>
  /** What listeners heard last. */
  told: ThreadSnapshot
  /** The user reads older rows. */
  isScrolledUp: boolean
  /** Those who wait until no older page is on its way. */
  waiting: Waiter[]
}

/** Someone who waits for older rows. */
export interface Waiter {
  /** They are here, or will not come. */
  done(): void
  /** The store is gone. */
  fail(error: unknown): void
}

/** How entries reach the rest of the store. */
export interface EntryParts {
  /** Results are frozen. */
  readonly isFrozen: boolean
  /** Hears of each listener more or less. */
  count(more: 1 | -1): void
  /** Hears what a listener throws. */
  failed(thrown: unknown): void
}

/** The entry of an empty thread. */
export function createEntry(id: string, { isFrozen, count, failed }: EntryParts): Entry {
  const mirror = createMirror(id, isFrozen)
  return {
    mirror,
    twins: [],
    handle: undefined,
    listeners: createListeners(count, failed),
    groups: new Map(),
    told: mirror.snapshot(),
    isScrolledUp: false,
    waiting: [],
  }
}

/** Tells the listeners of a thread what changed since they were told last; false: nothing did. */
export function tell(entry: Entry): boolean {
  const now = entry.mirror.snapshot()
  const untold = [entry, ...entry.twins].filter(one => one.told !== now)
  if (untold.length === 0) return false
  const touched = entry.mirror.touched.take()
  for (const one of untold) {
    const before = one.told
    one.told = now
    const keys = touched === undefined || touched.length > one.groups.size ? one.groups.keys() : touched
    for (const key of keys) {
      const watch = one.groups.get(key)
      const group = watch && one.mirror.group(key)
      if (watch === undefined || group === watch.seen) continue
      watch.seen = group
      watch.listeners.tell()
    }
    one.listeners.tell(now, before)
  }
  return true
}

/** Lets go those who wait for older rows, where none is on its way. */
export function release(entry: Entry): number {
  if (entry.mirror.snapshot().loadingOlder) return 0
  const waiting = entry.waiting
  entry.waiting = []
  for (const waiter of waiting) waiter.done()
  return waiting.length
}
