import { TurnsealError } from './errors.js'
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

/** Throws for a name that means nothing: what is misspelt would be passed over in silence. */
export function checkNames<T>(what: string, given: unknown, names: Names<T>): void {
  if (given === undefined) return
  if (!isRecord(given)) throw new TurnsealError('bad-argument', `${what} is an object`)
  for (const name of Object.keys(given)) {
    if (given[name] !== undefined && !Object.hasOwn(names, name)) throw new TurnsealError('bad-argument', `${what} has no ${name}; it has ${Object.keys(names).join(', ')}`)
  }
}

/** Throws for options that a store does not have. */
export function checkOptions(options: StoreOptions | undefined): void {
  checkNames('createStore: options', options, STORE)
  checkNames('createStore: connect', options?.connect, CONNECT)
  checkNames('createStore: limits', options?.limits, LIMITS)
  const schedule: unknown = options?.schedule
  if (schedule !== undefined && schedule !== 'frame' && schedule !== 'microtask' && schedule !== 'sync') throw new TurnsealError('bad-argument', 'createStore: schedule is frame, microtask or sync')
}
