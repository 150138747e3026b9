// The host of the engine: it carries effects out, and tells the engine what came of them. It decides nothing about turns.
import { createEngine, transcript } from 'turnseal/engine'
import { epoch, rows, write } from './log.mjs'
import { ask, asksFirst, tools } from './model.mjs'

const engine = createEngine()
const EVENTS_MAX = 1000 // Who missed more gets a snapshot.
const threads = new Map()

/** A thread's last events, who listens, and what can be cancelled. */
function of(threadId) {
  if (!threads.has(threadId)) threads.set(threadId, { events: [], listeners: new Set(), work: new Map() })
  return threads.get(threadId)
}

/** Gives the engine what happened, and the answer to the one who asked. */
export function put(threadId, input) {
  const effects = engine.apply(threadId, input)
  for (const effect of effects) carry(threadId, effect)
  return effects.find(({ type }) => type === 'answer')
}

/** The whole live state. */
export function snapshot(threadId) {
  const log = rows(threadId)
  return { ...engine.snapshot(threadId), threadId, epoch, ...(log.length > 0 && { lastSeq: log.length }) }
}

/** Tells each event from now on, and first what was missed since the number `after`; gives the end of it. */
export function listen(threadId, after, tell) {
  const { events, listeners } = of(threadId)
  const now = engine.snapshot(threadId).n ?? 0
  const missed = events.filter(({ n }) => n > after)
  if (after === undefined || after > now || missed.length < now - after) tell(snapshot(threadId))
  else missed.forEach(tell)
  listeners.add(tell)
  return () => listeners.delete(tell)
}

function carry(threadId, effect) {
  const { events, listeners, work } = of(threadId)
  const { type, turnId, executionId, callId } = effect
  const again = input => put(threadId, input)
  const begin = (key, run) => {
    const controller = new AbortController()
    work.set(key, controller)
    // Not at once: first what else came of this input is carried out.
    queueMicrotask(() => run(controller.signal).finally(() => work.get(key) === controller && work.delete(key)))
  }
  switch (type) {
    case 'publish': {
      const { type: name, n, ...rest } = effect.event
      const event = { type: name, threadId, n, ...rest }
      events.push(event)
      if (events.length > EVENTS_MAX) events.shift()
      return listeners.forEach(tell => tell(event))
    }
    case 'append':
      return write(threadId, effect.chunks)
    case 'seal':
      write(threadId, effect.chunks)
      return queueMicrotask(() => again({ type: 'persisted', turnId, chunks: rows(threadId).filter(row => row.turnId === turnId) }))
    case 'request':
      return begin(executionId, signal => answer(threadId, executionId, signal, again))
    case 'run-tool':
      return begin(callId, () => use(effect, again))
    case 'cancel-request':
      return work.get(executionId)?.abort()
    case 'cancel-tool':
      return work.get(callId)?.abort()
    case 'start-timer':
      return void setTimeout(() => again({ type: 'timer-fired', timer: effect.timer }), effect.ms)
    case 'diagnostic':
      return console.error(`${threadId}: ${effect.code}: ${effect.detail}`)
  }
}

// What comes after its turn has ended is late: the engine drops it, whatever is said here.
async function answer(threadId, executionId, signal, again) {
  try {
    const { messages } = transcript(rows(threadId), { vendor: 'openai-chat', executionId })
    for await (const { text, thought, call } of ask(messages, signal)) {
      if (thought) again({ type: 'delta', executionId, kind: 'reasoning', delta: thought })
      if (text) again({ type: 'delta', executionId, kind: 'text', delta: text })
      if (call) again({ type: 'tool-call', executionId, ...call, approval: asksFirst(call.name), prompt: `May I use ${call.name}?` })
    }
    again({ type: 'step-end', executionId })
  } catch (error) {
    if (!signal.aborted) again({ type: 'execution-end', executionId, outcome: 'error', error: String(error) })
  }
}

async function use({ turnId, executionId, callId, name, arguments: given }, again) {
  try {
    again({ type: 'tool-result', turnId, executionId, callId, result: await tools[name](given) })
  } catch (error) {
    again({ type: 'tool-result', turnId, executionId, callId, result: String(error), isError: true })
  }
}
