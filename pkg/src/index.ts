import type { Store } from './api.js'
import { type WasmSource, ready } from './core.js'
import { type Door, initBy, replayBy, storeBy } from './door.js'
import type { Recording } from './journal.js'
import type { StoreOptions } from './options.js'

export * from './public.js'

const door: Door = { kind: 'async', source: () => new URL('./wasm/store/turnseal.wasm', import.meta.url) }

/** Loads the wasm, from beside this module or from `source`. Await it before the first store. Idempotent, and shared by all entries. */
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
