import { type Base, CHANGED, type Core, type Later, REFUSED } from './abi.js'
import type { Effect } from './effects.js'
import { TurnsealError, messageOf } from './errors.js'
import type { Grown } from './hot.js'
import { fromJson, isRecord } from './json.js'
import { type Entry, type Recording, answerText, begin, play, toBase64 } from './journal.js'
import type { Diagnostic } from './options.js'

/** A core that outlives its own death: it keeps what crossed into it, and starts anew from that. */
export interface Machine {
  /** Feeds a frame. */
  message(frame: string): number
  /** Feeds a frame as bytes. */
  messageBytes(frame: Uint8Array): number
  /** Feeds one event. */
  event(json: string): number
  /** Feeds one command. */
  input(json: string): number
  /** Feeds an answer: what comes behind the number in its JSON. */
  answer(kind: 'request' | 'timer', id: number, rest: string, asked: string): number
  /** Feeds deltas to the hot slot; the core may hear of them only before the next call of another kind. */
  grow(grown: Grown): number
  /** The hot slot. */
  hot(): number
  /** Where the hot slot is drawn, where it is. */
  hotPlace(): readonly [threadId: string, index: number, part: number, field: number] | undefined
  /** Takes the effects. */
  effects(): readonly Effect[]
  /** Takes the diagnostics. */
  diagnostics(): readonly Diagnostic[]
  /** The threads with a patch. */
  changed(): readonly string[]
  /** Takes a patch, as JSON. */
  patch(threadId: string): string
  /** The blocks that the last patch leaves to be drawn later. */
  later(): Later | undefined
  /** What a thread is called now. */
  name(threadId: string): string
  /** Why a group is here, as JSON. */
  explain(threadId: string, key: string): string
  /** The whole state. */
  dehydrate(): string
  /** What crossed so far. */
  recording(): Recording
  /** Makes the state of now the base of the recording, where that is due. True: the hot slot is gone. */
  rebase(isQuiet: () => boolean, preamble: () => readonly string[]): boolean
  /** Gives the memory back. */
  free(): void
}

/** What a machine tells its store. */
export interface Hooks {
  /** A new core stands where the old one broke, in the same state. `open`: what it waits for. */
  rebuilt(open: readonly Effect[], cause: string): void
}

/** So much text the core may not have heard of. */
const HELD_MAX = 4096
/** An entry weighs its text and this. */
const ENTRY_WEIGHT = 48
/** Frames above this length cross as bytes. */
const LONG = 4096
/** A recording is rebased beyond this weight, or that of its text; at four times that, whatever is on its way. */
export const JOURNAL_WEIGHT = 512 * 1024

/** A machine over new cores. */
export function createMachine(
  make: () => Core,
  limits: string,
  hooks: Hooks,
  start: { readonly from?: string; readonly recording?: Recording; readonly weight?: number },
): Machine {
  const limit = start.weight ?? JOURNAL_WEIGHT
  // A state that came as text stays so: it was written by who knows which version.
  let base: string | Base | undefined = start.recording?.base ?? start.from
  let inputs: (Entry | Uint8Array)[] = [...(start.recording?.inputs ?? [])]
  let weight = inputs.length * ENTRY_WEIGHT
  // Set by a failure, taken back by the next input that goes well.
  let isShaken = false
  let isDead = false
  let core = make()
  // Deltas that the core has not heard of. It was steady: the delta before them did nothing but make one text longer, and
  // so do these, since nothing else came in between.
  let isSteady = false
  let held = ''
  let heldCount = 0
  let last = -1
  // Flags of what the core heard before it was fed something else.
  let owed = 0

  const recording = (): Recording => {
    hear()
    const text = typeof base === 'object' ? base.text() : base
    const entries = inputs.map(entry => (entry instanceof Uint8Array ? (['b', toBase64(entry)] as const) : entry))
    return { v: 1, limits, ...(text === undefined ? {} : { base: text }), inputs: entries }
  }
  const kill = (cause: unknown): never => {
    isDead = true
    throw new TurnsealError('poisoned', `the store broke twice in a row: ${messageOf(cause)}`, { cause })
  }
  const rebuild = (cause: unknown) => {
    if (isShaken) kill(cause)
    isShaken = true
    try {
      // The broken core is left alone: freeing it would enter it once more.
      core = make()
      isSteady = false
      hear()
      hooks.rebuilt([...play(core, { base, inputs }).values()], messageOf(cause))
    } catch (again) {
      kill(again)
    }
  }
  const check = () => {
    if (isDead) throw new TurnsealError('poisoned', 'the store broke twice in a row')
  }
  /** Feeds an input and keeps it; one that breaks the core is not kept. */
  const feed = (entry: () => Entry | Uint8Array, size: number, act: () => number): number => {
    hear()
    isSteady = false
    return owing(put(entry, size, act))
  }
  const owing = (flags: number): number => {
    const all = flags | owed
    owed = 0
    return all
  }
  const put = (entry: () => Entry | Uint8Array, size: number, act: () => number): number => {
    check()
    let flags: number
    try {
      flags = act()
    } catch (cause) {
      rebuild(cause)
      return 0
    }
    isShaken = false
    if (flags !== REFUSED) {
      inputs.push(entry())
      weight += size + ENTRY_WEIGHT
    }
    return flags
  }
  /** Tells the core of the deltas that it has not heard of. */
  const hear = () => {
    if (heldCount === 0) return
    const [text, count] = [held, heldCount]
    held = ''
    heldCount = 0
    owed |= put(
      () => ['g', text, last, count],
      text.length,
      () => {
        const flags = core.grow(text, last, count)
        if ((flags & REFUSED) !== 0) throw new Error('a delta was refused that the one before it had made room for')
        // That text was shown already.
        return flags & ~CHANGED
      },
    )
  }
  const read = <T>(act: () => T, none: T): T => {
    check()
    hear()
    try {
      return act()
    } catch (cause) {
      rebuild(cause)
      return none
    }
  }
  const drop = () => {
    if (typeof base === 'object') base.free()
    base = undefined
  }
  const list = (text: string): readonly unknown[] => {
    const value = fromJson(text)
    return Array.isArray(value) ? value : []
  }

  try {
    if (start.recording !== undefined) play(core, { base, inputs })
    else if (base !== undefined) begin(core, base)
  } catch (cause) {
    kill(cause)
  }

  return {
    message: frame =>
      feed(
        () => ['m', frame],
        frame.length,
        () => (frame.length > LONG ? core.messageBytes(new TextEncoder().encode(frame)) : core.message(frame)),
      ),
    messageBytes: frame => feed(() => frame.slice(), frame.length, () => core.messageBytes(frame)),
    event: json => feed(() => ['e', json], json.length, () => core.event(json)),
    input: json => feed(() => ['i', json], json.length, () => core.input(json)),
    answer: (kind, id, rest, asked) =>
      feed(() => ['a', rest, id, asked], rest.length + asked.length, () => core.event(answerText(kind, id, rest))),
    grow: ({ text, n, count }) => {
      check()
      if (isSteady && n === (last < 0 ? -1 : last + count)) {
        held += text
        heldCount += count
        last = n
        if (held.length >= HELD_MAX) hear()
        return owing(CHANGED)
      }
      hear()
      const flags = put(() => ['g', text, n, count], text.length, () => core.grow(text, n, count))
      isSteady = flags === CHANGED
      last = n
      return flags === REFUSED ? flags : owing(flags)
    },
    hot: () => read(() => core.hot(), 0),
    hotPlace: () =>
      read(() => {
        const text = core.hotPlace()
        return text === '' ? undefined : JSON.parse(text)
      }, undefined),
    effects: () => read(() => JSON.parse(core.effects()), []),
    diagnostics: () => read(() => list(core.diagnostics()).filter(isDiagnostic), []),
    changed: () => read(() => JSON.parse(core.changed()), []),
    patch: threadId => read(() => core.patch(threadId), ''),
    later: () => read<Later | undefined>(() => core.later(), undefined),
    name: threadId => read(() => core.name(threadId), threadId),
    explain: (threadId, key) => read(() => core.explain(threadId, key), 'null'),
    // Where reading broke the core there is a new one, to be asked again.
    dehydrate: () => read<string | undefined>(() => core.dehydrate(), undefined) ?? read(() => core.dehydrate(), '{}'),
    recording,
    rebase: (isQuiet, preamble) => {
      const due = Math.max(limit, typeof base === 'string' ? base.length : 0)
      if (weight < due || (weight < 4 * due && !isQuiet())) return false
      const state = read<Base | undefined>(() => core.save(), undefined)
      if (state === undefined) return true
      drop()
      base = state
      inputs = preamble().map(json => ['i', json] as const)
      weight = 0
      return true
    },
    free: () => {
      if (isDead) return
      isDead = true
      try {
        drop()
        core.free()
      } catch {
        // A core that broke just now: its memory is lost, and nobody can use it.
      }
    },
  }
}

function isDiagnostic(value: unknown): value is Diagnostic {
  return isRecord(value) && typeof value['code'] === 'string' && typeof value['detail'] === 'string'
}
