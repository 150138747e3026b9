import init, { EngineCore, check as checkText, initSync, transcript as transcriptText } from './wasm/engine/turnseal.js'
import type { WasmSource } from './core.js'
import type {
  Engine,
  EngineEffect,
  EngineInput,
  EngineMeta,
  EngineOptions,
  EnginePolicy,
  NewChunk,
  Transcript,
  TranscriptOptions,
  Vendor,
} from './engine-types.js'
import { TurnsealError } from './errors.js'
import type { Chunk, SnapshotEvent } from './events.js'
import { toJson } from './json.js'
import { type Names, strangeNames } from './named.js'

let isReady = false
let loading: Promise<void> | undefined

/** A file that can be loaded at once. */
export type EngineSource = () => BufferSource | WebAssembly.Module

/** True once engines can be made. */
export function engineReady(): boolean {
  return isReady
}

/** Loads the engine's wasm once; callers share that. After a failure the next call tries again. */
export function loadEngine(from: WasmSource): Promise<void> {
  if (isReady) return Promise.resolve()
  loading ??= init({ module_or_path: from }).then(
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

/** Loads a file at once, where nothing was loaded before. Without one `init` has to come first. */
export function openEngine(source?: EngineSource): void {
  if (isReady) return
  if (source === undefined) throw new TurnsealError('not-initialised', 'the wasm is not loaded: await init() first')
  try {
    initSync({ module: source() })
  } catch (cause) {
    throw new TurnsealError('init-failed', `the wasm could not be loaded: ${String(cause)}`, { cause })
  }
  isReady = true
}

/** JSON of an argument; what has none is a mistake of the caller. */
function textOf(value: unknown, what: string): string {
  const text = toJson(value)
  if (text === undefined) throw new TurnsealError('bad-argument', `${what} is no JSON`)
  return text
}

const OPTIONS: Names<EngineOptions> = { models: true, policy: true, restore: true }
const POLICY: Names<EnginePolicy> = {
  onApproval: true,
  gate: true,
  steer: true,
  lateSteer: true,
  lateOutput: true,
  onStop: true,
  onError: true,
  onDeny: true,
  mixed: true,
  background: true,
  batch: true,
  toolFailuresMax: true,
  approvalTimeoutMs: true,
  idleTimeoutMs: true,
  backoffMsMin: true,
  backoffMsMax: true,
}

/** An engine, or one that goes on where another ended. The wasm is loaded. */
export function makeEngine(options: EngineOptions | undefined): Engine {
  const strange = [...strangeNames('createEngine: options', options, OPTIONS), ...strangeNames('createEngine: policy', options?.policy, POLICY)]
  for (const words of strange) console.warn(`turnseal: ${words}`)
  const core = new EngineCore(textOf(options ?? {}, 'createEngine: options'))
  const restored: Engine['restored'] = JSON.parse(core.restored())
  let isFreed = false
  const alive = (): EngineCore => {
    if (isFreed) throw new TurnsealError('freed', 'the engine was freed')
    return core
  }
  return {
    restored,
    apply: (threadId: string, input: EngineInput): readonly EngineEffect[] =>
      JSON.parse(alive().apply(threadId, textOf(input, 'apply: input'))),
    snapshot: (threadId: string): SnapshotEvent => JSON.parse(alive().snapshot(threadId)),
    meta: (threadId: string): EngineMeta => JSON.parse(alive().meta(threadId)),
    free: () => {
      if (isFreed) return
      isFreed = true
      core.free()
    },
  }
}

/** `transcript` of an entry. The wasm is loaded. */
export function project(chunks: readonly (Chunk | NewChunk)[], options: TranscriptOptions): Transcript {
  return JSON.parse(transcriptText(textOf(chunks, 'transcript: chunks'), textOf(options, 'transcript: options')))
}

/** `check` of an entry. The wasm is loaded. */
export function problems(messages: readonly unknown[], vendor: Vendor): string[] {
  return JSON.parse(checkText(textOf(messages, 'check: messages'), vendor))
}
