import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStoreWith, makeCore, paperTransport, soon, textChunk } from './lib.mjs'

/** A storage in memory that fails where `fails` says so. */
function memory(fails = () => false) {
  const kept = new Map()
  const act = (name, run) => (...args) => {
    if (fails(name, ...args)) throw new Error(`${name} is not possible`)
    return run(...args)
  }
  return {
    kept,
    storage: { getItem: act('getItem', key => kept.get(key) ?? null), setItem: act('setItem', (key, value) => { kept.set(key, String(value)) }), removeItem: act('removeItem', key => { kept.delete(key) }) },
  }
}

function open(storage) {
  const said = []
  const paper = paperTransport()
  return { store: createStoreWith(makeCore, { schedule: 'sync', storage, transport: paper.transport, onDiagnostic: one => said.push(one) }), said, ...paper }
}

test('a message that has not arrived outlives a reload, and goes when it has', async () => {
  const { storage, kept } = memory()
  const first = open(storage)
  first.store.thread().send('typed', { clientId: 'k' })
  assert.equal(kept.size, 1)
  first.store.free()
  const second = open(storage)
  const thread = second.store.thread()
  assert.deepEqual(thread.renderGroups().map(({ clientId, state, parts }) => [clientId, state, parts[0].text]), [['k', 'failed', 'typed']])
  thread.retry('k')
  second.take('send').done({ status: 'queued', messageId: 'q' })
  await soon()
  assert.equal(kept.size, 0)
  second.store.free()
  assert.deepEqual(open(storage).store.thread().renderGroups(), [])
})

test('a message that had arrived is not shown twice after a reload', async () => {
  const { storage, kept } = memory()
  const first = open(storage)
  first.store.thread().send('typed', { clientId: 'k' })
  first.store.free()
  const { store, take } = open(storage)
  take
  const thread = store.thread()
  take('loadChunks').done({ chunks: [textChunk(1, 'a', 'user', 'typed', { clientIds: ['k'] })], oldestSeq: 1 })
  await soon()
  assert.deepEqual(thread.renderGroups().map(({ state }) => state), ['sealed'])
  assert.equal(kept.size, 0)
})

test('what cannot be read is put aside and told', () => {
  for (const bad of ['', '{', 'null', '[1]', '[{"clientId":1}]', '[{"clientId":"k","intent":"later","text":"x"}]', '{"v":2}']) {
    const { storage, kept } = memory()
    kept.set('turnseal:1:main', bad)
    const { store, said } = open(storage)
    assert.deepEqual(store.thread().renderGroups(), [])
    assert.deepEqual(said.map(({ code }) => code), ['storage-corrupt'], bad)
    assert.equal(kept.get('turnseal:corrupt:main'), bad)
    assert.equal(kept.has('turnseal:1:main'), false)
  }
})

test('a storage that fails is told, and the message is there all the same', () => {
  for (const broken of ['getItem', 'setItem', 'removeItem']) {
    const { storage } = memory(name => name === broken)
    const { store, said, take } = open(storage)
    const thread = store.thread()
    thread.send('typed', { clientId: 'k' })
    thread.stop()
    take('send').done({ status: 'queued', messageId: 'q' })
    assert.equal(thread.renderGroups()[0].parts[0].text, 'typed')
    if (broken !== 'removeItem') assert.equal(said.some(({ code, threadId }) => code === 'storage-failed' && threadId === 'main'), true, broken)
  }
})

test('what is kept is bounded: the newest is left out, with a diagnostic', () => {
  const { storage, kept } = memory()
  const { store, said } = open(storage)
  const thread = store.thread()
  thread.send('small', { clientId: 'a' })
  thread.send('x'.repeat(300 * 1024), { clientId: 'b' })
  assert.ok(kept.get('turnseal:1:main').length < 256 * 1024)
  assert.match(kept.get('turnseal:1:main'), /small/)
  assert.equal(said.at(-1).code, 'storage-full')
  assert.equal(thread.renderGroups().length, 2)
})

test('a renamed thread takes its kept messages along', async () => {
  const { storage, kept } = memory()
  const { store } = open(storage)
  const thread = store.thread('temp')
  thread.send('typed', { clientId: 'k' })
  store.handleEvent({ type: 'thread-renamed', from: 'temp', to: 'real' })
  thread.renderGroups()
  assert.deepEqual([...kept.keys()], ['turnseal:1:real'])
  store.free()
  assert.equal(open(storage).store.thread('real').renderGroups().length, 1)
})
