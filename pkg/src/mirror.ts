import type { CoreHead, Later, Op, Patch } from './abi.js'
import type { Group, QueueEntry, ThreadSnapshot } from './view.js'
import { type Block, Delayed, type Rows, rows } from './list.js'
import { createQueueEntries, grown } from './grow.js'
import { freeze, hasSameFields, share, shareByName } from './share.js'
import { type TouchedKeys, createTouched } from './touched.js'

/** The view of one thread as immutable values; what did not change keeps its identity. */
export interface Mirror {
  /** Brings the view up to date. `later` gives the blocks that the patch leaves to be drawn later. */
  apply(patch: Patch, later: () => Later | undefined): void
  /** Appends to a string of one part. */
  grow(index: number, part: number, field: number, text: string): void
  /** The thread has another name. */
  rename(id: string): void
  /** Starts over, as a new core does. Groups that come back equal keep their identity. */
  restart(): void
  /** Takes over what is not drawn yet: the memory of its core goes. */
  free(): void
  /** Which groups may have changed. */
  readonly touched: TouchedKeys
  /** The thread's name. */
  id(): string
  /** All of it: the same object until something changed. */
  snapshot(): ThreadSnapshot
  /** What to draw: the same array until something changed. */
  groups(): readonly Group[]
  /** One group. */
  group(key: string): Group | undefined
  /** The keys in order: the same array until a group came, went or moved. */
  keys(): readonly string[]
}

const nothing: CoreHead = freeze({
  status: 'idle',
  held: false,
  approvals: [],
  hasOlder: false,
  loadingOlder: false,
  connection: 'online',
  meta: {},
} as const)

/** The view of an empty thread. */
export function createMirror(name: string, isFrozen: boolean): Mirror {
  const keep = isFrozen ? freeze : <T>(value: T) => value
  let id = name
  let head = nothing
  let list: Rows<Group> = rows(isFrozen)
  // Those of the groups that the server keeps for later.
  let queue: Rows<QueueEntry> = rows(isFrozen)
  const entryOf = createQueueEntries(keep)
  // Blocks that were not drawn when they came, by who draws them.
  let delayed: { readonly later: Later; readonly blocks: readonly Block<Group>[] }[] = []
  // Holds the groups that went, too, while a patch runs: they may come back elsewhere.
  const byKey = new Map<string, Group>()
  const gone = new Map<string, Group>()
  const touched = createTouched()
  let shown: ThreadSnapshot | undefined
  let keys: readonly string[] | undefined
  let oldKeys: readonly string[] = []

  const put = (index: number, group: Group) => {
    if (group === list.get(index)) return
    const kept = keep(group)
    list.set(index, kept)
    byKey.set(kept.key, kept)
    touched.add(kept.key)
    shown = undefined
  }
  /** Rows go. What nobody has read has no identity to keep. */
  const leave = (index: number, removed: number) => {
    for (let at = index; at < index + removed; at++) {
      const row = list.raw(at)
      if (row === undefined) continue
      if (row instanceof Delayed) {
        row.block.isCurrent = false
        touched.all()
      } else {
        gone.set(row.key, row)
        touched.add(row.key)
      }
    }
  }
  /** `at`: where these groups are those of the queue, the place of the first in it. */
  const splice = (index: number, removed: number, groups: readonly Group[], at?: number) => {
    leave(index, removed)
    const added = groups.map(next => {
      const group = keep(share(byKey.get(next.key), next))
      gone.delete(group.key)
      byKey.set(group.key, group)
      touched.add(group.key)
      return group
    })
    // A fold into equal groups is no change at all.
    if (removed === added.length && added.every((group, at) => group === list.raw(index + at))) return
    list.splice(index, removed, added)
    if (at !== undefined) queue.splice(at, removed, added.map(entryOf))
    keys = undefined
    shown = undefined
  }
  /** A splice of groups that are drawn once they are read. */
  const delay = (index: number, removed: number, first: number, counts: readonly number[], later: Later) => {
    leave(index, removed)
    // Groups that were read may come back here, and have to be the same ones.
    if (gone.size > 0) return splice(index, removed, counts.flatMap((_, at): Group[] => JSON.parse(later.draw(first + at))))
    touched.all()
    const blocks = counts.map((_, at) => {
      const block: Block<Group> = {
        isCurrent: true,
        rows: undefined,
        text: undefined,
        read: () => later.draw(first + at),
        draw: () => {
          const drawn: Group[] = JSON.parse(block.text ?? block.read())
          block.text = undefined
          for (const group of drawn) {
            keep(group)
            if (block.isCurrent) byKey.set(group.key, group)
          }
          return drawn
        },
      }
      return block
    })
    delayed = [...delayed.filter(one => one.blocks.some(block => block.rows === undefined)), { later, blocks }]
    list.splice(index, removed, blocks.flatMap((block, at) => Array.from({ length: counts[at] ?? 0 }, (_, row) => new Delayed(block, row))))
    keys = undefined
    shown = undefined
  }
  const run = (op: Op, later: () => Later | undefined) => {
    switch (op[0]) {
      case 0:
        return splice(op[1], op[2], op[3], op[4])
      case 1: {
        const group = list.get(op[1])
        if (group === undefined) return
        const part = share(group.parts[op[2]], op[3])
        if (part === group.parts[op[2]]) return
        const parts = group.parts.slice()
        parts[op[2]] = part
        return put(op[1], { ...group, parts })
      }
      case 2:
        return grow(op[1], op[2], op[3], op[4])
      case 3: {
        const group = list.get(op[1])
        if (group === undefined) return
        const next = { key: group.key, ...op[2], parts: group.parts }
        return put(op[1], share(group, next))
      }
      case 4: // The store renames: it knows all threads.
        return op[2] === 1 ? restart() : undefined
      case 5: {
        const blocks = later()
        return blocks === undefined ? undefined : delay(op[1], op[2], op[3], op[4], blocks)
      }
      default:
        return never(op)
    }
  }
  const grow = (index: number, at: number, field: number, text: string) => {
    const group = list.get(index)
    const part = group?.parts[at]
    if (group === undefined || part === undefined) return
    const parts = group.parts.slice()
    parts[at] = grown(part, field, text)
    put(index, { ...group, parts })
  }
  const restart = () => {
    leave(0, list.length())
    list = rows(isFrozen)
    queue = rows(isFrozen)
    shown = undefined
    keys = undefined
  }

  return {
    apply: (patch, later) => {
      let blocks: Later | undefined
      for (const op of patch.ops) run(op, () => (blocks ??= later()))
      for (const [key, group] of gone) if (byKey.get(key) === group) byKey.delete(key)
      gone.clear()
      if (patch.head !== undefined) {
        const approvals = shareByName(head.approvals, patch.head.approvals, 'callId')
        const next = { ...patch.head, approvals, meta: share(head.meta, patch.head.meta) }
        if (!hasSameFields(head, next)) {
          shown = undefined
          head = keep(next)
        }
      }
    },
    grow,
    rename: next => {
      id = next
      touched.all()
      shown = undefined
    },
    restart,
    free: () => {
      const all = delayed
      delayed = []
      for (const { blocks } of all) for (const block of blocks) if (block.rows === undefined) block.text = block.read()
      for (const later of new Set(all.map(one => one.later))) later.free()
    },
    touched,
    id: () => id,
    snapshot: () => {
      if (shown === undefined) {
        const { status, turnId, ...rest } = head
        shown = { id, groups: list.view(), status, ...(turnId === undefined ? {} : { turnId }), queue: queue.view(), ...rest }
        if (isFrozen) Object.freeze(shown)
      }
      return shown
    },
    groups: () => list.view(),
    group: key => byKey.get(key) ?? (list.settle() ? byKey.get(key) : undefined),
    keys: () => {
      if (keys === undefined) {
        const next = list.view().map(group => group.key)
        const same = next.length === oldKeys.length && next.every((key, index) => key === oldKeys[index])
        keys = same ? oldKeys : keep(next)
        oldKeys = keys
      }
      return keys
    },
  }
}

function never(op: never): never {
  throw new Error(`no such op: ${String(op)}`)
}
