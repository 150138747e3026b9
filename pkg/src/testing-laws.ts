import type { Chunk, QueueItem } from './events.js'
import type { MakeStore } from './testing-shape.js'
import type { Group } from './view.js'

/** A law that does not hold for what is on the screen. */
export interface Broken {
  /** The law. */
  readonly law: 'L1' | 'L2' | 'L3' | 'L6' | 'L7'
  /** The group's key. */
  readonly key: string
  /** What is wrong, in words. */
  readonly detail: string
}

/** What is wrong with a list of groups by itself: doubles (L2), keys (L6), order (L7). */
export function brokenIn(groups: readonly Group[]): readonly Broken[] {
  const broken: Broken[] = []
  const [keys, messages, seqs] = [new Set<string>(), new Set<string>(), new Set<number>()]
  const firsts = new Map<string, number>()
  let pending: Group | undefined
  let newest = -Infinity
  for (const group of groups) {
    const { key, role, messageId, seq, turnId, state } = group
    if (keys.has(key)) broken.push({ law: 'L6', key, detail: 'two groups have this key' })
    keys.add(key)
    if (role === 'user' && messageId !== undefined) {
      if (messages.has(messageId)) broken.push({ law: 'L2', key, detail: `message ${messageId} is shown twice` })
      messages.add(messageId)
    }
    if (seq !== undefined) {
      if (seqs.has(seq)) broken.push({ law: 'L2', key, detail: `row ${seq} is shown twice` })
      seqs.add(seq)
    }
    // Turns stand by their first rows; those of one turn stand together.
    if (seq !== undefined && turnId !== undefined && !firsts.has(turnId)) {
      if (seq < newest) broken.push({ law: 'L7', key, detail: `row ${seq} stands behind row ${newest}` })
      firsts.set(turnId, seq)
      newest = seq
    }
    if (state === 'queued' || state === 'sending' || state === 'failed') pending ??= group
    else if (pending !== undefined && role !== 'system') broken.push({ law: 'L7', key, detail: `it stands below ${pending.key}, which waits` })
  }
  return broken
}

/**
 * What is wrong with a step from one list to the next: rows that went without a trace (L1), words that went (L3), a key
 * that means something else (L6). `gone` names what may go: the keys, message ids or client ids of what the user took away, and
 * of what the server cancelled or made part of another message.
 */
export function brokenBetween(before: readonly Group[], after: readonly Group[], gone: readonly string[] = []): readonly Broken[] {
  const broken: Broken[] = []
  const byKey = new Map(after.map(group => [group.key, group]))
  const named = new Set(after.flatMap(({ messageId, clientId }) => [messageId, clientId].filter(name => name !== undefined)))
  const sealed = new Set(after.filter(({ seq }) => seq !== undefined).map(({ turnId }) => turnId))
  for (const was of before) {
    const is = byKey.get(was.key)
    if (is !== undefined && is.role !== was.role) broken.push({ law: 'L6', key: was.key, detail: `it was of the ${was.role}, and is of the ${is.role}` })
    if (is !== undefined && was.streaming && is.streaming && words(is) < words(was)) broken.push({ law: 'L3', key: was.key, detail: 'it streams, and has lost words' })
    if (is !== undefined || was.seq !== undefined || [was.key, was.messageId, was.clientId].some(name => name !== undefined && gone.includes(name))) continue
    const isElsewhere = (was.messageId !== undefined && named.has(was.messageId)) || (was.clientId !== undefined && named.has(was.clientId))
    if (!isElsewhere && (was.turnId === undefined || !sealed.has(was.turnId))) broken.push({ law: 'L1', key: was.key, detail: `it was ${was.state}, and is gone` })
  }
  return broken
}

/** What the server knows to be true. */
export interface Truth {
  /** Its whole log. */
  readonly log: readonly Chunk[]
  /** Its queue, in order. */
  readonly queue: readonly QueueItem[]
}

/** Where a quiet client differs from its server (L8), in words; `undefined`: nowhere. Rows of this client alone do not count. */
export function difference(groups: readonly Group[], { log, queue }: Truth, createStore: MakeStore): string | undefined {
  const shown = groups.filter(({ state }) => state !== 'failed' && state !== 'sending')
  const from = shown.find(({ seq }) => seq !== undefined)?.seq
  if (from === undefined && log.length > 0) return 'it shows nothing of the log'
  const judge = createStore({ schedule: 'sync', transport: 'manual' })
  try {
    judge.handleEvent({ type: 'chunks-loaded', oldestSeq: log[0]?.seq ?? 0, chunks: log.filter(({ seq }) => seq >= (from ?? 0)) })
    judge.handleEvent({ type: 'queue-snapshot', items: queue, held: false, version: 1 })
    const [has, wants] = [shown.map(plain), judge.renderGroups().map(plain)]
    const at = wants.findIndex((want, index) => want !== has[index])
    if (at >= 0) return `row ${at + 1} should be ${wants[at]}, and is ${has[at] ?? 'absent'}`
    return has.length > wants.length ? `row ${wants.length + 1} should not be there: ${has[wants.length]}` : undefined
  } finally {
    judge.free()
  }
}

const plain = ({ role, state, parts }: Group) => JSON.stringify([role, state, parts])

function words({ parts }: Group): number {
  return parts.reduce((sum, part) => sum + ('text' in part && typeof part.text === 'string' ? part.text.length : 0), 0)
}
