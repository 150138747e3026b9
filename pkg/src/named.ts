import { complain } from './given.js'
import { isRecord } from './json.js'
import type { ConnectOptions, Limits, StoreOptions } from './options.js'

/** The names that something may have. */
export type Names<T> = { readonly [name in keyof T]-?: true }

const STORE: Names<StoreOptions> = {
  transport: true,
  connect: true,
  storage: true,
  limits: true,
  schedule: true,
  onDiagnostic: true,
  from: true,
  timeoutMs: true,
  newClientId: true,
}
const CONNECT: Names<ConnectOptions> = { url: true, protocols: true, headers: true, fetch: true, WebSocket: true, storage: true, tabs: true, name: true }
const LIMITS: Names<Limits> = { window: true, page: true, threads: true }

/** Says of each name that means nothing that it does: what is misspelt would be passed over in silence. */
export function strangeNames<T>(what: string, given: unknown, names: Names<T>): readonly string[] {
  if (given === undefined) return []
  if (!isRecord(given)) return [`${what} is an object`]
  const unknown = Object.keys(given).filter(name => given[name] !== undefined && !Object.hasOwn(names, name))
  return unknown.map(name => `${what} has no ${name}; it has ${Object.keys(names).join(', ')}`)
}

/** The same of all that a store may be given. */
function strangeOptions(options: StoreOptions): readonly string[] {
  const schedule: unknown = options.schedule
  const isKnown = schedule === undefined || schedule === 'frame' || schedule === 'microtask' || schedule === 'sync'
  return [
    ...strangeNames('createStore: options', options, STORE),
    ...strangeNames('createStore: connect', options.connect, CONNECT),
    ...strangeNames('createStore: limits', options.limits, LIMITS),
    ...(isKnown ? [] : ['createStore: schedule is frame, microtask or sync']),
  ]
}

/** Tells of the options that a store does not have. */
export function tellStrange(options: StoreOptions): void {
  for (const detail of strangeOptions(options)) {
    // The name of the listener itself may be misspelt.
    if (options.onDiagnostic === undefined) console.warn(`turnseal: ${detail}`)
    try {
      options.onDiagnostic?.({ code: 'unknown-option', detail })
    } catch (thrown) {
      complain(thrown)
    }
  }
}
