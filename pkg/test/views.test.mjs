// What a view shows when much changes at once: many watchers, threads that become one, rows that take others' places.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, replay } from '../dist/node.js'
import { createStoreWith, drawn, makeCore, textChunk } from './lib.mjs'

test('who watches a group hears of it exactly when it changed, also among many', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => ({ seq: at + 1, turnId: `t${at >> 1}`, role: at % 2 ? 'assistant' : 'user', type: 'text', data: { text: `row ${at}` }, ...(at % 2 ? {} : { messageId: `m${at}` }) }))
  const store = createStore({ schedule: 'sync', transport: 'manual' })
  const thread = store.thread()
  const watched = new Map()
  const heard = new Set()
  const watch = key => {
    if (!watched.has(key)) watched.set(key, thread.subscribeGroup(key, () => heard.add(key)))
  }
  let n = 0
  const steps = [
    { type: 'chunks-loaded', chunks: rows.slice(60), oldestSeq: 1, total: 120 },
    { type: 'chunks-loaded', chunks: rows.slice(0, 70), oldestSeq: 1, total: 120 },
    { type: 'turn-start', turnId: 'a', user: { messageId: 'q', text: 'q' } },
    ...['x', 'y', 'z'].map(delta => ({ type: 'text-delta', turnId: 'a', delta })),
    { type: 'tool-call', turnId: 'a', toolCall: { id: 'c', name: 'ls', arguments: {} } },
    { type: 'message-queued', messageId: 'w', message: 'waits' },
    { type: 'message-edited', messageId: 'w', message: 'waits longer' },
    { type: 'tool-result', turnId: 'a', toolResult: { toolCallId: 'c', result: 1 } },
    { type: 'turn-end', turnId: 'a', outcome: 'done' },
    { type: 'chunks-updated', chunks: [{ ...rows[99], data: { text: 'changed' } }, ...rows.slice(0, 80).map(row => ({ ...row, data: { text: `${row.data.text}!` } }))] },
    { type: 'message-cancelled', messageId: 'w' },
    { type: 'log-truncated', fromSeq: 90 },
    { type: 'log-reset', epoch: 'next' },
    { type: 'chunks-loaded', chunks: rows.slice(0, 10), oldestSeq: 1, total: 10, epoch: 'next' },
  ]
  for (const step of steps) {
    const before = new Map([...watched.keys()].map(key => [key, thread.group(key)]))
    heard.clear()
    store.handleEvent({ ...step, n: (n += 1) })
    const changed = [...before].filter(([key, group]) => thread.group(key) !== group).map(([key]) => key)
    assert.deepEqual([...heard].sort(), changed.sort(), step.type)
    for (const key of [...thread.keys(), 'nobody']) watch(key)
  }
  assert.ok(watched.size > 100)
})

test('where two threads become one, both are drawn, each row once', async () => {
  const turn = (threadId, turnId, text) => [
    { type: 'turn-start', threadId, turnId, user: { messageId: `m${turnId}`, ...(turnId === 't1' ? { clientIds: ['k1'] } : {}), text } },
    { type: 'text-delta', threadId, turnId, delta: 'Hi' },
  ]
  const rename = { type: 'thread-renamed', from: 'tmp', to: 'real' }
  const all = {
    'a send, whose turn begins under the real name': [[...turn('real', 't1', 'hello'), rename], [['u:k1', 'live'], ['a:t1::0', 'live']]],
    'a turn here, a notice there': [[...turn('tmp', 't2', 'q'), { type: 'notice', threadId: 'real', message: 'n' }, rename], undefined],
    'a queue under the real name': [[{ type: 'message-queued', threadId: 'real', messageId: 'q1', clientId: 'k1', message: 'hello' }, { type: 'message-queued', threadId: 'real', messageId: 'q2', message: 'more' }, rename], undefined],
    'one name more before anybody looks': [[...turn('real', 't1', 'hello'), rename, { type: 'thread-renamed', from: 'real', to: 'last' }], undefined],
  }
  for (const [title, [events, expected]] of Object.entries(all)) {
    for (const looks of [[], ['tmp'], ['real'], ['tmp', 'real']]) {
      for (const listens of [true, false]) {
        const store = createStore({ schedule: 'sync', transport: 'manual' })
        const tmp = store.thread('tmp')
        const handles = looks.map(name => store.thread(name))
        if (listens) handles.forEach(handle => handle.subscribe(() => {}))
        tmp.send('hello', { clientId: 'k1' })
        for (const event of events) {
          store.handleEvent(event)
          for (const handle of handles) handle.keys()
        }
        store.handleEvent({ type: 'message-queued', threadId: 'real', messageId: 'q9', message: 'behind' })
        const again = replay(store.record()).thread('real')
        const told = `${title}, ${looks.join()}, ${listens}`
        const seen = tmp.renderGroups().map(group => [group.key, group.state])
        assert.equal(new Set(seen.map(([key]) => key)).size, seen.length, told)
        assert.deepEqual(seen, again.renderGroups().map(group => [group.key, group.state]), told)
        assert.deepEqual(tmp.getSnapshot().queue.map(({ messageId }) => messageId), again.getSnapshot().queue.map(({ messageId }) => messageId), told)
        if (expected !== undefined) assert.deepEqual(seen.slice(0, 2), expected, told)
      }
    }
  }
})

test('rows that take the place of another turn are drawn, whoever has looked before', async () => {
  const row = (seq, turnId, text) => ({ seq, turnId, role: seq % 2 ? 'user' : 'assistant', type: 'text', data: { text } })
  for (const looks of [true, false]) {
    const store = createStore({ schedule: 'sync', transport: 'manual' })
    const steps = [
      { type: 'chunks-loaded', oldestSeq: 1, chunks: [row(1, 'A', 'a'), row(2, 'A', 'aa'), row(3, 'B', 'b'), row(4, 'B', 'bb')] },
      { type: 'chunks-updated', chunks: [row(1, 'X', 'x'), row(2, 'X', 'xx')] },
      // And two turns change places.
      { type: 'chunks-updated', chunks: [row(1, 'B', 'b'), row(2, 'B', 'bb'), row(3, 'X', 'x'), row(4, 'X', 'xx')] },
    ]
    const seen = []
    for (const step of steps) {
      if (looks) store.renderGroups()
      store.handleEvent(step)
      if (looks) seen.push(store.thread().keys().join(' '))
    }
    if (looks) assert.deepEqual(seen, ['c:A:1 a:A::0 c:B:3 a:B::0', 'c:X:1 a:X::0 c:B:3 a:B::0', 'c:B:1 a:B::0 c:X:3 a:X::0'])
    assert.deepEqual(store.renderGroups().map(group => [group.turnId, drawn([group])[0]]), [['B', 'user sealed b'], ['B', 'assistant sealed bb'], ['X', 'user sealed x'], ['X', 'assistant sealed xx']])
  }
})

const shown = store => store.renderGroups().map(({ key, parts }) => `${key} ${parts.map(part => part.text ?? part.type).join('|')}`)

test('a row of the log that another turn takes over leaves the turn that streams', () => {
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'one' })
  store.handleEvent({ type: 'chunks-loaded', chunks: [textChunk(6, 'a', 'user', 'first')] })
  store.handleEvent({ type: 'chunks-updated', chunks: [textChunk(6, 'b', 'user', 'second', { messageId: 'm2' })] })
  assert.deepEqual(shown(store), ['m:m2 second', 'a:a::0 one'])
})

test('a name that is used again in another turn is the one who had it first', () => {
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  const chunk = (seq, turn, more) => textChunk(seq, turn, 'user', turn, more)
  store.handleEvent({ type: 'chunks-loaded', chunks: [chunk(7, 'a', { messageId: 'm1' }), chunk(9, 'b', { clientIds: ['k'] }), chunk(11, 'c', { messageId: 'm2', clientIds: ['k'] })] })
  assert.deepEqual(shown(store), ['m:m1 a', 'u:k b', 'm:m2 c'])
  store.handleEvent({ type: 'chunks-loaded', chunks: [chunk(6, 'z', { messageId: 'm1' }), chunk(7, 'a', { messageId: 'm1' })] })
  assert.deepEqual(shown(store), ['c:z:6 z', 'm:m1 a', 'u:k b', 'm:m2 c'])
})

test('a thread keeps its rows when a name that nobody spoke under becomes its own', () => {
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  store.thread('tmp')
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'one' })
  store.renderGroups()
  store.handleEvent({ type: 'thread-renamed', from: 'tmp', to: 'main' })
  assert.deepEqual(shown(store), ['a:a::0 one'])
  assert.equal(store.thread('tmp').renderGroups().length, 1)
  // An alias stays one, whoever is named after it.
  store.handleEvent({ type: 'thread-renamed', from: 'main', to: 'srv' })
  store.handleEvent({ type: 'thread-renamed', from: 'other', to: 'main' })
  assert.equal(store.thread('main').id, 'srv')
  assert.equal(store.renderGroups('srv').length, 1)
})

test('a name that a row learns is shown at once, and so are a text that takes another one in and an error behind chunks', () => {
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  const thread = store.thread()
  store.handleEvent({ type: 'message-queued', messageId: 'm', message: 'typed' })
  assert.equal(thread.getSnapshot().queue[0].clientId, undefined)
  store.handleEvent({ type: 'message-queued', messageId: 'm', message: 'typed', clientId: 'k' })
  assert.equal(thread.getSnapshot().queue[0].clientId, 'k')
  store.handleEvent({ type: 'chunks-loaded', chunks: [textChunk(12, 'b', 'assistant', 'said')] })
  store.handleEvent({ type: 'text-delta', turnId: 'b', delta: 'more', messageId: 'x' })
  store.renderGroups()
  store.handleEvent({ type: 'turn-end', turnId: 'b', outcome: 'error', error: 'bad' })
  assert.equal(store.renderGroups().find(group => group.turnId === 'b').error, 'bad')
})
