import { chunksOf, grown, phaseOf } from './turns.js'

const THREAD = 'main'
const EPOCH = 'demo'

/**
 * A server on paper: a log, a queue, numbered events, snapshots, pages. All that it knows of open turns and of the queue is
 * a fold of the events that it sends, so a recording can take the place of the agent.
 */
export function createServer({ clock }) {
  const log = []
  const turns = []
  const queue = []
  const tape = []
  const listeners = new Set()
  let [n, held, version] = [0, false, 0]
  let agent

  const turnOf = id => (id === undefined ? turns.findLast(turn => turn.outcome === undefined) : turns.find(turn => turn.turnId === id))
  const take = ids => ids.flatMap(id => queue.splice(queue.findIndex(item => item.messageId === id) >>> 0, 1))
  const rowOf = items => ({
    role: 'user',
    messageId: items[0].messageId,
    messageIds: items.map(item => item.messageId),
    clientIds: items.flatMap(item => (item.clientId === undefined ? [] : [item.clientId])),
    parts: [{ type: 'text', text: items.map(item => item.message).join('\n\n') }],
  })

  const applied = event => {
    const { type, messageId } = event
    switch (type) {
      case 'turn-start': {
        const { turnId, user, messageIds = [] } = event
        take(messageIds)
        const named = user && { role: 'user', messageId: user.messageId, messageIds, clientIds: user.clientIds, parts: user.parts ?? [{ type: 'text', text: user.text }] }
        turns.push({ turnId, rows: named ? [named] : [], written: 0 })
        return
      }
      case 'message-queued': {
        const { clientId, message, intent = 'queue' } = event
        const first = queue.findIndex(item => item.intent !== 'steer')
        queue.splice(intent === 'steer' && first >= 0 ? first : queue.length, 0, { messageId, clientId, message, intent })
        return
      }
      case 'message-consumed': {
        const items = take(event.messageIds)
        if (event.reason !== 'continuation') for (const item of items) turnOf(event.turnId)?.rows.push(rowOf([item]))
        return
      }
      case 'message-cancelled':
        take([messageId])
        return
      case 'message-edited':
        for (const item of queue) if (item.messageId === messageId) item.message = event.message
        return
      case 'queue-snapshot':
        queue.splice(0, queue.length, ...event.items)
        held = event.held
        return
      case 'turn-sealed': {
        const at = turns.findIndex(turn => turn.turnId === event.turnId)
        if (at >= 0) turns.splice(at, 1)
        return
      }
      default: {
        const turn = turnOf(event.turnId)
        if (turn !== undefined) grown(turn, event)
      }
    }
  }
  const say = (event, isPing = false) => {
    const text = JSON.stringify(event)
    for (const listener of listeners) listener(text, n, isPing)
  }
  /** Sends an event and knows what it says. */
  const emit = event => {
    n += 1
    const told = { ...event, n }
    applied(structuredClone(event))
    tape.push(told)
    say(told)
  }
  /** Writes what of a turn is not in the log; `upTo` rows of it. Announces nothing. */
  const write = (turnId, upTo = Infinity) => {
    const turn = turnOf(turnId)
    const fresh = chunksOf(turn).slice(turn.written, upTo)
    turn.written += fresh.length
    for (const chunk of fresh) append({ seq: (log.at(-1)?.seq ?? 0) + 1, ...structuredClone(chunk) })
  }
  const append = chunk => {
    const at = log.findIndex(known => known.seq >= chunk.seq)
    if (at < 0) log.push(chunk)
    else log.splice(at, log[at].seq === chunk.seq ? 1 : 0, chunk)
    tape.push(chunk)
  }
  /** Announces that a turn is written; with its chunks where `isInline`. */
  const seal = (turnId, isInline) => {
    const chunks = log.filter(chunk => chunk.turnId === turnId)
    const [firstSeq, lastSeq] = [chunks[0]?.seq, chunks.at(-1)?.seq]
    const prevSeq = log[log.findIndex(chunk => chunk.seq === firstSeq) - 1]?.seq
    emit({ type: 'turn-sealed', turnId, firstSeq, lastSeq, ...(prevSeq === undefined ? {} : { prevSeq }), ...(isInline ? { chunks } : {}) })
  }
  const listQueue = (items, isHeld) => emit({ type: 'queue-snapshot', items, held: isHeld, version: (version += 1) })

  const page = ({ limit, before = Infinity, after = -Infinity }) => {
    const within = log.filter(chunk => chunk.seq < before && chunk.seq > after)
    const chunks = within.slice(Math.max(0, within.length - limit))
    const prevSeq = log[log.indexOf(chunks[0]) - 1]?.seq
    return { chunks, total: log.length, oldestSeq: log[0]?.seq, ...(prevSeq === undefined ? {} : { prevSeq }), epoch: EPOCH }
  }
  const openTurn = turn => ({ turnId: turn.turnId, phase: phaseOf(turn), ...(turn.outcome === undefined ? {} : { outcome: turn.outcome }), rows: turn.rows })
  const approvals = () =>
    turns.flatMap(({ turnId, rows }) =>
      rows
        .flatMap(row => row.parts)
        .filter(part => part.type === 'tool' && part.state === 'awaiting-approval')
        .map(({ callId, name, approval }) => ({ callId, turnId, name, prompt: approval.prompt })),
    )
  const snapshot = () => ({
    type: 'snapshot', threadId: THREAD, n, epoch: EPOCH, lastSeq: log.at(-1)?.seq ?? 0,
    turns: turns.map(openTurn), queue: [...queue], held, approvals: approvals(),
  })
  const ping = () => {
    say({ type: 'ping', threadId: THREAD, n }, true)
    clock.after(1000, ping)
  }
  clock.after(1000, ping)

  return {
    log, queue, turns, tape, emit, write, append, seal, listQueue, snapshot, turnOf,
    n: () => n,
    held: () => held,
    employ: newAgent => (agent = newAgent),
    subscribe: listener => listeners.add(listener),
    /** What a request is answered, by the type of the effect that asks. */
    answer(name, query) {
      if (name === 'load-chunks') return page(query)
      if (name === 'resync') return snapshot()
      return agent?.[name]?.(query) ?? { success: false }
    },
    /** One line of a recording. A turn whose chunks are not in it is written when it is sealed. */
    replay(line) {
      if (line.seq !== undefined && line.role !== undefined) return append(line)
      const { n: _, threadId: __, tabId: ___, ...event } = line
      if (event.type === 'snapshot' || event.type === 'ping' || event.type === 'statuses') return undefined
      if (event.type === 'chunks-loaded') return event.chunks.forEach(append)
      if (event.type === 'turn-sealed' && turnOf(event.turnId) && !log.some(chunk => chunk.turnId === event.turnId)) {
        write(event.turnId)
        return seal(event.turnId, false)
      }
      return emit(event)
    },
  }
}
