// An option that nobody has is said, not passed over: a typo would be found much later, or never.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from '../dist/engine-node.js'
import { createStore } from '../dist/node.js'

const none = { getItem: () => null, setItem() {}, removeItem() {} }

/** What is written to the console meanwhile. */
function warned(t, act) {
  const { mock } = t.mock.method(console, 'warn', () => {})
  act()
  const said = mock.calls.map(call => call.arguments.join(' '))
  mock.restore()
  return said
}

test('an option that a store does not have is said, and does no harm', t => {
  for (const [options, words] of [
    [{ transports: {} }, 'options has no transports; it has transport, connect,'],
    [{ transport: 'manual', connect: { url: '/', header: {} } }, 'connect has no header; it has url,'],
    [{ limits: { pages: 5 } }, 'limits has no pages; it has window, page, threads'],
    [{ toString: () => '' }, 'has no toString'],
    [{ schedule: 'frames' }, 'schedule is frame, microtask or sync'],
    [{ limits: 5 }, 'limits is an object'],
  ]) {
    const told = []
    const store = createStore({ ...options, onDiagnostic: diagnostic => told.push(diagnostic) })
    assert.ok(told.some(({ code, detail }) => code === 'unknown-option' && detail.includes(words)), `${words}: ${JSON.stringify(told)}`)
    store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'said' })
    assert.equal(store.renderGroups().length, 1)
    store.free()
  }
  const said = warned(t, () => createStore({ onDiagnostics: () => {} }).free())
  assert.equal(said.length, 1)
  assert.match(said[0], /^turnseal: createStore: options has no onDiagnostics; it has transport,/)
})

test('one that is undefined is as one that is absent, and each that there is may be given', t => {
  const all = { transport: {}, storage: none, limits: { window: 5, page: 5, threads: 5 }, schedule: 'sync', timeoutMs: 5, newClientId: () => 'k' }
  const said = warned(t, () => {
    createStore({ onDiagnostics: undefined, limits: undefined }).free()
    createStore(all).free()
  })
  assert.deepEqual(said, [])
})

test('the same of an engine and its policy, on the console', t => {
  const said = warned(t, () => {
    createEngine({ model: ['a'] }).free()
    createEngine({ policy: { onstop: 'drop' } }).free()
    createEngine({ models: ['a'], policy: { onStop: 'drop', batch: undefined } }).free()
  })
  assert.equal(said.length, 2)
  assert.equal(said[0], 'turnseal: createEngine: options has no model; it has models, policy, restore')
  assert.match(said[1], /policy has no onstop; it has onApproval, gate,/)
})
