import { toJson } from './json.js'
import type { Outcome } from './transport.js'

/** What came of a request, as the rest of its answer's JSON. */
export function outcomeText(outcome: Outcome): string {
  if (!outcome.ok) return `,${JSON.stringify(outcome).slice(1)}`
  const value = toJson(outcome.value)
  if (value !== undefined) return `,"ok":true,"value":${value}}`
  // No answer at all is one where none is wanted; what has no JSON text is not.
  if (outcome.value === undefined) return ',"ok":true}'
  return ',"ok":false,"error":"the answer has no JSON text","code":"failed"}'
}

/** The type of a foreign event. */
export function typeOf(event: object): unknown {
  try {
    return Reflect.get(event, 'type')
  } catch {
    return undefined
  }
}

/** True for bytes. */
export function isBytes(value: unknown): value is Uint8Array {
  try {
    return value instanceof Uint8Array
  } catch {
    return false
  }
}

/** The items of a foreign array, or `undefined`. */
export function itemsOf(events: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(events) ? events.slice() : undefined
  } catch {
    return undefined
  }
}

/** An error of somebody else's code goes where uncaught ones go, without ending this call. */
export function complain(thrown: unknown): void {
  if (typeof reportError === 'function') reportError(thrown)
  else console.error(thrown)
}
