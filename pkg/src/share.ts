/**
 * Values of JSON that keep their identity where nothing changed.
 *
 * `next` must be fresh: it is not shared with anyone yet, so parts of it may be put in place.
 */
export function share<T>(old: unknown, next: T): T
export function share(old: unknown, next: unknown): unknown {
  if (old === next || !isTree(old) || !isTree(next)) return next
  if (Array.isArray(next)) return Array.isArray(old) ? shareList(old, next) : next
  return Array.isArray(old) ? next : shareFields(old, next)
}

function shareList(old: readonly unknown[], next: unknown[]): unknown {
  let same = old.length === next.length
  const common = Math.min(old.length, next.length)
  for (let index = 0; index < common; index++) {
    const value = share(old[index], next[index])
    next[index] = value
    same &&= value === old[index]
  }
  return same ? old : next
}

function shareFields(old: Tree, next: Tree): unknown {
  const keys = Object.keys(next)
  let same = keys.length === Object.keys(old).length
  for (const key of keys) {
    // Not by `key in old`: a field may be called `__proto__` or `constructor`.
    if (!Object.hasOwn(old, key)) {
      same = false
      continue
    }
    const value = share(old[key], next[key])
    // A field of that name is there already, so this sets no prototype.
    next[key] = value
    same &&= value === old[key]
  }
  return same ? old : next
}

/** Like `share` for a list whose items are named by a field: an item that moved keeps its identity. */
export function shareByName<T extends object>(old: readonly T[], next: T[], name: keyof T): readonly T[] {
  if (old.length === 0) return next.length === 0 ? old : next
  const known = new Map(old.map(item => [item[name], item]))
  const mixed = next.map(item => share(known.get(item[name]), item))
  return mixed.length === old.length && mixed.every((item, index) => item === old[index]) ? old : mixed
}

interface Tree {
  [key: string]: unknown
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}

/** True where results shall be frozen. Bundlers put the words in place; where there is no `process`, nothing is. */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}

/** Freezes a value of JSON to its leaves. What is frozen already is left alone, so the cost goes with what is new. */
export function freeze<T>(value: T): T {
  if (isTree(value) && !Object.isFrozen(value)) {
    for (const key of Object.keys(value)) freeze(value[key])
    Object.freeze(value)
  }
  return value
}

/** True where all fields are the same. */
export function hasSameFields(old: object, next: object): boolean {
  const fields = Object.entries(next)
  return fields.length === Object.keys(old).length && fields.every(([name, value]) => Reflect.get(old, name) === value)
}
