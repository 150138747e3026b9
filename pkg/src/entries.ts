import { type Entry, type EntryParts, createEntry, release, tell } from './entry.js'
import type { Machine } from './machine.js'
import type { Patch } from './abi.js'

/** The views of all threads, brought up to date on demand. */
export interface Entries {
  /** The entry of a thread, also by a name that it had before. */
  of(id: string): Entry
  /** Something changed that only a patch tells. */
  stale(): void
  /** Text for the hot slot. */
  grow(text: string): void
  /** The hot slot is another one, or none. */
  moved(): void
  /** Brings all views up to date. */
  fresh(): void
  /** Tells who listens. True: something had changed. */
  tell(): boolean
  /** The store gave a thread up. */
  forget(id: string): void
  /** A new core begins: all is told anew. */
  restart(): void
  /** Lets go those who wait for older rows that are not on their way; says how many. */
  release(): number
  /** Those who wait get an error, and the views let go of the core's memory. */
  free(error: unknown): void
  /** The threads that were opened. */
  opened(): readonly Entry[]
}

/** No views yet. `renamed` hears what a thread is called now. */
export function createEntries(
  machine: Machine,
  parts: EntryParts,
  renamed: (from: string, to: string) => void,
): Entries {
  const byName = new Map<string, Entry>()
  const touched = new Set<Entry>()
  const restarted = new Set<Entry>()
  let isStale = true
  // Text that the core has drawn already, for one part.
  let pending = ''
  let place: { readonly entry: Entry; readonly index: number; readonly part: number; readonly field: number } | 'nowhere' | undefined

  const of = (id: string): Entry => {
    const known = byName.get(id)
    if (known !== undefined) return known
    const name = machine.name(id)
    const entry = name === id ? createEntry(id, parts) : of(name)
    byName.set(id, entry)
    return entry
  }
  const flush = () => {
    if (pending === '' || place === undefined || place === 'nowhere') return
    place.entry.mirror.grow(place.index, place.part, place.field, pending)
    pending = ''
    touched.add(place.entry)
  }
  /** Names moved: each view follows its thread. Where two became one, the view of the moved one stands. */
  const rename = () => {
    for (const [id, entry] of [...byName]) {
      const from = entry.mirror.id()
      const to = machine.name(id)
      if (to === from) continue
      const other = byName.get(to)
      entry.mirror.rename(to)
      byName.set(to, entry)
      touched.add(entry)
      if (other !== undefined && other !== entry) {
        for (const one of [other, ...other.twins]) one.mirror = entry.mirror
        entry.twins.push(other, ...other.twins)
        entry.waiting.push(...other.waiting)
        other.waiting = []
      }
      renamed(from, to)
    }
  }
  const pull = (id: string) => {
    const text = machine.patch(id)
    if (text === '') return
    const patch: Patch = JSON.parse(text)
    if (patch.ops[0]?.[0] === 4) rename()
    const entry = of(id)
    entry.mirror.apply(patch, machine.later)
    restarted.delete(entry)
    touched.add(entry)
  }
  const fresh = () => {
    flush()
    // Patches are taken until none is left: where taking one breaks the core, the next one tells all anew.
    while (isStale) {
      isStale = false
      place = undefined
      for (const id of machine.changed()) pull(id)
      if (isStale) continue
      for (const entry of restarted) {
        entry.mirror.apply({ ops: [] }, machine.later)
        touched.add(entry)
      }
      restarted.clear()
    }
  }

  return {
    of,
    stale: () => {
      flush()
      isStale = true
    },
    grow: text => {
      if (place === undefined) {
        const found = machine.hotPlace()
        place = found === undefined ? 'nowhere' : { entry: of(found[0]), index: found[1], part: found[2], field: found[3] }
      }
      if (place !== 'nowhere') pending += text
    },
    moved: () => {
      flush()
      place = undefined
    },
    fresh,
    tell: () => {
      fresh()
      const batch = [...touched]
      touched.clear()
      return batch.reduce((isChanged, entry) => tell(entry) || isChanged, false)
    },
    forget: id => {
      const entry = byName.get(id)
      if (entry === undefined) return
      entry.mirror.restart()
      entry.mirror.apply({ ops: [] }, machine.later)
      touched.add(entry)
      if (entry.handle === undefined && entry.listeners.size() === 0) byName.delete(id)
    },
    restart: () => {
      pending = ''
      place = undefined
      isStale = true
      for (const entry of new Set(byName.values())) {
        entry.mirror.restart()
        restarted.add(entry)
      }
    },
    release: () => {
      fresh()
      let count = 0
      for (const entry of byName.values()) count += entry.waiting.length > 0 ? release(entry) : 0
      return count
    },
    free: error => {
      for (const entry of byName.values()) {
        for (const waiter of entry.waiting.splice(0)) waiter.fail(error)
        entry.mirror.free()
      }
    },
    opened: () => [...new Set(byName.values())].filter(entry => entry.handle !== undefined),
  }
}
