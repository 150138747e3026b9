import { isWhole } from './json.js'

/** What deltas say where their address is that of the last one. */
export interface Grown {
  /** Their text, one behind the other. */
  readonly text: string
  /** The number of the last one; below 0: they have none. */
  readonly n: number
  /** How many they are. More than one: their numbers follow each other. */
  readonly count: number
}

/** Knows the address of the last delta, and sees at a glance that the next one has the same. */
export interface HotRoute {
  /** The delta of an object with the same address, or `undefined`. */
  ofEvent(event: object): Grown | undefined
  /** The deltas of a frame whose lines all have the same address, or `undefined`. */
  ofFrame(frame: string): Grown | undefined
  /** The next delta may have the address of this object. */
  learnEvent(event: object): void
  /** The next lines may look like the last one of this frame but for their delta and number. */
  learnFrame(frame: string): void
  /** Any other input came: no address stands. */
  forget(): void
}

const ADDRESS = ['type', 'threadId', 'tabId', 'turnId', 'executionId', 'messageId', 'partId'] as const
type Address = { readonly [field in (typeof ADDRESS)[number]]?: unknown } & { readonly delta?: unknown; readonly n?: unknown; readonly toJSON?: unknown }

/** A frame around its delta and its number. */
interface Frame {
  readonly head: string
  readonly middle: string
  readonly tail: string
  readonly first: 'delta' | 'n' | 'only-delta'
}

/** True for the type of a text or reasoning delta. */
export function isDelta(type: unknown): boolean {
  return type === 'text-delta' || type === 'reasoning-delta'
}

/** A route without an address. */
export function createHotRoute(): HotRoute {
  let last: Address | undefined
  let frame: Frame | undefined
  return {
    ofEvent: event => {
      const now: Address = event
      if (
        last === undefined ||
        now.type !== last.type ||
        now.turnId !== last.turnId ||
        now.threadId !== last.threadId ||
        now.messageId !== last.messageId ||
        now.partId !== last.partId ||
        now.executionId !== last.executionId ||
        now.tabId !== last.tabId ||
        now.toJSON !== undefined
      )
        return undefined
      return grown(now.delta, now.n)
    },
    ofFrame: text => (frame === undefined ? undefined : readFrame(text, frame)),
    learnEvent: event => {
      const now: Address = event
      frame = undefined
      const { type, threadId, tabId, turnId, executionId, messageId, partId } = now
      const isPlain = [threadId, tabId, turnId, executionId, messageId, partId].every(id => id === undefined || typeof id === 'string')
      // A copy: the caller may change its object.
      last = isPlain && isDelta(type) ? { type, threadId, tabId, turnId, executionId, messageId, partId } : undefined
    },
    learnFrame: text => {
      last = undefined
      frame = templateOf(lastLine(text))
    },
    forget: () => {
      last = undefined
      frame = undefined
    },
  }
}

function grown(text: unknown, n: unknown): Grown | undefined {
  if (typeof text !== 'string' || !isWhole(text)) return undefined
  if (n === undefined) return { text, n: -1, count: 1 }
  return typeof n === 'number' && Number.isSafeInteger(n) && n >= 0 ? { text, n, count: 1 } : undefined
}

const DELTA = '"delta":"'
const NUMBER = /"n":(?:0|[1-9]\d{0,14})(?=[,}])/

/**
 * The text of a flat event around its delta and number. Only for texts without escapes: there a quote is always the
 * edge of a string, so what looks like a field is one.
 */
function templateOf(text: string): Frame | undefined {
  if (text.length > 4096 || text.includes('\\') || !/^\{"[^[\]{}]*\}\s*$/.test(text)) return undefined
  const delta = text.indexOf(DELTA)
  // Twice the same field would be read by another rule than ours.
  if (delta < 0 || text.indexOf('"delta"') !== delta || text.lastIndexOf('"delta"') !== delta) return undefined
  const from = delta + DELTA.length
  const to = text.indexOf('"', from)
  const found = NUMBER.exec(text)
  const names = text.match(/"n"/g)?.length ?? 0
  if (found === null) {
    if (names > 0) return undefined
    return { head: text.slice(0, from), middle: '', tail: text.slice(to), first: 'only-delta' }
  }
  const at = found.index + 4
  const end = found.index + found[0].length
  if (names !== 1 || (at > from && at < to)) return undefined
  return at < from
    ? { head: text.slice(0, at), middle: text.slice(end, from), tail: text.slice(to), first: 'n' }
    : { head: text.slice(0, from), middle: text.slice(to, at), tail: text.slice(end), first: 'delta' }
}

function lastLine(text: string): string {
  const end = text.endsWith('\n') ? text.length - 1 : text.length
  return text.slice(text.lastIndexOf('\n', end - 1) + 1, end)
}

function readFrame(text: string, frame: Frame): Grown | undefined {
  let grown: Grown | undefined
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    const line = readLine(text, from, to, frame)
    if (line === undefined) return undefined
    if (grown === undefined) grown = line
    // A hole in the numbers, or a line that was there before, is not for this way.
    else if (line.n !== (grown.n < 0 ? -1 : grown.n + 1)) return undefined
    else grown = { text: grown.text + line.text, n: line.n, count: grown.count + 1 }
    from = to + 1
  }
  return grown
}

function readLine(text: string, start: number, stop: number, { head, middle, tail, first }: Frame): Grown | undefined {
  const end = stop - tail.length
  const from = start + head.length
  if (end < from || !text.startsWith(head, start) || !text.startsWith(tail, end)) return undefined
  if (first === 'only-delta') return words(text, from, end, -1)
  if (first === 'n') {
    const digits = digitsEnd(text, from)
    if (!text.startsWith(middle, digits)) return undefined
    return words(text, digits + middle.length, end, numberAt(text, from, digits))
  }
  // The delta ends at the first quote, or it has escapes and goes the long way.
  const quote = text.indexOf('"', from)
  if (quote < 0 || !text.startsWith(middle, quote)) return undefined
  const at = quote + middle.length
  if (digitsEnd(text, at) !== end) return undefined
  return words(text, from, quote, numberAt(text, at, end))
}

/** The delta between two places, where it is plain: no quote, escape, control character or surrogate. */
function words(text: string, from: number, to: number, n: number | undefined): Grown | undefined {
  if (n === undefined || to < from) return undefined
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22 || code === 0x5c || code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return undefined
  }
  return { text: text.slice(from, to), n, count: 1 }
}

function digitsEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (!(code >= 0x30 && code <= 0x39)) return at
    at += 1
  }
}

function numberAt(text: string, from: number, to: number): number | undefined {
  const digits = to - from
  if (digits < 1 || digits > 15 || (digits > 1 && text.charCodeAt(from) === 0x30)) return undefined
  let n = 0
  for (let at = from; at < to; at++) n = n * 10 + text.charCodeAt(at) - 0x30
  return n
}
