import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakingCores, chance, createStoreWith, drawn, makeCore, paperTransport, soon, textChunk } from './lib.mjs'

/** Feeds a store a life at random: two threads, turns, deltas by all ways, messages, queues, seals, pages, answers. */
function live(store, seed, steps, isCalm = false) {
  const { below, next, pick } = chance(seed)
  const turns = []
  let [made, seq, n] = [0, 0, 0]
  for (let step = 0; step < steps; step++) {
    const threadId = pick(['main', 'other'])
    const turn = turns.length > 0 ? pick(turns) : undefined
    const event = pick([
      () => { turns.push(`t${++made}`); return { type: 'turn-start', threadId, turnId: `t${made}`, user: { messageId: `m${made}`, text: `q${made}` } } },
      () => turn && { type: 'turn-end', threadId, turnId: turn, outcome: pick(['done', 'aborted', 'error']) },
      () => turn && { type: 'turn-sealed', threadId, turnId: turn, chunks: [textChunk(++seq, turn, 'user', 'q', { messageId: `m${turn.slice(1)}` }), textChunk(++seq, turn, 'assistant', 'r')] },
      () => ({ type: 'message-queued', threadId, messageId: `q${++made}`, message: 'waits' }),
      () => ({ type: 'message-consumed', threadId, messageIds: [`q${below(made + 1)}`], reason: 'continuation' }),
      () => turn && { type: 'tool-call', threadId, turnId: turn, toolCall: { id: `c${below(5)}`, name: 'run', arguments: { a: [1, null] } } },
      () => turn && { type: 'tool-output', threadId, turnId: turn, data: 'out' },
      () => ({ type: 'usage', threadId, tokens: ++n }),
      () => ({ type: 'nonsense' }),
      () => turn && { type: 'text-delta', threadId, turnId: turn, delta: isCalm ? '.' : '\uD83D' },
    ])()
    const deltas = turn === undefined ? [] : Array.from({ length: below(5) }, () => ({ type: 'text-delta', threadId, turnId: turn, delta: `w${below(100)} ` }))
    for (const each of [event, ...deltas].filter(Boolean)) {
      const kind = next()
      if (kind < 0.5) store.handleEvent(each)
      else if (kind < 0.8) store.handleMessage(JSON.stringify(each))
      else store.handleMessage(new TextEncoder().encode(JSON.stringify(each)))
    }
    if (next() < 0.1) store.thread(threadId).send(`typed ${step}`, { clientId: `k${seed}-${step}` })
    if (!isCalm && next() < 0.05) store.thread(threadId).setScrolledUp(next() < 0.5)
    if (next() < 0.3) store.renderGroups(threadId)
    for (const effect of store.takeEffects()) {
      if (!('id' in effect) || effect.type === 'cancel' || (next() < 0.3 && !isCalm)) continue
      const value = effect.type === 'load-chunks' ? { chunks: [], oldestSeq: 1 } : { status: 'queued', messageId: `q${++made}`, success: true }
      store.handleEvent(next() < 0.8 ? { type: 'effect-result', id: effect.id, ok: true, value } : { type: 'effect-result', id: effect.id, ok: false, error: 'x', code: 'failed' })
    }
  }
}

const views = store => ['main', 'other'].map(id => JSON.parse(JSON.stringify(store.renderGroups(id))))
const manual = (make, inner, said = []) => createStoreWith(make, { schedule: 'sync', transport: 'manual', onDiagnostic: one => said.push(one) }, inner)

test('a recording replays to the same state, also as JSON', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const store = manual(makeCore)
    live(store, seed, 60)
    const recording = JSON.parse(JSON.stringify(store.record()))
    const again = createStoreWith(makeCore, {}, { recording })
    assert.deepEqual(views(again), views(store), `seed ${seed}`)
    assert.equal(again.dehydrate(), store.dehydrate())
    assert.deepEqual(again.thread().getSnapshot(), store.thread().getSnapshot())
    assert.deepEqual(again.record().inputs.slice(0, recording.inputs.length), recording.inputs)
  }
})

/** A saved state keeps every row; order between sealed and unsealed turns, and words of failures, it does not. */
const keys = view => view.map(groups => groups.map(group => group.key).sort())

test('a long life keeps a short recording that still replays to the same rows', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const store = manual(makeCore, { weight: 4000 })
    live(store, seed, 150, true)
    const recording = store.record()
    assert.notEqual(recording.base, undefined)
    const weight = recording.inputs.reduce((sum, entry) => sum + entry[1].length + 48, 0)
    assert.ok(weight < 4 * Math.max(4000, recording.base.length) + 4000, `weighs ${weight}`)
    assert.deepEqual(keys(views(createStoreWith(makeCore, {}, { recording }))), keys(views(store)), `seed ${seed}`)
  }
})

test('a store that breaks is built anew, without the input that broke it', () => {
  for (let seed = 1; seed <= 25; seed++) {
    for (const weight of [undefined, 4000]) {
      const said = []
      const store = manual(breakingCores((method, text) => method !== 'grow' && typeof text === 'string' && text.includes('"POISON"')), weight ? { weight } : {}, said)
      live(store, seed, 100, weight !== undefined)
      const before = views(store)
      const [groups] = [store.renderGroups()]
      let told = 0
      store.subscribe(() => { told += 1 })
      store.handleEvent({ type: 'text-delta', turnId: 'POISON', delta: 'x' })
      assert.deepEqual(said.filter(({ code }) => code === 'poisoned').length, 1)
      assert.deepEqual(keys(views(store)), keys(before), `seed ${seed}`)
      if (weight === undefined) {
        assert.deepEqual(views(store), before, `seed ${seed}`)
        for (const [index, group] of groups.entries()) assert.equal(store.renderGroups()[index], group, 'a row that is equal is the same object')
      }
      store.handleEvent({ type: 'notice', message: 'on we go' })
      assert.ok(store.renderGroups().some(group => group.parts[0]?.text === 'on we go'))
      store.handleMessage('{"type":"text-delta","turnId":"POISON","delta":"x"}')
      assert.equal(said.filter(({ code }) => code === 'poisoned').length, 2, 'a failure after an input that went well is a first one')
    }
  }
})

test('a store that breaks twice in a row throws, from then on', () => {
  let isBroken = false
  const store = manual(breakingCores(method => isBroken && method === 'event'))
  store.handleEvent({ type: 'notice', message: 'n' })
  isBroken = true
  assert.throws(() => store.handleEvent({ type: 'notice', message: 'n' }), { name: 'TurnsealError', code: 'poisoned' })
  isBroken = false
  for (const call of [() => store.handleEvent({}), () => store.handleMessage('{}'), () => store.dehydrate(), () => store.thread('new')]) assert.throws(call, { code: 'poisoned' })
  store.free()
})

test('a patch that breaks the core loses nothing', () => {
  let left = 1
  const said = []
  const store = manual(breakingCores(method => method === 'patch' && left-- > 0), {}, said)
  store.handleEvent({ type: 'notice', message: 'n' })
  assert.deepEqual(drawn(store.renderGroups()), ['system live n'])
  assert.deepEqual(said.map(({ code }) => code), ['poisoned'])
  assert.deepEqual(drawn(store.renderGroups()), ['system live n'])
})

test('a broken quick way costs that delta only', () => {
  let left = 1
  const store = manual(breakingCores((method, text) => method === 'grow' && text === 'bad' && left-- > 0))
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } })
  for (const delta of ['1', '2', '3', 'bad', '4', '5']) store.handleEvent({ type: 'text-delta', turnId: 'a', delta })
  assert.equal(store.renderGroups()[1].parts[0].text, '12345')
})

test('requests that are on their way outlive a new core; none is made twice', async () => {
  const said = []
  const { transport, take, calls } = paperTransport()
  const store = createStoreWith(breakingCores((_, text) => typeof text === 'string' && text.includes('POISON')), { schedule: 'sync', transport, onDiagnostic: one => said.push(one) })
  const thread = store.thread()
  thread.send('hello', { clientId: 'k' })
  const [load, send] = [take('loadChunks'), take('send')]
  store.handleEvent({ type: 'notice', message: 'POISON' })
  assert.equal(calls.length, 0)
  assert.equal(load.signal.aborted || send.signal.aborted, false)
  send.done({ status: 'queued', messageId: 'q1' })
  load.done({ chunks: [textChunk(1, 'a', 'user', 'old')], oldestSeq: 1 })
  await soon()
  assert.deepEqual(drawn(thread.renderGroups()), ['user sealed old', 'user queued hello'])
  assert.deepEqual(said.map(({ code }) => code), ['poisoned'])
})

test('an answer that breaks the core is a failed request', async context => {
  const { transport, take, calls } = paperTransport()
  const store = createStoreWith(breakingCores((_, text) => typeof text === 'string' && text.includes('POISON')), { schedule: 'sync', transport })
  const thread = store.thread()
  thread.send('hello', { clientId: 'k' })
  context.mock.timers.enable({ apis: ['setTimeout'] })
  take('loadChunks').done({ chunks: [textChunk(1, 'a', 'user', 'POISON')], oldestSeq: 1 })
  take('send').done({ status: 'POISON' })
  for (let turn = 0; turn < 9; turn++) await Promise.resolve()
  assert.equal(thread.renderGroups()[0].state, 'failed')
  assert.match(thread.getSnapshot().loadError, /broke/)
  assert.equal(calls.length, 0)
})
