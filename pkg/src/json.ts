/** The JSON text of a foreign value, or `undefined` for what has none: cycles, BigInt, functions, throwing getters. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** The value of a text, or `undefined`. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True for an object with fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SURROGATE = /[\uD800-\uDFFF]/

/** True where no half of a surrogate pair stands alone; a pair counts as one where the host cannot tell. */
export function isWhole(text: string): boolean {
  const test: unknown = Reflect.get(String.prototype, 'isWellFormed')
  return typeof test === 'function' ? Reflect.apply(test, text, []) === true : !SURROGATE.test(text)
}
