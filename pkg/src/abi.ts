import type { Group, Head, Part, PendingApproval } from './view.js'

/** The store as the wasm gives it: text in, text and numbers out. Nothing here calls back or throws for bad input. */
export interface Core {
  /** Feeds one frame of events: JSON, an array, or JSON lines. */
  message(frame: string): number
  /** Feeds one frame as UTF-8. */
  messageBytes(frame: Uint8Array): number
  /** Feeds one event; also answers to effects and timers. */
  event(json: string): number
  /** Feeds one command or host input. */
  input(json: string): number
  /**
   * Feeds deltas with the address of the last one, as one text. `n`: the number of the last of them, below 0: none. More
   * than one is refused unless each has the next number.
   */
  grow(text: string, n: number, count: number): number
  /** The hot slot that the last input left; 0: none. */
  hot(): number
  /** Where the hot slot's text is drawn: `[threadId, group, part, field]` as JSON, or nothing. */
  hotPlace(): string
  /** Takes the waiting effects: a JSON array. */
  effects(): string
  /** Takes the waiting diagnostics: a JSON array. */
  diagnostics(): string
  /** The threads that have an untaken patch: a JSON array. */
  changed(): string
  /** Takes what changed in a thread; empty where nothing did. */
  patch(threadId: string): string
  /** The name that a thread has now. */
  name(threadId: string): string
  /** Why a group is here: JSON. */
  explain(threadId: string, key: string): string
  /** Takes the blocks that the last patch leaves to be drawn later. */
  later(): Later
  /** The whole state as JSON. */
  dehydrate(): string
  /** The whole state, shared with this core. */
  save(): Base
  /** Takes up a state, as the first input. */
  restore(base: Base): number
  /** Gives the memory back. */
  free(): void
}

/** Blocks that are drawn once they are read. They outlive their core. */
export interface Later {
  /** The groups of a block: a JSON array. Once. */
  draw(block: number): string
  /** Gives the memory back. */
  free(): void
}

/** A state to go back to. It outlives its core. */
export interface Base {
  /** As `dehydrate` gives it. */
  text(): string
  /** Gives the memory back. */
  free(): void
}

/** Something visible changed. */
export const CHANGED = 1
/** Listeners should hear of it at once. */
export const FLUSH = 2
/** Effects wait. */
export const EFFECTS = 4
/** Diagnostics wait. */
export const DIAGNOSTICS = 8
/** More changed than the end of one string: a patch waits. */
export const PATCH = 16
/** `grow` refused: feed the event as JSON. */
export const REFUSED = 0x80

/** What changed in a thread, as the core tells it. */
export interface Patch {
  /** In this order. */
  readonly ops: readonly Op[]
  /** All of it, when any of it changed. */
  readonly head?: Omit<CoreHead, 'approvals'> & { readonly approvals: PendingApproval[] }
}

/** What a thread shows beside its groups; the queue is made from those. */
export type CoreHead = Omit<Head, 'queue'>

/** One step of a patch. */
export type Op =
  | readonly [op: 0, index: number, removed: number, groups: readonly Group[], queue?: number]
  | readonly [op: 1, index: number, part: number, value: Part]
  | readonly [op: 2, index: number, part: number, field: number, text: string]
  | readonly [op: 3, index: number, meta: Omit<Group, 'key' | 'parts'>]
  | readonly [op: 4, threadId: string, isNew?: 1]
  | readonly [op: 5, index: number, removed: number, first: number, counts: readonly number[]]
