import type { Chunk } from '../events.js'
import type { Told } from '../replay.js'

/** A tool call of a turn. */
export interface Call {
  name: string
  args: string
  phase: 'open' | 'whole' | 'answered'
}

/** A turn: the runs that answer one question. */
export interface Turn {
  readonly turnId: string
  /** `waiting`: its run has ended, and a call of it waits for the client or a person. */
  phase: 'running' | 'waiting' | 'over'
  readonly calls: Map<string, Call>
  /** The ids of what was said in it, each with the place of the newest history by then. */
  readonly said: Map<string, number>
  /** The call that an interrupt asks about. */
  readonly interrupts: Map<string, string>
  isSealed: boolean
}

/** One run. */
export interface Run {
  readonly turn: Turn
  readonly told: Told
}

/** What is known of a thread, from all its streams. */
export interface Thread {
  readonly runs: Map<string, Run>
  /** The users' messages that have a turn. */
  readonly asked: Set<string>
  readonly activities: Map<string, { readonly activityType: string; readonly content: unknown }>
  state: unknown
  /** The newest history: its number, the ids in it, its rows, and the generation of the log that it is of. */
  history: { readonly count: number; readonly ids: readonly string[]; readonly chunks: readonly Chunk[]; readonly epoch: number }
}

/** A thread of which nothing is known. */
export function newThread(): Thread {
  return {
    runs: new Map(),
    asked: new Set(),
    activities: new Map(),
    state: undefined,
    history: { count: 0, ids: [], chunks: [], epoch: 0 },
  }
}

/** A turn that begins. */
export function newTurn(turnId: string): Turn {
  return { turnId, phase: 'running', calls: new Map(), said: new Map(), interrupts: new Map(), isSealed: false }
}

/** The turns of a thread, oldest first. */
export function turnsOf(thread: Thread): readonly Turn[] {
  return [...new Set([...thread.runs.values()].map(({ turn }) => turn))]
}

/** The turn in which something was said under an id. */
export function turnOf(thread: Thread, id: string): Turn | undefined {
  return turnsOf(thread).findLast(turn => turn.said.has(id))
}

/** Which turn an event is of. */
export function place(turn: Turn | undefined) {
  return turn === undefined ? {} : { turnId: turn.turnId }
}
