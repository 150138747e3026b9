// What must not cost more where there is more of it: time for one event in a large case against a small one. A process of its
// own; prints JSON.
import { createStore } from '../pkg/dist/node.js'
import { deltas, frames } from './work.mjs'

const ROUNDS = 3

const newStore = (createStore, limits) => createStore({ limits, schedule: 'sync', transport: 'manual', onDiagnostic: () => {} })
const place = { threadId: 'main', turnId: 'turn-live' }

/** Feeds frames, each looked at. */
function fed(store, list) {
  const start = process.hrtime.bigint()
  for (const frame of list) {
    store.handleMessage(frame)
    store.renderGroups()
  }
  return Number(process.hrtime.bigint() - start)
}

/** An answer in so many deltas of ten bytes. */
function answer(createStore, count) {
  const store = newStore(createStore)
  store.handleMessage(JSON.stringify({ type: 'turn-start', ...place, n: 1, user: { messageId: 'm', text: 'q' } }))
  let nanos = 0
  for (let from = 0; from < count; from += 10_000) {
    const list = frames(deltas(from + 2, Math.min(10_000, count - from)).map(event => ({ ...event, delta: '0123456789' })), 16)
    nanos += fed(store, list)
  }
  const text = store.renderGroups().at(-1).parts[0].text
  if (text.length !== count * 10) throw new Error('text is missing')
  store.free()
  return nanos / count
}

/** Arguments of a tool, by so many pieces of twenty bytes. */
function tool(createStore, count) {
  const store = newStore(createStore)
  store.handleMessage(JSON.stringify({ type: 'tool-input-start', ...place, callId: 'c', name: 'write' }))
  const list = frames(Array.from({ length: count }, () => ({ type: 'tool-input-delta', ...place, callId: 'c', delta: 'twenty bytes of it: ' })), 16)
  const nanos = fed(store, list)
  if (store.renderGroups().at(-1).parts[0].argumentsText.length !== count * 20) throw new Error('arguments are missing')
  store.free()
  return nanos / count
}

/** So many chunks, paged in from the end. */
function paged(createStore, count) {
  const store = newStore(createStore, { window: 50, page: 50 })
  const thread = store.thread()
  const chunk = seq => ({ seq, turnId: `t${seq >> 1}`, messageId: `m${seq}`, role: seq % 2 === 0 ? 'user' : 'assistant', type: 'text', data: { text: `text ${seq}` } })
  const page = to => ({ chunks: Array.from({ length: Math.min(50, to) }, (_, index) => chunk(Math.max(to - 50, 0) + index + 1)), total: count })
  const [first] = store.takeEffects()
  store.handleEvent({ type: 'effect-result', id: first.id, ok: true, value: page(count) })
  thread.setScrolledUp(true)
  let nanos = 0
  for (let before = count - 50; before > 0; before -= 50) {
    const value = page(before)
    const start = process.hrtime.bigint()
    thread.loadOlder()
    const [load] = store.takeEffects()
    store.handleEvent({ type: 'effect-result', id: load.id, ok: true, value })
    store.renderGroups()
    nanos += Number(process.hrtime.bigint() - start)
  }
  if (store.renderGroups().length !== count) throw new Error(`${store.renderGroups().length} groups of ${count}`)
  store.free()
  return nanos / count
}

/** So many messages, queued and cancelled. */
function queue(createStore, count) {
  const store = newStore(createStore)
  const all = kind => frames(Array.from({ length: count }, (_, index) => ({ type: kind, threadId: 'main', messageId: `q${index}`, ...(kind === 'message-queued' ? { message: 'waits' } : {}) })), 16)
  const nanos = fed(store, [...all('message-queued'), ...all('message-cancelled')])
  if (store.renderGroups().length !== 0) throw new Error('a message is left')
  store.free()
  return nanos / (2 * count)
}

/** So many threads that all stream. */
function threads(createStore, count) {
  const store = newStore(createStore, { threads: 2000 })
  const rounds = 40_000 / count
  const list = Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: count }, (_, thread) => JSON.stringify({ type: 'text-delta', threadId: `t${thread}`, turnId: 'a', n: round + 1, delta: 'word ' })),
  ).flat()
  for (const frame of list.slice(0, count)) store.handleMessage(frame)
  const start = process.hrtime.bigint()
  list.slice(count).forEach((frame, index) => {
    store.handleMessage(frame)
    store.renderGroups(`t${index % count}`)
  })
  const nanos = Number(process.hrtime.bigint() - start)
  if (store.renderGroups('t0')[0].parts[0].text.length !== rounds * 5) throw new Error('text is missing')
  store.free()
  return nanos / (list.length - count)
}

const CASES = [
  ['answer', 'an answer of 10 MB in a million deltas', answer, 10_000, 1_000_000],
  ['tool', 'arguments of 1 MB by 20 bytes', tool, 2_000, 52_000],
  ['paged', '100,000 chunks paged in from the end', paged, 2_000, 100_000],
  ['queue', '10,000 messages queued and cancelled', queue, 200, 10_000, 1],
  ['threads', '1,000 threads that stream', threads, 10, 1_000],
]

/** Time for one event: small, large, and their ratio. The best of some rounds, since the machine may be busy. */
const costs = CASES.map(([id, what, run, small, large, own = ROUNDS]) => {
  run(createStore, small)
  const best = count => Math.min(...Array.from({ length: own }, () => run(createStore, count)))
  const [few, many] = [best(small), best(large)]
  return { id, what, few, many, ratio: many / few }
})
console.log(JSON.stringify(costs))
