import type { UnknownEvent } from './events.js'
import { isRecord } from './json.js'
import { type Finding, type Rule, found } from './testing-rules.js'
import { judgeTurns } from './testing-end.js'
import type { Line } from './testing-read.js'

/** One turn as a stream told it. */
export interface SeenTurn {
  /** Its id. */
  readonly id: string
  /** Its thread. */
  readonly threadId: string
  /** Its events, in order. */
  readonly events: UnknownEvent[]
  /** Its rows in the log, by seq. */
  readonly chunks: Map<number, Readonly<Record<string, unknown>>>
  /** Where it was last spoken of. */
  line: number
  started: boolean
  isCut: boolean
  isOverrun: boolean
  ended: 'no' | 'done' | 'otherwise'
  seal: { readonly line: number; readonly event: UnknownEvent } | undefined
  /** Open and answered calls by id. */
  readonly calls: Map<string, 'open' | 'answered'>
  /** Results that came before their calls. */
  readonly early: Map<string, { readonly line: number; readonly event: UnknownEvent }>
}

interface SeenThread {
  readonly turns: Map<string, SeenTurn>
  running: SeenTurn | undefined
  n: number | undefined
  readonly numbers: Map<number, string>
  readonly messages: Map<string, { text: string; state: 'queued' | 'consumed' | 'gone' }>
  readonly rows: Map<number, string>
}

const GROWING = new Set(['text-delta', 'reasoning-delta', 'reasoning-end', 'tool-input-start', 'tool-input-delta', 'tool-call', 'tool-output', 'shell-output', 'tool-result', 'part'])

/** A call's name: several executions of one turn may use one id. An event that names none means any of them. */
function callKey({ calls }: SeenTurn, { executionId }: UnknownEvent, id: unknown): string {
  if (typeof executionId === 'string') return `${executionId} ${String(id)}`
  return [...calls.keys()].findLast(key => key.endsWith(` ${String(id)}`)) ?? ` ${String(id)}`
}

/** Follows a stream and tells which rules it breaks. */
export function createStreamCheck() {
  const findings: Finding[] = []
  const threads = new Map<string, SeenThread>()
  let [usesEnds, usesStatus] = [false, false] // Of old, the status `idle` was the end of a turn.
  let here: Line = { line: 0, value: undefined }
  const say = (rule: Rule, more = '', line = here.line, event: unknown = here.value) => {
    findings.push(found(rule, line, event, more))
  }
  const threadOf = (id: string): SeenThread => {
    const known = threads.get(id)
    if (known !== undefined) return known
    const thread: SeenThread = { turns: new Map(), running: undefined, n: undefined, numbers: new Map(), messages: new Map(), rows: new Map() }
    threads.set(id, thread)
    return thread
  }
  const turnOf = (thread: SeenThread, threadId: string, id: string): SeenTurn => {
    const known = thread.turns.get(id)
    if (known !== undefined) return known
    const turn: SeenTurn = { id, threadId, events: [], chunks: new Map(), line: here.line, started: false, isCut: false, isOverrun: false, ended: 'no', seal: undefined, calls: new Map(), early: new Map() }
    thread.turns.set(id, turn)
    return turn
  }
  const number = (thread: SeenThread, { n, ...event }: Readonly<Record<string, unknown>>, firstN: number | undefined) => {
    if (typeof n !== 'number') return
    const [text, first] = [JSON.stringify(event), firstN ?? n]
    if (thread.n !== undefined && event['type'] !== 'ping') {
      if (first > thread.n + 1) say('n-gap', `after ${thread.n} comes ${first}`)
      else if (n <= thread.n && thread.numbers.has(n) && thread.numbers.get(n) !== text) say('n-reused', `n ${n}`)
    }
    if (event['type'] !== 'ping') thread.numbers.set(n, text)
    thread.n = Math.max(thread.n ?? n, n)
  }
  /** The rows of a page, or one row. */
  const rows = (threadId: string, list: readonly unknown[], mayChange = false) => {
    const thread = threadOf(threadId)
    let last = -Infinity
    for (const row of list) {
      if (!isRecord(row) || typeof row['seq'] !== 'number' || typeof row['turnId'] !== 'string') continue
      const { seq, turnId } = row
      if (seq <= last) say('seq-order', `${seq} after ${last}`)
      last = seq
      const text = JSON.stringify([turnId, row['role'], row['type'], row['data']])
      if (!mayChange && thread.rows.has(seq) && thread.rows.get(seq) !== text) say('seq-reused', `seq ${seq}`)
      thread.rows.set(seq, text)
      turnOf(thread, threadId, turnId).chunks.set(seq, row)
    }
  }
  const page = (threadId: string, list: readonly unknown[], mayChange: boolean) => {
    rows(threadId, list, mayChange)
    const seqs = list.flatMap(row => (isRecord(row) && typeof row['seq'] === 'number' ? [row['seq']] : []))
    const newest = Math.max(...seqs)
    for (const turn of threadOf(threadId).turns.values()) {
      const lastSeq = turn.seal?.event['lastSeq']
      if (typeof lastSeq === 'number' && newest >= lastSeq && Math.min(...seqs) <= lastSeq && !seqs.includes(lastSeq)) say('seal-without-chunk', `turn ${turn.id}, seq ${lastSeq}`)
    }
  }
  const message = (thread: SeenThread, event: UnknownEvent) => {
    const id = String(event['messageId'])
    const known = thread.messages.get(id)
    const text = JSON.stringify(event['message'] ?? event['parts'])
    if (known !== undefined && (known.state !== 'queued' || known.text !== text)) say('message-reused', id)
    thread.messages.set(id, { text, state: 'queued' })
  }
  const consumed = (thread: SeenThread, event: UnknownEvent) => {
    for (const id of Array.isArray(event['messageIds']) ? event['messageIds'].map(String) : []) {
      const known = thread.messages.get(id)
      if (known === undefined) say('consumed-unknown', id)
      else if (known.state !== 'queued') say('consumed-twice', id)
      thread.messages.set(id, { text: known?.text ?? '', state: 'consumed' })
    }
  }
  const started = (thread: SeenThread, turn: SeenTurn) => {
    if (turn.started && (turn.ended !== 'no' || turn.seal !== undefined)) say('turn-reused', turn.id)
    const before = thread.running
    if (before !== undefined && before !== turn && before.ended === 'no' && usesEnds) {
      say('overlapping-turns', `${before.id} runs`)
      before.isOverrun = true
    }
    turn.started = true
    thread.running = turn
  }
  const ended = (turn: SeenTurn, outcome: unknown) => {
    usesEnds = true
    if (turn.ended !== 'no') return say('second-end', turn.id)
    turn.ended = outcome === 'done' ? 'done' : 'otherwise'
    const open = [...turn.calls].filter(([, state]) => state === 'open').map(([id]) => id.trim())
    if (outcome === 'done' && open.length > 0) say('call-without-result', open.join(', '))
  }
  const sealed = (threadId: string, turn: SeenTurn, event: UnknownEvent) => {
    const [was, is] = [turn.seal?.event['lastSeq'], event['lastSeq']]
    if (was !== undefined && is !== undefined && was !== is) say('seal-changed', `lastSeq ${String(was)}, then ${String(is)}`)
    turn.seal ??= { line: here.line, event }
    if (Array.isArray(event['chunks'])) rows(threadId, event['chunks'])
  }
  const grow = (turn: SeenTurn, event: UnknownEvent) => {
    if (turn.ended !== 'no' || turn.seal !== undefined) return say('late-event', `turn ${turn.id}`)
    turn.events.push(event)
    const { toolCall, toolResult } = event
    if (isRecord(toolCall)) {
      const id = callKey(turn, event, toolCall['id'] ?? toolCall['callId'])
      if (turn.calls.get(id) === 'open') say('call-reused', id.trim())
      turn.calls.set(id, turn.early.delete(id) ? 'answered' : 'open')
    }
    if (isRecord(toolResult)) {
      const id = callKey(turn, event, toolResult['toolCallId'] ?? toolResult['callId'])
      const state = turn.calls.get(id)
      if (state === 'answered' || turn.early.has(id)) say('second-result', id.trim())
      if (state === undefined) turn.early.set(id, { line: here.line, event })
      else turn.calls.set(id, 'answered')
    }
  }
  /** The turn that an event without a turn means. */
  const meant = (thread: SeenThread, event: UnknownEvent): SeenTurn | undefined => {
    const { callId, toolResult } = event
    const call = callId ?? (isRecord(toolResult) ? toolResult['toolCallId'] : undefined)
    const holder = typeof call === 'string' ? [...thread.turns.values()].findLast(turn => turn.calls.has(callKey(turn, event, call))) : undefined
    return holder ?? thread.running
  }
  const snapshot = (thread: SeenThread, threadId: string, event: UnknownEvent) => {
    if (typeof event['n'] === 'number') thread.n = event['n']
    const listed = Array.isArray(event['turns']) ? event['turns'].filter(isRecord) : []
    thread.running = undefined
    // What came before is not known, of those that are told; what else ran has ended meanwhile.
    for (const turn of thread.turns.values()) if (turn.ended === 'no') turn.isCut = true
    for (const { turnId, phase } of listed) {
      const turn = turnOf(thread, threadId, String(turnId))
      turn.started = true
      if (phase === 'ended') turn.ended = turn.ended === 'no' ? 'otherwise' : turn.ended
      else thread.running = turn
      turn.isCut = true
    }
    for (const item of Array.isArray(event['queue']) ? event['queue'].filter(isRecord) : []) thread.messages.set(String(item['messageId']), { text: JSON.stringify(item['message'] ?? item['parts']), state: 'queued' })
  }
  const take = (threadId: string, event: UnknownEvent) => {
    const thread = threadOf(threadId)
    const { type, turnId } = event
    const turn = typeof turnId === 'string' ? turnOf(thread, threadId, turnId) : meant(thread, event)
    if (turn !== undefined) turn.line = here.line
    switch (type) {
      case 'turn-start':
        return turn === undefined ? undefined : started(thread, turn)
      case 'turn-end':
        if (turn !== undefined) ended(turn, event['outcome'])
        if (thread.running === turn) thread.running = undefined
        return
      case 'turn-sealed':
        if (turn !== undefined) sealed(threadId, turn, event)
        if (thread.running === turn) thread.running = undefined
        return
      case 'message-queued':
        return message(thread, event)
      case 'message-consumed':
        return consumed(thread, event)
      case 'message-cancelled': {
        const known = thread.messages.get(String(event['messageId']))
        if (known?.state === 'consumed') say('cancelled-consumed', String(event['messageId']))
        thread.messages.set(String(event['messageId']), { text: known?.text ?? '', state: 'gone' })
        return
      }
      case 'status':
      case 'statuses':
        usesStatus = true
        return
      case 'snapshot':
        return snapshot(thread, threadId, event)
      case 'log-reset':
      case 'log-truncated':
        return thread.rows.clear()
      case 'chunks-updated':
      case 'chunks-loaded':
        return page(threadId, Array.isArray(event['chunks']) ? event['chunks'] : [], type === 'chunks-updated')
      case 'notice':
      case 'error':
        if (turn?.ended === 'no' && turn.seal === undefined) turn.events.push(event)
        return
      default:
        if (!GROWING.has(type)) return
        if (turn === undefined) return say('no-turn')
        if (!turn.started) started(thread, turn)
        return grow(turn, event)
    }
  }

  return {
    /** Takes a line. */
    take(line: Line): void {
      here = line
      const { value } = line
      if (value === undefined) return say('bad-line')
      const threadId = String(value['threadId'] ?? value['tabId'] ?? 'main')
      const { type, chunks, seq, role } = value
      if (typeof seq === 'number' && typeof role === 'string') return rows(threadId, [value])
      if (typeof type !== 'string') return Array.isArray(chunks) ? page(threadId, chunks, false) : say('bad-line')
      if (type !== 'snapshot') number(threadOf(threadId), value, line.firstN)
      take(threadId, { ...value, type })
    },
    /** The stream is over: what should have come by now. */
    end(): { readonly findings: Finding[]; readonly turns: readonly SeenTurn[] } {
      for (const { turns } of threads.values()) judgeTurns([...turns.values()], usesEnds || !usesStatus, say)
      return { findings, turns: [...threads.values()].flatMap(({ turns }) => [...turns.values()]) }
    },
  }
}
