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

const ADDRESS = ['type', 'threadId', 'tabId', 'turnId', 'executionId', 'messageId', 'partId', 'callId', 'stream'] as const
type Address = { readonly [field in (typeof ADDRESS)[number]]?: unknown } & { readonly delta?: unknown; readonly data?: unknown; readonly n?: unknown; readonly toJSON?: unknown }

/** The types of deltas, and the field that their text stands in. */
const TEXTS: Readonly<Record<string, 'delta' | 'data'>> = {
  'text-delta': 'delta',
  'reasoning-delta': 'delta',
  'tool-input-delta': 'delta',
  'tool-output': 'data',
  'shell-output': 'data',
}

/** A line around its text and its number. */
interface Template {
  readonly head: string
  readonly middle: string
  readonly tail: string
  readonly first: 'text' | 'n' | 'only-text'
  /** Matches a frame of such lines. */
  readonly lines: RegExp
}

/** True for the type of an event that makes a string longer. */
export function isDelta(type: unknown): boolean {
  return textField(type) !== undefined
}

function textField(type: unknown): 'delta' | 'data' | undefined {
  return typeof type === 'string' && Object.hasOwn(TEXTS, type) ? TEXTS[type] : undefined
}

/** A route without an address. */
export function createHotRoute(): HotRoute {
  let last: Address | undefined
  let field: 'delta' | 'data' = 'delta'
  let template: Template | undefined
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
        now.callId !== last.callId ||
        now.stream !== last.stream ||
        now.tabId !== last.tabId ||
        now.toJSON !== undefined
      )
        return undefined
      return grown(now[field], now.n)
    },
    ofFrame: text => (template === undefined ? undefined : readFrame(text, template)),
    learnEvent: event => {
      const now: Address = event
      template = undefined
      const { type, threadId, tabId, turnId, executionId, messageId, partId, callId, stream } = now
      const isPlain = [threadId, tabId, turnId, executionId, messageId, partId, callId, stream].every(id => id === undefined || typeof id === 'string')
      field = textField(type) ?? 'delta'
      // A copy: the caller may change its object.
      last = isPlain && isDelta(type) ? { type, threadId, tabId, turnId, executionId, messageId, partId, callId, stream } : undefined
    },
    learnFrame: text => {
      last = undefined
      template = templateOf(lastLine(text))
    },
    forget: () => {
      last = undefined
      template = undefined
    },
  }
}

function grown(text: unknown, n: unknown): Grown | undefined {
  if (typeof text !== 'string' || !isWhole(text)) return undefined
  if (n === undefined) return { text, n: -1, count: 1 }
  return typeof n === 'number' && Number.isSafeInteger(n) && n >= 0 ? { text, n, count: 1 } : undefined
}

/** Longer frames go the long way: they are no delta, or reading them is the lesser cost. */
const FRAME_MAX = 16_384
/** A flat line without escapes outside its text: there a quote is always the edge of a string, so what looks like a field is one. */
const FLAT = '[^[\\]{}\\\\]*'
/** The text of a string: short escapes, and no surrogate, which may be half of a character. */
const TEXT = '[^"\\\\\\x00-\\x1f\\ud800-\\udfff]*(?:\\\\["\\\\/bfnrt][^"\\\\\\x00-\\x1f\\ud800-\\udfff]*)*'
const NUMBER = '(?:0|[1-9]\\d{0,14})'
const LINES = [...new Set(Object.values(TEXTS))].map(field => [field, new RegExp(`^(\\{"${FLAT}?"${field}": ?")${TEXT}("${FLAT}\\}\\s*)$`)] as const)
const NUMBERED = new RegExp(`^(.*"n": ?)${NUMBER}([,}].*)$`, 's')
const TYPE = /"type": ?"([a-z-]+)"/

/** What a line is around its text and number, where the next one can be told by that. */
function templateOf(line: string): Template | undefined {
  if (line.length > 4096) return undefined
  for (const [field, form] of LINES) {
    const [, before, behind] = form.exec(line) ?? []
    if (before === undefined || behind === undefined) continue
    const around = before + behind
    // Twice the same field would be read by another rule than ours.
    const isOnce = (name: string) => around.split(`"${name}"`).length === 2
    if (!isOnce(field) || !isOnce('type') || textField(TYPE.exec(around)?.[1]) !== field) continue
    if (!around.includes('"n"')) return template(before, '', behind, 'only-text')
    if (!isOnce('n')) return undefined
    const first = NUMBERED.exec(before)
    if (first !== null) return template(first[1] ?? '', first[2] ?? '', behind, 'n')
    const then = NUMBERED.exec(behind)
    return then === null ? undefined : template(before, then[1] ?? '', then[2] ?? '', 'text')
  }
  return undefined
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function template(head: string, middle: string, tail: string, first: Template['first']): Template {
  const [one, other] = first === 'n' ? [NUMBER, TEXT] : [TEXT, first === 'text' ? NUMBER : '']
  return { head, middle, tail, first, lines: new RegExp(`^(?:${escaped(head)}${one}${escaped(middle)}${other}${escaped(tail)}(?:\\n|$))+$`) }
}

function lastLine(text: string): string {
  const end = text.endsWith('\n') ? text.length - 1 : text.length
  return text.slice(text.lastIndexOf('\n', end - 1) + 1, end)
}

/** One look at the whole frame, then only what differs is read. */
function readFrame(frame: string, { head, middle, tail, first, lines }: Template): Grown | undefined {
  if (frame.length > FRAME_MAX || !frame.startsWith(head) || !lines.test(frame)) return undefined
  let text = ''
  let n = -1
  let count = 0
  for (let start = 0; start < frame.length; ) {
    const stop = frame.indexOf('\n', start)
    const end = stop < 0 ? frame.length : stop
    let [from, to] = [start + head.length, end - tail.length]
    if (first !== 'only-text') {
      let at = from
      if (first === 'text') for (at = to; isDigit(frame.charCodeAt(at - 1)); ) at -= 1
      const digits = at
      let next = 0
      for (; isDigit(frame.charCodeAt(at)); at += 1) next = next * 10 + frame.charCodeAt(at) - 0x30
      // A hole in the numbers, or a line that was there before, is not for this way.
      if (count > 0 && next !== n + 1) return undefined
      n = next
      if (first === 'n') from = at + middle.length
      else to = digits - middle.length
    }
    text += frame.slice(from, to)
    count += 1
    start = end + 1
  }
  return { text: text.includes('\\') ? JSON.parse(`"${text}"`) : text, n, count }
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
