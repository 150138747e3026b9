import { type Base, type Core, EFFECTS } from './abi.js'
import type { Effect } from './effects.js'

/**
 * One input that crossed into the store. `m` a frame, `b` bytes as base64, `e` an event, `i` a command, `g` deltas with
 * the number of the last and how many they are (absent: one), `a` an answer: the rest of its JSON behind the id, its id, and what had been asked.
 * @inline
 */
export type Entry =
  | readonly ['m' | 'b' | 'e' | 'i', string]
  | readonly ['g', string, number, number?]
  | readonly ['a', string, number, string]

/** What crossed into a store, in order. Plain JSON. */
export interface Recording {
  /** The version of this form. */
  readonly v: 1
  /** The limits of the store. */
  readonly limits: string
  /** The state that the inputs start from; absent: an empty store. */
  readonly base?: string
  /** The inputs since. */
  readonly inputs: readonly Entry[]
}

/** What crossed, as it is kept: a state as such, and bytes as they came. */
export interface Kept {
  /** The state that the inputs start from. */
  readonly base: string | Base | undefined
  /** The inputs since. */
  readonly inputs: readonly (Entry | Uint8Array)[]
}

/** What the store waits for: requests and timers by their numbers. */
export interface Open {
  /** What each open request asked for, without its number. */
  readonly requests: Map<number, string>
  /** What each running timer is for, without its number. */
  readonly timers: Map<number, string>
}

/** Nothing waited for. */
export function nothingOpen(): Open {
  return { requests: new Map(), timers: new Map() }
}

/** An effect without its number: two of the same key ask for the same. */
export function keyOf(effect: Effect): string {
  return JSON.stringify({ ...effect, id: 0, timer: 0 })
}

/** Notes what an effect opens or ends. */
export function note(open: Open, effect: Effect): void {
  switch (effect.type) {
    case 'cancel':
      open.requests.delete(effect.id)
      return
    case 'start-timer':
      open.timers.set(effect.timer, keyOf(effect))
      return
    case 'cancel-timer':
      open.timers.delete(effect.timer)
      return
    case 'persist':
      return
    default:
      open.requests.set(effect.id, keyOf(effect))
  }
}

/** The number under which `asked` is open now: its own, or the oldest that asks for the same. */
export function numberOf(open: ReadonlyMap<number, string>, asked: string, id: number): number | undefined {
  if (open.get(id) === asked) return id
  for (const [other, key] of open) if (key === asked) return other
  return undefined
}

/** The text of an answer: `rest` is all of its JSON behind the number. */
export function answerText(kind: 'request' | 'timer', id: number, rest: string): string {
  return kind === 'timer' ? `{"type":"timer-fired","timer":${id}${rest}` : `{"type":"effect-result","id":${id}${rest}`
}

/** Feeds a recording into a new core; gives what it waits for at the end, as effects by number. */
export function play(core: Core, { base, inputs }: Kept): Map<string, Effect> {
  const open = nothingOpen()
  const effects = new Map<string, Effect>()
  const take = () => {
    const taken: readonly Effect[] = JSON.parse(core.effects())
    for (const effect of taken) {
      note(open, effect)
      if (effect.type === 'start-timer') effects.set(`t${effect.timer}`, effect)
      else if (effect.type !== 'cancel' && effect.type !== 'cancel-timer' && effect.type !== 'persist')
        effects.set(`r${effect.id}`, effect)
    }
  }
  if (base !== undefined) {
    begin(core, base)
    take()
  }
  for (const entry of inputs) if ((feed(core, entry, open) & EFFECTS) !== 0) take()
  take()
  core.diagnostics()
  for (const id of effects.keys()) {
    const number = Number(id.slice(1))
    if (!(id[0] === 't' ? open.timers : open.requests).has(number)) effects.delete(id)
  }
  return effects
}

/** Gives a core its first state. */
export function begin(core: Core, base: string | Base): void {
  if (typeof base === 'string') core.input(`{"type":"hydrate","state":${base}}`)
  else core.restore(base)
}

function feed(core: Core, entry: Entry | Uint8Array, open: Open): number {
  if (entry instanceof Uint8Array) return core.messageBytes(entry)
  switch (entry[0]) {
    case 'm':
      return core.message(entry[1])
    case 'b':
      return core.messageBytes(fromBase64(entry[1]))
    case 'e':
      return core.event(entry[1])
    case 'i':
      return core.input(entry[1])
    case 'g':
      return core.grow(entry[1], entry[2], entry[3] ?? 1)
    case 'a':
      return feedAnswer(core, entry, open)
    default:
      // A recording is foreign: what a later version wrote is passed over.
      return 0
  }
}

function feedAnswer(core: Core, [, rest, id, asked]: Extract<Entry, readonly ['a', ...unknown[]]>, open: Open): number {
  const request = numberOf(open.requests, asked, id)
  if (request !== undefined) {
    open.requests.delete(request)
    return core.event(answerText('request', request, rest))
  }
  const timer = numberOf(open.timers, asked, id)
  if (timer === undefined) return 0
  open.timers.delete(timer)
  return core.event(answerText('timer', timer, rest))
}

/** Bytes as text that JSON can hold. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
}
