/** True for the same value, and for two lists or plain objects that hold the same values, one level down. */
export function isAlike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every(name => Object.hasOwn(b, name) && Object.is(Reflect.get(a, name), Reflect.get(b, name)))
  )
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const base: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || base === null || base === Object.prototype
}
