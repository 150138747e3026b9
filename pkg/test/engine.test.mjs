// The engine as a server in JavaScript uses it: typed inputs in, effects out.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TurnsealError, check, createEngine, init, isReady, transcript } from '../dist/engine-node.js'

/** A host of paper: a log, a context, and the effects by type. */
function host(options) {
  const engine = createEngine(options)
  const log = []
  const carry = effects => {
    for (const effect of effects) {
      if (effect.type === 'append' || effect.type === 'seal') {
        for (const chunk of effect.chunks) log.push({ ...chunk, seq: log.length + 1 })
      }
    }
    return effects
  }
  const put = input => carry(engine.apply('t', input))
  return { engine, log, put, carry, types: input => put(input).map(effect => effect.event?.type ?? effect.type) }
}

const send = (messageId, text) => ({ type: 'send', messageId, clientId: `k-${messageId}`, text, intent: 'queue' })

test('a turn with a tool runs, is written and told', () => {
  const { engine, log, put, types } = host({ models: ['small'] })
  assert.deepEqual(types(send('m1', '2+2?')), ['turn-start', 'append', 'request', 'answer'])
  const executionId = 't:1.1'
  assert.deepEqual(types({ type: 'delta', executionId, kind: 'text', delta: 'Let me see.' }), ['text-delta'])
  const call = { type: 'tool-call', executionId, callId: 'c', name: 'add', arguments: { a: 2, b: 2 }, approval: true, prompt: 'Add?' }
  assert.deepEqual(types(call), ['tool-call', 'approval-request'])
  assert.deepEqual(types({ type: 'step-end', executionId }), [])
  assert.equal(engine.snapshot('t').approvals[0].prompt, 'Add?')
  assert.deepEqual(types({ type: 'approve', callId: 'c' }), ['approval-resolved', 'answer', 'run-tool'])
  assert.deepEqual(types({ type: 'tool-result', turnId: 't:1', callId: 'c', result: 4 }), ['tool-result', 'append', 'request'])
  const told = transcript(log, { vendor: 'anthropic', executionId })
  assert.deepEqual([told.problems, told.fillers, check(told.messages, 'anthropic')], [[], [], []])
  put({ type: 'delta', executionId, kind: 'text', delta: '4' })
  assert.deepEqual(types({ type: 'execution-end', executionId, outcome: 'done' }), ['turn-end', 'seal'])
  const [sealed] = put({ type: 'persisted', turnId: 't:1', chunks: log })
  assert.equal(sealed.event.type, 'turn-sealed')
  assert.equal(sealed.event.chunks.length, 5)
  engine.free()
})

test('what cannot be read is a diagnostic, and misuse an error', () => {
  const { engine, put } = host()
  assert.equal(put({ type: 'send', text: 'x' })[0].field, 'messageId')
  assert.equal(put({ type: 'dance' })[0].code, 'unknown-type')
  assert.throws(() => put({ type: 'delta', delta: 1n }), error => error instanceof TurnsealError && error.code === 'bad-argument')
  engine.free()
  engine.free()
  assert.throws(() => engine.snapshot('t'), { code: 'freed' })
})

test('a restart seals what was open and answers nothing twice', () => {
  const { engine, log, put } = host()
  put(send('m1', 'A'))
  put(send('m2', 'B'))
  const again = host({ restore: { t: { chunks: log, meta: engine.meta('t') } } })
  const [{ threadId, effects }] = again.engine.restored
  assert.equal(threadId, 't')
  assert.deepEqual(effects.map(effect => effect.event?.type ?? effect.type), ['notice', 'turn-end', 'seal', 'queue-snapshot'])
  assert.equal(effects[1].event.outcome, 'aborted')
  assert.deepEqual(again.put(send('m1', 'A')).map(effect => effect.status), ['ok'])
  assert.equal(again.engine.snapshot('t').held, true)
})

test('the example in the types says what happens', () => {
  const types = readFileSync(new URL('../src/engine-types.ts', import.meta.url), 'utf8')
  const example = /```js\n(.*?)```/s.exec(types)[1].replace(/^ \* ?/gm, '')
  const engine = createEngine()
  const seen = []
  new Function('engine', 'carry', example)(engine, effect => seen.push(effect.event?.type ?? effect.type))
  assert.deepEqual(seen, [
    'turn-start', 'append', 'request', 'answer',
    'tool-call', 'approval-request',
    'message-queued', 'answer',
    'approval-resolved', 'answer', 'run-tool',
    'tool-result', 'turn-end', 'seal', 'message-consumed', 'turn-start', 'append', 'request',
    'cancel-request', 'turn-end', 'seal',
  ])
  assert.equal(engine.snapshot('main').turns.length, 2)
  engine.free()
})

test('the wasm is loaded once', async () => {
  await init()
  assert.equal(isReady(), true)
})
