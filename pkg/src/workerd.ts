import type { Store } from './api.js'
import { type WasmSource, ready } from './core.js'
import { type Door, initBy, replayBy, storeBy } from './door.js'
import type { Recording } from './journal.js'
import type { StoreOptions } from './options.js'
import wasm from './wasm/store/turnseal.wasm'
export * from './public.js'

const door: Door = { kind: 'sync', source: () => wasm }

/** Loads the wasm. Not needed: this host compiles it beforehand. Idempotent, and shared by all entries. */
export function init(source?: WasmSource): Promise<void> {
  return initBy(door, source)
}

/** True once stores can be made without waiting. */
export function isReady(): boolean {
  return ready()
}

/** An empty store, or one with the state `from`. */
export function createStore(options?: StoreOptions): Store {
  return storeBy(door, options)
}

/** A store without a transport, in the state in which a recording ends. */
export function replay(recording: Recording): Store {
  return replayBy(door, recording)
}
