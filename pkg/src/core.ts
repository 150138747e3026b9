import init, { Core as Glue, initSync } from './wasm/store/turnseal.js'
import type { Core } from './abi.js'
import { TurnsealError } from './errors.js'

/** What `init` may be given in place of its own file: a URL, a response, bytes or a module. */
export type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>

let isReady = false
let loading: Promise<void> | undefined

/** True once cores can be made. */
export function ready(): boolean {
  return isReady
}

/** Loads the wasm once; callers share that. After a failure the next call tries again. */
export function load(source: WasmSource): Promise<void> {
  if (isReady) return Promise.resolve()
  loading ??= init({ module_or_path: source }).then(
    () => {
      isReady = true
    },
    (cause: unknown) => {
      loading = undefined
      throw new TurnsealError('init-failed', `the wasm could not be loaded: ${String(cause)}`, { cause })
    },
  )
  return loading
}

/** Loads the wasm at once, where that did not happen before. */
export function loadSync(source: () => BufferSource | WebAssembly.Module): void {
  if (isReady) return
  try {
    initSync({ module: source() })
  } catch (cause) {
    throw new TurnsealError('init-failed', `the wasm could not be loaded: ${String(cause)}`, { cause })
  }
  isReady = true
}

/** Makes a core. `limits` is JSON. */
export function makeCore(limits: string): Core {
  return new Glue(limits)
}
