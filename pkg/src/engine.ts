import type { WasmSource } from './core.js'
import { engineReady, loadEngine, makeEngine, openEngine, problems, project } from './engine-core.js'
import type { Engine, EngineOptions, NewChunk, Transcript, TranscriptOptions, Vendor } from './engine-types.js'
import type { Chunk } from './events.js'

export type * from './engine-types.js'
export { type ErrorCode, TurnsealError } from './errors.js'
export type { Chunk, ChunkBody, KnownEvent, Outcome, SnapshotEvent } from './events.js'

/** Loads the engine's wasm, from beside this module or from `source`. Await it before the first engine. Idempotent. */
export function init(source?: WasmSource): Promise<void> {
  return loadEngine(source ?? new URL('./wasm/engine/turnseal.wasm', import.meta.url))
}

/** True once engines can be made without waiting. */
export function isReady(): boolean {
  return engineReady()
}

/** An engine, or one that goes on where another ended. */
export function createEngine(options?: EngineOptions): Engine {
  openEngine()
  return makeEngine(options)
}

/** Projects chunks for a model. A chunk without a seq is not written yet: it stands behind all others. */
export function transcript(chunks: readonly (Chunk | NewChunk)[], options: TranscriptOptions): Transcript {
  openEngine()
  return project(chunks, options)
}

/** Says what is wrong with messages for a vendor: empty, where nothing is. */
export function check(messages: readonly unknown[], vendor: Vendor): string[] {
  openEngine()
  return problems(messages, vendor)
}
