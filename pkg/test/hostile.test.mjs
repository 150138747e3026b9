import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chance, createStoreWith, makeCore } from './lib.mjs'

/** Values that no honest server sends. */
function odd({ pick, below, next }, depth = 0) {
  const deep = () => { let value = 0; for (let level = 0; level < pick([70, 20_000]); level++) value = { value }; return value }
  const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy }
  const loop = () => { const value = { type: 'text-delta' }; value.self = value; return value }
  return pick([
    () => undefined, () => null, () => NaN, () => Infinity, () => -0, () => 1e308, () => 2 ** 60, () => 10n, () => Symbol('x'), () => () => 1, () => '', () => '\uD800', () => '\uDC00x', () => '\u0000',
    () => 'x'.repeat(below(3000)), () => true, () => [], () => ({}), () => new Date(NaN), () => new Map([[1, 2]]), () => new Uint8Array(3), () => new Error('x'), () => Object.create(null), revoked, loop, deep,
    () => ({ toJSON: () => { throw new Error('toJSON') } }), () => ({ toJSON: () => undefined }), () => ({ toJSON: () => '{"type":"turn-end"}' }), () => ({ get type() { throw new Error('getter') } }),
    () => new Proxy({ type: 'text-delta', turnId: 'a', delta: 'x' }, { get: () => { throw new Error('trap') } }),
    () => new Proxy({}, { ownKeys: () => { throw new Error('trap') } }),
    () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    () => (depth > 3 ? 1 : Array.from({ length: below(4) }, () => odd({ pick, below, next }, depth + 1))),
  ])()
}

const types = ['turn-start', 'text-delta', 'reasoning-delta', 'reasoning-end', 'tool-input-start', 'tool-input-delta', 'tool-call', 'tool-output', 'tool-result', 'approval-request', 'approval-resolved', 'part', 'message-queued', 'message-consumed', 'message-cancelled', 'message-edited', 'queue-snapshot', 'turn-end', 'status', 'turn-sealed', 'ping', 'notice', 'error', 'snapshot', 'statuses', 'chunks-loaded', 'log-truncated', 'log-reset', 'chunks-updated', 'thread-renamed', 'usage', 'effect-result', 'timer-fired', 'hydrate', 'send', 'toString', '__proto__', '']
const fields = ['threadId', 'tabId', 'n', 'executionId', 'turnId', 'messageId', 'messageIds', 'delta', 'callId', 'toolCall', 'toolResult', 'user', 'items', 'chunks', 'turns', 'from', 'to', 'outcome', 'status', 'id', 'ok', 'value', 'seq', 'epoch', 'partId', '__proto__', 'part', 'message', 'text', 'parts', 'data', 'held', 'version', 'toJSON', 'statuses', 'firstSeq', 'lastSeq']

test('nothing that a server says makes the store throw, hang or forget', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = chance(seed)
    const { pick, below, next } = random
    const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual', limits: { threads: 50 }, onDiagnostic: () => {} })
    const thread = store.thread()
    thread.send('my words', { clientId: 'mine' })
    store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } })
    for (let step = 0; step < 150; step++) {
      const honest = () => pick(['a', 'b', 'm', 'main', 'other', 1, 2, 3, true, 'done', 'x'])
      const event = { type: next() < 0.9 ? pick(types) : odd(random) }
      for (let more = below(7); more > 0; more--) Object.defineProperty(event, pick(fields), { value: next() < 0.6 ? honest() : odd(random), enumerable: true, configurable: true, writable: true })
      const kind = next()
      if (kind < 0.5) store.handleEvent(event)
      else if (kind < 0.6) store.handleEvent(odd(random))
      else if (kind < 0.7) store.handleEvents(pick([[event, odd(random), event], odd(random), new Proxy([event], { get: () => { throw new Error('trap') } })]))
      else if (kind < 0.8) store.handleMessage(odd(random))
      else if (kind < 0.9) store.handleMessage(Uint8Array.from({ length: below(60) }, () => below(256)))
      else {
        let text = 'x'
        try { text = JSON.stringify(event) ?? 'x' } catch { /* It has no text: another one. */ }
        store.handleMessage(text.slice(0, below(text.length + 1)) + pick(['', '\n', '{', text]))
      }
      store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'y' })
      if (step % 10 === 0) {
        assert.ok(Array.isArray(store.renderGroups()))
        store.renderGroups('other')
        store.takeEffects()
      }
    }
    const mine = thread.renderGroups().filter(group => group.parts.some(part => part.text === 'my words'))
    assert.equal(mine.length, 1, `seed ${seed}: the message that was typed is there, once`)
    assert.equal({}.polluted, undefined)
    assert.doesNotThrow(() => JSON.parse(store.dehydrate()))
  }
})

test('large and deep events end in time', () => {
  const said = []
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual', onDiagnostic: ({ code }) => said.push(code) })
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } })
  const big = 'x'.repeat(10 * 1024 * 1024)
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: big })
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: big })
  store.handleMessage(JSON.stringify({ type: 'text-delta', turnId: 'a', delta: big }))
  assert.equal(store.renderGroups()[1].parts[0].text.length, 3 * big.length)
  store.handleMessage('['.repeat(1_000_000))
  let deep = {}
  for (let level = 0; level < 100_000; level++) deep = { deep }
  store.handleEvent({ type: 'tool-call', turnId: 'a', toolCall: { id: 'c', name: 'n', arguments: deep } })
  store.handleMessage(`{"type":"tool-call","turnId":"a","toolCall":{"id":"c","name":"n","arguments":${'['.repeat(65)}${']'.repeat(65)}}}`)
  assert.equal(said.length, 3)
  assert.ok(said.includes('bad-json'))
  assert.equal(store.renderGroups()[1].parts.length, 1)
})
