import type { Chunk, KnownEvent, Page, QueueItem, SnapshotEvent } from './events.js'
import type { SendAnswer, Transport } from './options.js'
import { type PaperEvent, type PaperRow, keep, liveRows } from './testing-rows.js'

/** How a paper server differs from others. */
export interface PaperOptions {
  /** What a seal tells: its turn, also the last seq, also its rows. */
  readonly seal?: 'plain' | 'range' | 'inline'
  /** Events have numbers: yes. */
  readonly isNumbered?: boolean
  /** The thread: `main`. */
  readonly threadId?: string
}

/**
 * A server on paper: a log, a queue, turns. What it holds is true, and what it tells is what a good server tells, at
 * once and in order; what becomes of it on the way is the test's. Turns are `a`, `b` and so on, messages `m1`, `m2`.
 */
export interface PaperServer {
  /** The log. */
  readonly log: readonly Chunk[]
  /** The queue, in order. */
  readonly queue: readonly QueueItem[]
  /** All events so far. */
  readonly events: readonly KnownEvent[]
  /** For `createStore`. Every call is answered at once. */
  readonly transport: Transport
  /** Hears of every event; ends with the function that it gives. */
  subscribe(this: void, listener: (event: KnownEvent) => void): () => void
  /** Starts a turn with a message, or with what waits in the queue; gives its id. */
  start(this: void, text?: string, clientId?: string): string
  /** Tells anything of the running turn, and keeps what of it will be written. */
  tell(this: void, event: PaperEvent): void
  /** Ends the running turn. */
  end(this: void, outcome?: 'done' | 'aborted' | 'error'): void
  /** Writes an ended turn into the log, and announces nothing. */
  write(this: void, turnId: string): void
  /** Writes it where that was not done, and announces it. */
  seal(this: void, turnId: string): void
  /** The whole live state. */
  snapshot(this: void): SnapshotEvent
}

interface Turn {
  readonly id: string
  readonly rows: PaperRow[]
  readonly message: { readonly messageId: string; readonly clientIds: readonly string[] }
  outcome: 'done' | 'aborted' | 'error' | undefined
  isWritten: boolean
}

/** An empty server. */
export function createPaperServer({ seal: says = 'range', isNumbered = true, threadId = 'main' }: PaperOptions = {}): PaperServer {
  const [log, queue, events]: [Chunk[], QueueItem[], KnownEvent[]] = [[], [], []]
  const open: Turn[] = []
  const answers = new Map<string, SendAnswer>()
  const listeners = new Set<(event: KnownEvent) => void>()
  let [n, turns, messages] = [0, 0, 0]
  const running = () => open.find(({ outcome }) => outcome === undefined)
  const emit = (event: KnownEvent) => {
    n += 1
    const told: KnownEvent = { ...event, threadId, ...(isNumbered ? { n } : {}) }
    events.push(told)
    for (const listener of [...listeners]) listener(told)
  }
  const nextMessage = () => `m${(messages += 1)}`
  const begin = (text: string, messageId: string, clientIds: readonly string[], messageIds: readonly string[] = []): Turn => {
    const turn: Turn = { id: letters(turns++), rows: [{ role: 'user', type: 'text', data: { text } }], message: { messageId, clientIds }, outcome: undefined, isWritten: false }
    open.push(turn)
    emit({ type: 'turn-start', turnId: turn.id, user: { messageId, clientIds, text }, ...(messageIds.length === 0 ? {} : { messageIds }) })
    return turn
  }
  const must = (turn: Turn | undefined, what: string): Turn => {
    if (turn === undefined) throw new Error(`the paper server has no ${what}`)
    return turn
  }
  const end = (turn: Turn, outcome: 'done' | 'aborted' | 'error') => {
    turn.outcome = outcome
    emit({ type: 'turn-end', turnId: turn.id, outcome })
  }
  const write = (id: string) => {
    const turn = must(open.find(turn => turn.id === id && turn.outcome !== undefined), `ended turn ${id}`)
    if (turn.isWritten) return
    turn.isWritten = true
    turn.rows.forEach((row, at) => log.push({ ...row, seq: log.length + 1, turnId: id, ...(at === 0 ? turn.message : {}) }))
  }
  const page = ({ limit, before = Infinity, after = -Infinity }: { readonly limit: number; readonly before?: number; readonly after?: number }): Page => {
    const chunks = log.filter(({ seq }) => seq < before && seq > after).slice(-limit)
    return { chunks, total: log.length, oldestSeq: 1, ...(chunks[0] === undefined || chunks[0].seq === 1 ? {} : { prevSeq: chunks[0].seq - 1 }) }
  }
  const snapshot = (): SnapshotEvent => ({
    type: 'snapshot',
    threadId,
    ...(isNumbered ? { n } : {}),
    lastSeq: log.length,
    turns: open.map(({ id, rows, message, outcome }) => ({
      turnId: id,
      ...(outcome === undefined ? { phase: 'streaming' } : { phase: 'ended', outcome }),
      rows: liveRows(rows).map((row, at) => ({ ...row, ...(at === 0 ? message : {}) })),
    })),
    queue: [...queue],
  })
  const send = (clientId: string, text: string, intent: 'queue' | 'steer'): SendAnswer => {
    if (running() === undefined) {
      const messageId = nextMessage()
      const turn = begin(text, messageId, [clientId])
      return { status: 'ok', messageId, turnId: turn.id, ...(isNumbered ? { n } : {}) }
    }
    const item = { messageId: nextMessage(), message: text, clientId, intent }
    queue.push(item)
    emit({ type: 'message-queued', ...item })
    return { status: 'queued', messageId: item.messageId, ...(isNumbered ? { n } : {}) }
  }

  return {
    log,
    queue,
    events,
    transport: {
      loadChunks: page,
      send: ({ clientId, text, intent }) => {
        const answer = answers.get(clientId) ?? send(clientId, text ?? '', intent)
        answers.set(clientId, answer)
        return answer
      },
      stop: () => {
        const turn = running()
        if (turn !== undefined) end(turn, 'aborted')
      },
      cancelQueued: ({ messageId }) => {
        const at = queue.findIndex(item => item.messageId === messageId)
        if (at < 0) return { success: false }
        queue.splice(at, 1)
        emit({ type: 'message-cancelled', messageId })
        return { success: true }
      },
      resync: snapshot,
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start: (text, clientId) => {
      if (text !== undefined) return begin(text, nextMessage(), clientId === undefined ? [] : [clientId]).id
      const items = queue.splice(0)
      const [first] = items
      if (first === undefined) throw new Error('the paper server has nothing to start with')
      const messageIds = items.map(({ messageId }) => messageId)
      emit({ type: 'message-consumed', messageIds, reason: 'continuation' })
      const clientIds = items.flatMap(item => (item.clientId === undefined ? [] : [item.clientId]))
      return begin(items.map(({ message }) => message).join('\n\n'), first.messageId, clientIds, messageIds).id
    },
    tell: event => {
      const { id, rows } = must(running(), 'running turn')
      emit(keep(id, rows, event))
    },
    end: (outcome = 'done') => end(must(running(), 'running turn'), outcome),
    write,
    seal: id => {
      write(id)
      open.splice(open.findIndex(turn => turn.id === id), 1)
      const chunks = log.filter(({ turnId }) => turnId === id)
      const lastSeq = chunks.at(-1)?.seq
      emit({ type: 'turn-sealed', turnId: id, ...(says === 'plain' || lastSeq === undefined ? {} : { lastSeq }), ...(says === 'inline' ? { chunks } : {}) })
    },
    snapshot,
  }
}

/** a, b, ... z, aa, ab and so on. */
function letters(at: number): string {
  const letter = String.fromCharCode(97 + (at % 26))
  return at < 26 ? letter : letters(Math.floor(at / 26) - 1) + letter
}
