/** What a caller did wrong. Bad events are never an error: they are diagnostics. */
export type ErrorCode =
  /** The wasm is not loaded yet: `await init()` first. */
  | 'not-initialised'
  /** The wasm could not be loaded. */
  | 'init-failed'
  /** The store was freed. */
  | 'freed'
  /** The store broke twice in a row and is of no more use. */
  | 'poisoned'
  /** No command of a thread has that type. */
  | 'unknown-command'
  /** An argument has the wrong type. */
  | 'bad-argument'
  /** `takeEffects` on a store that carries its effects out by itself. */
  | 'not-manual'

/** The only error that this package throws. `code` says what to do about it. */
export class TurnsealError extends Error {
  /** What went wrong, for code. */
  readonly code: ErrorCode
  /** Always `TurnsealError`. */
  override readonly name = 'TurnsealError'

  /** An error with its code. */
  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** The text of anything that was thrown; never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } catch {
    return 'an error that cannot be shown'
  }
}
