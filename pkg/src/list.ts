/** Rows that are drawn together, once one of them is read. */
export interface Block<T> {
  /** False once they are no longer part of the list. */
  isCurrent: boolean
  /** They, once they are drawn. */
  rows: readonly T[] | undefined
  /** What they are drawn from, once it is taken out of the core's memory. */
  text: string | undefined
  /** Gives that text. */
  readonly read: () => string
  /** Draws them. */
  readonly draw: () => readonly T[]
}

/** A row that is not drawn yet. Whoever reads it gets the row itself. */
export class Delayed<T> {
  /** It, among others. */
  readonly block: Block<T>
  /** Its place among them. */
  readonly at: number
  constructor(block: Block<T>, at: number) {
    this.block = block
    this.at = at
  }
}

type Row<T> = T | Delayed<T>

function real<T>(row: Row<T> | undefined): T | undefined {
  if (!(row instanceof Delayed)) return row
  const { block } = row
  block.rows ??= block.draw()
  return block.rows[row.at]
}

function isDrawn<T>(rows: Row<T>[]): rows is T[] {
  return !rows.some(row => row instanceof Delayed)
}

function reals<T>(rows: readonly Row<T>[]): T[] {
  const out: T[] = []
  for (const row of rows) {
    const drawn = real(row)
    if (drawn !== undefined) out.push(drawn)
  }
  return out
}

/** Rows in order, changed in place by one writer; `view` gives an immutable array. */
export interface Rows<T> {
  /** How many. */
  length(): number
  /** The row at an index. */
  get(index: number): T | undefined
  /** The row at an index, drawn or not. */
  raw(index: number): Row<T> | undefined
  /** All rows, drawn or not. */
  all(): readonly Row<T>[]
  /** Draws what is not drawn yet. False: nothing was left to draw. */
  settle(): boolean
  /** Puts another row at an index. */
  set(index: number, row: T): void
  /** Removes and inserts. */
  splice(index: number, removed: number, added: readonly Row<T>[]): void
  /** What stands now, as an array that never changes. The same one until the next change. */
  view(): readonly T[]
}

/** Up to so many rows a plain array is copied for a change; beyond, a list of leaves. */
const PLAIN_MAX = 512
/** Below so many rows a list of leaves becomes plain again. */
const PLAIN_AGAIN = 256
/** Rows in a leaf. A new leaf is filled to three quarters, so that it may grow. */
const LEAF_MAX = 256
const LEAF_NEW = 192

/** An empty list that changes its inner form with its size. */
export function rows<T>(isFrozen: boolean): Rows<T> {
  let inner: Rows<T> = plainRows([], isFrozen)
  let isPlain = true
  let isDelayed = false
  return {
    length: () => inner.length(),
    get: index => inner.get(index),
    raw: index => inner.raw(index),
    all: () => inner.all(),
    settle: () => {
      const had = isDelayed
      if (had) for (const row of inner.all()) real(row)
      isDelayed = false
      return had
    },
    set: (index, row) => inner.set(index, row),
    view: () => inner.view(),
    splice: (index, removed, added) => {
      isDelayed ||= added.some(row => row instanceof Delayed)
      inner.splice(index, removed, added)
      const length = inner.length()
      if (isPlain ? length > PLAIN_MAX : length < PLAIN_AGAIN) {
        const all = [...inner.all()]
        inner = isPlain ? leafRows(all) : plainRows(all, isFrozen)
        isPlain = !isPlain
      }
    },
  }
}

function plainRows<T>(start: Row<T>[], isFrozen: boolean): Rows<T> {
  let array = start
  // The array, once it is shown.
  let shown: readonly T[] | undefined
  const own = () => {
    if (shown !== undefined) array = array.slice()
    shown = undefined
    return array
  }
  return {
    length: () => array.length,
    get: index => real(array[index]),
    raw: index => array[index],
    all: () => array,
    settle: () => false,
    set: (index, row) => {
      if (index >= 0 && index < array.length) own()[index] = row
    },
    splice: (index, removed, added) => {
      own().splice(index, removed, ...added)
    },
    view: () => {
      if (shown === undefined) {
        const drawn = isDrawn(array) ? array : reals(array)
        if (isFrozen) Object.freeze(drawn)
        array = drawn
        shown = drawn
      }
      return shown
    },
  }
}

/** What a view of leaves is made of; never changed once it is shown. */
interface Root<T> {
  readonly leaves: Row<T>[][]
  /** Index of the first row of each leaf, and at the end the length. */
  readonly starts: number[]
  /** All rows as one array, once somebody wanted them. */
  flat: readonly T[] | undefined
}

function leafRows<T>(all: readonly Row<T>[]): Rows<T> {
  let leaves = cut(all)
  let starts = startsOf(leaves)
  // Leaves made since the last view may be changed in place.
  let fresh = new Set<Row<T>[]>(leaves)
  let shown: readonly T[] | undefined
  let isRootShown = false
  const change = () => {
    if (isRootShown) leaves = leaves.slice()
    isRootShown = false
    shown = undefined
  }
  const length = () => starts[starts.length - 1] ?? 0
  return {
    length,
    get: index => real(rowAt(leaves, starts, index)),
    raw: index => rowAt(leaves, starts, index),
    all: () => leaves.flat(),
    settle: () => false,
    set: (index, row) => {
      if (!(index >= 0 && index < length())) return
      change()
      const at = leafOf(starts, index)
      let leaf = leaves[at] ?? []
      if (!fresh.has(leaf)) {
        leaf = leaf.slice()
        fresh.add(leaf)
        leaves[at] = leaf
      }
      leaf[index - (starts[at] ?? 0)] = row
    },
    splice: (index, removed, added) => {
      change()
      const from = Math.min(Math.max(index, 0), length())
      const to = Math.min(from + Math.max(removed, 0), length())
      const [first, last] = [leafOf(starts, from), leafOf(starts, Math.max(to - 1, from))]
      // Mostly one leaf, which stays as long as leaves may be; where nobody has seen it, it is changed in place.
      const touched = leaves.slice(first, last + 1)
      const [own = []] = touched.length === 1 && touched.every(leaf => fresh.has(leaf)) ? touched : [touched.flat()]
      own.splice(from - (starts[first] ?? 0), to - from, ...added)
      const made = own.length > 0 && own.length <= LEAF_MAX ? [own] : cut(own)
      for (const leaf of made) fresh.add(leaf)
      leaves.splice(first, touched.length, ...made)
      if (leaves.length > 2 * (length() / LEAF_NEW) + 8) {
        for (const leaf of (leaves = cut(leaves.flat()))) fresh.add(leaf)
      }
      starts = startsOf(leaves)
    },
    view: () => {
      if (shown === undefined) {
        shown = leafView({ leaves, starts, flat: undefined })
        isRootShown = true
        fresh = new Set()
      }
      return shown
    },
  }
}

function cut<T>(all: readonly T[]): T[][] {
  if (all.length <= LEAF_MAX) return all.length === 0 ? [] : [all.slice()]
  const out: T[][] = []
  for (let index = 0; index < all.length; index += LEAF_NEW) out.push(all.slice(index, index + LEAF_NEW))
  return out
}

function startsOf<T>(leaves: readonly T[][]): number[] {
  const starts = [0]
  let length = 0
  for (const leaf of leaves) starts.push((length += leaf.length))
  return starts
}

/** The leaf that holds an index; the last one for an index at the end. */
function leafOf(starts: readonly number[], index: number): number {
  let low = 0
  let high = Math.max(starts.length - 2, 0)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return low
}

function rowAt<T>(leaves: readonly T[][], starts: readonly number[], index: number): T | undefined {
  const at = leafOf(starts, index)
  return leaves[at]?.[index - (starts[at] ?? 0)]
}

/** Slices up to this length are read row by row; longer ones, and whole-list methods, from one flat array. */
const SLICE_MAX = 2048

/**
 * Leaves, shown as an array: `Array.isArray`, indices, iteration, JSON and all methods work, and writes throw in strict
 * code. `length`, an index, `at` and short slices cost nothing; what walks the whole list makes one flat array for it,
 * once per version.
 */
function leafView<T>(root: Root<T>): readonly T[] {
  const target: T[] = []
  const length = root.starts[root.starts.length - 1] ?? 0
  const flat = () => (root.flat ??= Object.freeze(reals(root.leaves.flat())))
  const get = (index: number) => real(rowAt(root.leaves, root.starts, index))
  const own: Record<string, unknown> = {
    at: (index?: unknown) => {
      const whole = Math.trunc(Number(index)) || 0
      const from = whole < 0 ? length + whole : whole
      return from >= 0 && from < length ? get(from) : undefined
    },
    slice: (start?: number, end?: number) => {
      const from = clamp(start ?? 0, length)
      const to = clamp(end ?? length, length)
      return to - from > SLICE_MAX ? flat().slice(from, to) : Array.from({ length: Math.max(to - from, 0) }, (_, i) => get(from + i))
    },
  }
  // One function a name, so that reading a method twice gives the same one.
  const methods = new Map<PropertyKey, unknown>()
  const method = (name: PropertyKey, found: unknown): unknown => {
    if (typeof found !== 'function' || name === 'constructor') return found
    let made = methods.get(name)
    if (made === undefined) {
      made = (...args: unknown[]): unknown => Reflect.apply(found, flat(), args)
      methods.set(name, made)
    }
    return made
  }
  const isPlain = () => !Object.isExtensible(target)
  return new Proxy(target, {
    get: (_, name) => {
      if (name === 'length') return length
      const index = indexOf(name)
      if (index >= 0) return index < length ? get(index) : undefined
      return typeof name === 'string' && Object.hasOwn(own, name) ? own[name] : method(name, Reflect.get(target, name))
    },
    has: (_, name) => {
      const index = indexOf(name)
      return index >= 0 ? index < length : Reflect.has(target, name)
    },
    ownKeys: () => [...Array.from({ length }, (_, index) => String(index)), 'length'],
    getOwnPropertyDescriptor: (_, name) => {
      if (isPlain()) return Reflect.getOwnPropertyDescriptor(target, name)
      if (name === 'length') return { value: length, writable: true, enumerable: false, configurable: false }
      const index = indexOf(name)
      if (index < 0 || index >= length) return undefined
      return { value: get(index), writable: true, enumerable: true, configurable: true }
    },
    // `Object.freeze` asks for this, and then wants each property to be there: from here on the target holds the rows.
    preventExtensions: () => {
      if (!isPlain()) {
        for (const row of flat()) target.push(row)
        Object.freeze(target)
      }
      return true
    },
    // After a freeze all is frozen already, and saying so again is no write.
    defineProperty: (_, name, change) => isPlain() && Reflect.defineProperty(target, name, change),
    set: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
  })
}

/** The array index that a property name is; below 0: none. */
function indexOf(name: PropertyKey): number {
  if (typeof name !== 'string') return -1
  const index = Number(name)
  return Number.isInteger(index) && index >= 0 && index < 0xffffffff && String(index) === name ? index : -1
}

function clamp(index: number, length: number): number {
  const whole = Math.trunc(Number(index)) || 0
  return whole < 0 ? Math.max(length + whole, 0) : Math.min(whole, length)
}
