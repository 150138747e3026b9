import type { WasmSource } from './core.js'
import { type EngineSource, engineReady, loadEngine, makeEngine, openEngine, problems, project } from './engine-core.js'
import type { Engine, EngineOptions, NewChunk, Transcript, TranscriptOptions, Vendor } from './engine-types.js'
import type { Chunk } from './events.js'
import wasm from './wasm/engine/turnseal.wasm'

export type * from './engine-types.js'
export { type ErrorCode, TurnsealError } from './errors.js'
export type { Chunk, ChunkBody, KnownEvent, Outcome, SnapshotEvent } from './events.js'

const file: EngineSource = () => wasm

/** Loads the engine's wasm. Not needed: this host compiles it beforehand. Idempotent. */
export function init(source?: WasmSource): Promise<void> {
  return source === undefined ? Promise.resolve().then(() => openEngine(file)) : loadEngine(source)
}

/** True once engines can be made without waiting. */
export function isReady(): boolean {
  return engineReady()
}

/** An engine, or one that goes on where another ended. */
export function createEngine(options?: EngineOptions): Engine {
  openEngine(file)
  return makeEngine(options)
}

/** Projects chunks for a model. A chunk without a seq is not written yet: it stands behind all others. */
export function transcript(chunks: readonly (Chunk | NewChunk)[], options: TranscriptOptions): Transcript {
  openEngine(file)
  return project(chunks, options)
}

/** Says what is wrong with messages for a vendor: empty, where nothing is. */
export function check(messages: readonly unknown[], vendor: Vendor): string[] {
  openEngine(file)
  return problems(messages, vendor)
}
