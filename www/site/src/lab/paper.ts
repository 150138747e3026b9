// A server on paper: a log, a queue, turns. What it holds is true; what becomes of its words is up to the network.
import type { Chunk, KnownEvent, Page, QueueItem, SnapshotEvent } from 'turnseal'
import { type Row, chunkOf, grown, shown, stepOf } from './turn.ts'

export interface Turn {
  readonly id: string
  readonly rows: Row[]
  outcome: 'done' | 'aborted' | 'error' | undefined
  written: number
  isSealed: boolean
  asks: { readonly call: string; readonly prompt: string | undefined }[]
}
export interface Message { readonly id: string; readonly text: string; readonly client: string | undefined; readonly intent: 'queue' | 'steer' }
export interface Receipt { readonly status: 'ok' | 'queued'; readonly messageId: string; readonly turnId?: string; readonly n: number }
type Told = KnownEvent & { readonly n: number }

const need: <T>(value: T | undefined, why: string) => asserts value is T = (value, why) => {
  if (value === undefined) throw new Error(why)
}

export function createPaper() {
  const log: Chunk[] = []
  const queue: string[] = []
  const turns: Turn[] = []
  const outbox: Told[] = []
  const messages = new Map<string, Message>()
  const typed = new Map<string, { readonly text: string; readonly intent: 'queue' | 'steer' }>()
  const receipts = new Map<string, Receipt>()
  const cancelled = new Set<string>()
  let [n, isHeld, version] = [0, false, 0]

  const say = (event: KnownEvent) => {
    n += 1
    outbox.push({ ...event, threadId: 'main', n } as Told)
  }
  const running = () => turns.findLast(turn => turn.outcome === undefined)
  const message = (id: string): Message => {
    const known = messages.get(id)
    need(known, `no message ${id}`)
    return known
  }
  const live = (id: string): Turn => {
    const turn = turns.find(known => known.id === id)
    need(turn, `no turn ${id}`)
    if (turn.outcome !== undefined) throw new Error(`${id} has ended`)
    return turn
  }
  const clientsOf = (ids: readonly string[]) => ids.flatMap(id => messages.get(id)?.client ?? [])
  const items = (): QueueItem[] => queue.map(id => {
    const { text, client, intent } = message(id)
    return { messageId: id, message: text, ...(client === undefined ? {} : { clientId: client }), intent }
  })
  const listQueue = () => say({ type: 'queue-snapshot', items: items(), held: isHeld, version: (version += 1) })
  const hold = (value: boolean) => {
    isHeld = value
    listQueue()
  }
  const unqueue = (id: string) => {
    if (!queue.includes(id)) throw new Error(`${id} is not queued`)
    queue.splice(queue.indexOf(id), 1)
  }

  const accept = (id: string, client: string | undefined, text: string | undefined, intent?: 'queue' | 'steer') => {
    if (messages.has(id)) throw new Error(`${id} is a message already`)
    const known = client === undefined ? undefined : typed.get(client)
    if (client !== undefined) need(known, `nobody sent ${client}`)
    const words = known?.text ?? text
    need(words, `${id} says nothing`)
    messages.set(id, { id, text: words, client, intent: known?.intent ?? intent ?? 'queue' })
  }
  const enqueue = (id: string, client?: string, text?: string, intent?: 'queue' | 'steer') => {
    accept(id, client, text, intent)
    const added = message(id)
    const steers = queue.filter(known => message(known).intent === 'steer').length
    queue.splice(added.intent === 'steer' ? steers : queue.length, 0, id)
    say({ type: 'message-queued', messageId: id, message: added.text, ...(client === undefined ? {} : { clientId: client }), intent: added.intent })
    if (client !== undefined) receipts.set(client, { status: 'queued', messageId: id, n })
  }

  const write = (id: string, isUserOnly = false) => {
    const turn = turns.find(known => known.id === id)
    need(turn, `no turn ${id}`)
    const to = Math.max(turn.written, isUserOnly ? Math.min(1, turn.rows.length) : turn.rows.length)
    for (const row of turn.rows.slice(turn.written, to)) log.push(chunkOf(id, row, log.length + 1, clientsOf))
    turn.written = to
  }
  const start = (id: string, ids: readonly string[]) => {
    if (turns.some(turn => turn.id === id)) throw new Error(`${id} is a turn already`)
    if (running() !== undefined) throw new Error('a turn runs')
    for (const one of ids) if (queue.includes(one)) unqueue(one)
    const text = ids.map(one => message(one).text).join('\n\n')
    turns.push({ id, rows: [{ kind: 'user', messages: ids, text }], outcome: undefined, written: 0, isSealed: false, asks: [] })
    write(id, true)
    say({ type: 'turn-start', turnId: id, user: { messageId: ids[0] ?? '', clientIds: clientsOf(ids), text }, messageIds: [...ids] })
    for (const one of ids) {
      const { client } = message(one)
      if (client !== undefined && !receipts.has(client)) receipts.set(client, { status: 'ok', messageId: one, turnId: id, n })
    }
  }
  const end = (id: string, outcome: 'done' | 'aborted' | 'error', error?: string) => {
    const turn = live(id)
    Object.assign(turn, { outcome, asks: [] })
    say({ type: 'turn-end', turnId: id, outcome, ...(error === undefined ? {} : { error }) })
  }

  return {
    log, queue, turns, outbox, messages, typed, receipts, cancelled, running, message, hold, enqueue, accept, write, start, end, listQueue,
    n: () => n,
    isHeld: () => isHeld,
    ping: () => void outbox.push({ type: 'ping', threadId: 'main', n } as Told),
    /** The server takes what a client has sent: it starts a turn, or it waits. A known client id is the same message. */
    take(client: string): Receipt {
      const known = receipts.get(client)
      if (known !== undefined) return known
      const wasHeld = isHeld
      isHeld = false
      if (running() === undefined && queue.length === 0) {
        accept(`m-${client}`, client, undefined)
        start(`t-${client}`, [`m-${client}`])
      } else enqueue(`q-${client}`, client)
      if (wasHeld) listQueue()
      const receipt = receipts.get(client)
      need(receipt, `${client} has no answer`)
      return receipt
    },
    delta(id: string, delta: string) {
      const turn = live(id)
      grown(turn, delta)
      say({ type: 'text-delta', turnId: id, delta })
    },
    call(id: string, call: string, name: string, given: string) {
      const turn = live(id)
      const step = stepOf(turn)
      turn.rows.push({ kind: 'call', call, name, arguments: JSON.parse(given), step, isAnswered: false })
      say({ type: 'tool-call', turnId: id, toolCall: { id: call, name, arguments: JSON.parse(given) }, step })
    },
    result(id: string, call: string, result: string, isError: boolean) {
      const turn = live(id)
      const open = turn.rows.findLast(row => row.kind === 'call' && row.call === call && !row.isAnswered)
      if (open?.kind !== 'call') throw new Error(`${call} is not open`)
      open.isAnswered = true
      turn.asks = turn.asks.filter(ask => ask.call !== call)
      turn.rows.push({ kind: 'result', call, result, isError, step: open.step })
      say({ type: 'tool-result', turnId: id, toolResult: { toolCallId: call, result, isError } })
    },
    ask(id: string, call: string, prompt: string | undefined) {
      const turn = live(id)
      turn.asks.push({ call, prompt })
      say({ type: 'approval-request', turnId: id, callId: call, ...(prompt === undefined ? {} : { prompt }) })
    },
    /** False: nobody asks. */
    decide(call: string, decision: 'approved' | 'denied'): boolean {
      const turn = turns.find(known => known.outcome === undefined && known.asks.some(ask => ask.call === call))
      if (turn === undefined) return false
      turn.asks = turn.asks.filter(ask => ask.call !== call)
      say({ type: 'approval-resolved', turnId: turn.id, callId: call, decision })
      return true
    },
    notice(id: string, text: string) {
      live(id).rows.push({ kind: 'notice', text })
      say({ type: 'notice', turnId: id, message: text })
    },
    consume(ids: readonly string[]) {
      const turn = running()
      need(turn, 'no turn runs that could be interrupted')
      for (const id of ids) {
        unqueue(id)
        turn.rows.push({ kind: 'user', messages: [id], text: message(id).text })
      }
      say({ type: 'message-consumed', messageIds: [...ids], reason: 'interrupt', turnId: turn.id })
    },
    cancel(id: string): boolean {
      if (!queue.includes(id)) return false
      unqueue(id)
      cancelled.add(id)
      say({ type: 'message-cancelled', messageId: id })
      return true
    },
    /** False: it is not queued. */
    move(id: string, index: number): boolean {
      if (!queue.includes(id)) return false
      unqueue(id)
      queue.splice(index, 0, id)
      listQueue()
      return true
    },
    stop(id: string | undefined) {
      const turn = running()
      if (turn === undefined || (id !== undefined && id !== turn.id)) return
      end(turn.id, 'aborted')
      hold(true)
    },
    seal(id: string) {
      const turn = turns.find(known => known.id === id)
      if (turn?.outcome === undefined || turn.isSealed) throw new Error(`${id} runs or is sealed`)
      write(id)
      turn.isSealed = true
      say({ type: 'turn-sealed', turnId: id })
    },
    page({ limit, before = Infinity }: { readonly limit: number; readonly before?: number }): Page {
      const older = log.filter(chunk => chunk.seq < before)
      const chunks = older.slice(Math.max(0, older.length - limit))
      const prevSeq = older[older.length - chunks.length - 1]?.seq
      return { chunks, total: log.length, ...(log[0] ? { oldestSeq: log[0].seq } : {}), ...(prevSeq === undefined ? {} : { prevSeq }), epoch: 'e0' }
    },
    snapshot(): SnapshotEvent {
      const open = turns.filter(turn => !turn.isSealed)
      const last = log.at(-1)
      return {
        type: 'snapshot', threadId: 'main', n, epoch: 'e0', ...(last ? { lastSeq: last.seq } : {}),
        turns: open.map(turn => ({ turnId: turn.id, phase: phaseOf(turn), ...(turn.outcome ? { outcome: turn.outcome } : {}), sealed: false, rows: shown(turn, clientsOf) })),
        queue: items(), held: isHeld,
        approvals: open.flatMap(({ id, asks }) => asks.map(({ call, prompt }) => ({ callId: call, turnId: id, name: 'ls', ...(prompt === undefined ? {} : { prompt }) }))),
      }
    },
  }
}
export type Paper = ReturnType<typeof createPaper>

/** Where a turn stands, as a snapshot says it. */
export function phaseOf({ outcome, asks, rows }: Turn): 'pending' | 'streaming' | 'awaiting-tool' | 'awaiting-approval' | 'ended' {
  if (outcome !== undefined) return 'ended'
  if (asks.length > 0) return 'awaiting-approval'
  if (rows.some(row => row.kind === 'call' && !row.isAnswered)) return 'awaiting-tool'
  return rows.length > 1 ? 'streaming' : 'pending'
}
