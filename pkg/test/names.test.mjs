// An option that nobody has is said, not passed over: a typo would be found much later, or never.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from '../dist/engine-node.js'
import { createStore } from '../dist/node.js'

test('an option that a store does not have is misuse', () => {
  for (const [options, words] of [
    [{ onDiagnostics: () => {} }, 'options has no onDiagnostics; it has transport, connect,'],
    [{ transports: {} }, 'options has no transports'],
    [{ connect: { url: '/', header: {} } }, 'connect has no header; it has url,'],
    [{ limits: { pages: 5 } }, 'limits has no pages; it has window, page, threads'],
    [{ toString: () => '' }, 'has no toString'],
    [{ schedule: 'frames' }, 'schedule is frame, microtask or sync'],
    [[], 'options is an object'],
    [{ limits: 5 }, 'limits is an object'],
  ]) assert.throws(() => createStore(options), error => error.code === 'bad-argument' && error.name === 'TurnsealError' && error.message.includes(words), words)
})

test('one that is undefined is as one that is absent, and each that there is may be given', () => {
  createStore({ onDiagnostics: undefined, limits: undefined }).free()
  const all = { transport: {}, storage: { getItem: () => null, setItem() {}, removeItem() {} }, limits: { window: 5, page: 5, threads: 5 }, schedule: 'sync', onDiagnostic: () => {}, timeoutMs: 5, newClientId: () => 'k' }
  createStore(all).free()
})

test('the same of an engine and its policy', () => {
  assert.throws(() => createEngine({ model: ['a'] }), { code: 'bad-argument', message: 'createEngine: options has no model; it has models, policy, restore' })
  assert.throws(() => createEngine({ policy: { onstop: 'drop' } }), { code: 'bad-argument', message: /policy has no onstop; it has onApproval, gate,/ })
  createEngine({ models: ['a'], policy: { onStop: 'drop', batch: undefined } }).free()
})
