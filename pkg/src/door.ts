import type { Store } from './api.js'
import { type WasmSource, load, loadSync, makeCore, ready } from './core.js'
import { TurnsealError } from './errors.js'
import { isRecord } from './json.js'
import type { Recording } from './journal.js'
import { tellStrange } from './named.js'
import type { StoreOptions } from './options.js'
import { createStoreWith } from './store.js'

/** How an entry gets its wasm: at once, or over the network by `init`. */
export type Door =
  | { readonly kind: 'sync'; readonly source: () => BufferSource | WebAssembly.Module }
  | { readonly kind: 'async'; readonly source: () => WasmSource }

/** `init` of an entry. */
export function initBy(door: Door, source: WasmSource | undefined): Promise<void> {
  if (source !== undefined || door.kind === 'async') return load(source ?? door.source())
  return Promise.resolve().then(() => {
    try {
      loadSync(door.source)
    } catch {
      // A host that compiles small modules only at once: later it compiles any.
      return load(door.source())
    }
    return undefined
  })
}

/** `createStore` of an entry. */
export function storeBy(door: Door, options: StoreOptions | undefined): Store {
  const from: unknown = options?.from
  if (from !== undefined && typeof from !== 'string') throw new TurnsealError('bad-argument', 'createStore: from is the text of dehydrate()')
  open(door)
  if (options !== undefined) tellStrange(options)
  return createStoreWith(makeCore, options)
}

/** `replay` of an entry. */
export function replayBy(door: Door, recording: Recording): Store {
  const foreign: unknown = recording
  if (!isRecord(foreign) || foreign['v'] !== 1 || typeof foreign['limits'] !== 'string' || !Array.isArray(foreign['inputs'])) {
    throw new TurnsealError('bad-argument', 'replay: this is no recording of version 1')
  }
  open(door)
  return createStoreWith(makeCore, {}, { recording })
}

function open(door: Door): void {
  if (ready()) return
  if (door.kind === 'async') throw new TurnsealError('not-initialised', 'the wasm is not loaded: await init() first')
  loadSync(door.source)
}
