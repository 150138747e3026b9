import { answerTo } from './answers.js'

/** The agent behind the server: starts turns, speaks, calls tools, takes steers at step boundaries, stops when told to. */
export function createAgent({ server, clock, random }) {
  const receipts = new Map()
  let [names, turnNumber] = [0, 0]
  let run

  const pause = (ms, then) => clock.after(ms * (0.6 + random() * 0.8), then)
  const next = () => {
    if (run !== undefined || server.held() || server.queue.length === 0) return
    // Steers that came too late for their turn begin the next one together.
    const late = server.queue.filter(item => item.intent === 'steer')
    const items = late.length > 0 ? late : server.queue.slice(0, 1)
    server.emit({ type: 'message-consumed', messageIds: items.map(item => item.messageId), reason: 'continuation' })
    begin(items)
  }
  const begin = items => {
    const turnId = `t${(turnNumber += 1)}`
    const text = items.map(item => item.message).join('\n\n')
    const messageIds = items.map(item => item.messageId)
    const clientIds = items.flatMap(item => item.clientId ?? [])
    run = { turnId, steps: answerTo(text, turnNumber), wake: () => {}, cancel: () => {} }
    server.emit({ type: 'turn-start', turnId, user: { messageId: messageIds[0], clientIds, text }, messageIds })
    server.write(turnId, 1)
    const mine = run
    const script = perform(run)
    const go = () => {
      const { value, done } = script.next()
      if (done) return end(mine, value)
      if (value === 'person') mine.wake = go
      else mine.cancel = pause(value, go)
    }
    mine.cancel = pause(350, go)
    return turnId
  }

  function* perform({ turnId, steps }) {
    let step = 0
    for (const [index, { think, say, call, fail }] of steps.entries()) {
      if (think !== undefined) {
        yield* stream('reasoning-delta', turnId, think)
        server.emit({ type: 'reasoning-end', turnId })
      } else if (say !== undefined) yield* stream('text-delta', turnId, say)
      else if (fail !== undefined) {
        server.emit({ type: 'error', turnId, error: fail })
        return 'error'
      } else {
        yield* use({ ...call, callId: `${turnId}-c${index}` }, turnId, step)
        step += 1
        const steers = server.queue.filter(item => item.intent === 'steer')
        for (const { messageId, message } of steers) {
          server.emit({ type: 'message-consumed', messageIds: [messageId], reason: 'interrupt', turnId })
          yield 200
          yield* stream('text-delta', turnId, `Noted, I take that into account: ${message.toLowerCase()} `)
        }
      }
    }
    return 'done'
  }
  function* stream(type, turnId, text) {
    for (const [delta] of text.matchAll(/\S+\s*/g)) {
      server.emit({ type, turnId, delta })
      yield 45
    }
    yield 100
  }
  function* use({ callId, name, input, ask, output = [], result, isError }, turnId, step) {
    server.emit({ type: 'tool-input-start', turnId, callId, name, step })
    for (const delta of JSON.stringify(input).match(/.{1,14}/g)) {
      server.emit({ type: 'tool-input-delta', turnId, callId, delta })
      yield 40
    }
    server.emit({ type: 'tool-call', turnId, toolCall: { id: callId, name, arguments: input }, step })
    yield 150
    if (ask !== undefined) {
      run.asks = callId
      server.emit({ type: 'approval-request', turnId, callId, prompt: ask })
      yield 'person'
      if (run.decision === 'denied') {
        server.emit({ type: 'tool-result', turnId, toolResult: { toolCallId: callId, result: 'denied by a person', isError: true } })
        return
      }
    }
    for (const data of output) {
      server.emit({ type: 'tool-output', turnId, callId, data })
      yield 260
    }
    yield 250
    server.emit({ type: 'tool-result', turnId, toolResult: { toolCallId: callId, result, ...(isError ? { isError } : {}) } })
    yield 150
  }

  /** The first end wins. The write follows, then the word that it is written; the next turn may begin between the two. */
  const end = (ended, outcome) => {
    if (run !== ended) return
    const { turnId } = run
    run.cancel()
    run = undefined
    server.emit({ type: 'turn-end', turnId, outcome })
    // What waited for an answer that broke off is given back to its people.
    if (outcome !== 'done' && server.queue.length > 0) server.listQueue([...server.queue], true)
    const isInline = random() < 0.3
    pause(250, () => {
      server.write(turnId)
      pause(200, next)
      pause(500, () => server.seal(turnId, isInline))
    })
  }
  const answerOnce = (clientId, make) => {
    if (!receipts.has(clientId)) receipts.set(clientId, make())
    return receipts.get(clientId)
  }
  const known = messageId => server.queue.find(item => item.messageId === messageId)
  const busy = () => run !== undefined || server.turns.some(turn => turn.outcome === undefined) || server.queue.length > 0

  return {
    busy,
    running: () => run?.turnId,
    /** The call that waits for a person. */
    asks: () => run?.asks,
    send: ({ clientId, text, parts, intent }) =>
      answerOnce(clientId, () => {
        const item = { messageId: `m${(names += 1)}`, clientId, message: text ?? parts?.map(part => part.text ?? '').join('\n') ?? '' }
        if (!busy()) {
          const turnId = begin([item])
          return { status: 'ok', messageId: item.messageId, turnId, n: server.n() }
        }
        server.emit({ type: 'message-queued', ...item, intent })
        return { status: 'queued', messageId: item.messageId, n: server.n() }
      }),
    stop() {
      if (run !== undefined) end(run, 'aborted')
      return { success: true }
    },
    'cancel-queued': ({ messageId }) => {
      if (known(messageId) === undefined) return { success: false }
      server.emit({ type: 'message-cancelled', messageId })
      return { success: true }
    },
    'edit-queued': ({ messageId, text }) => {
      if (known(messageId) === undefined) return { success: false }
      server.emit({ type: 'message-edited', messageId, message: text })
      return { success: true }
    },
    'send-now': ({ messageId }) => {
      const item = known(messageId)
      if (item === undefined) return { success: false }
      server.listQueue([item, ...server.queue.filter(other => other !== item)], false)
      next()
      return { success: true }
    },
    'resume-queue': () => {
      if (server.held()) server.listQueue([...server.queue], false)
      next()
      return { success: true }
    },
    'resolve-approval': ({ callId, decision }) => {
      if (run?.asks !== callId) return { success: false }
      Object.assign(run, { asks: undefined, decision })
      server.emit({ type: 'approval-resolved', turnId: run.turnId, callId, decision })
      clock.after(100, run.wake)
      return { success: true }
    },
  }
}
