// The ancestor's behaviours with its log, by the numbers of its tests: paging, folding, the queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delta, opened, row, sealed, shown, start, status, text } from './dispatch-lib.mjs'
import { soon } from './lib.mjs'

test('55, 56: a window keeps its newest rows, an older page joins without doubles', async () => {
  const long = [text(0, 'z', 'user', 'q'), ...Array.from({ length: 9 }, (_, at) => row(at + 1, 'z', 'assistant', at % 2 ? 'text' : 'thinking', { text: `${at}` }))]
  const small = { options: { store: { schedule: 'sync', limits: { window: 5, page: 3 } } } }
  const { store, tab } = await opened({ logs: { t: long }, ...small })
  assert.deepEqual(tab().chunks.map(({ seq }) => seq), [5, 6, 7, 8, 9])
  assert.deepEqual([tab().oldestLoadedSeq, tab().totalChunks], [5, 10])
  store.setScrolledUp('t', true)
  await store.loadOlderChunks('t')
  assert.deepEqual(tab().chunks.map(({ seq }) => seq), [2, 3, 4, 5, 6, 7, 8, 9])
  assert.equal(tab().oldestLoadedSeq, 2)
})

test('57: a sealed turn becomes its rows, under the same keys', async () => {
  const { say, tab, logs } = await opened({ logs: { t: [] } })
  say(start('x'), delta('hi'))
  const { key } = tab().renderGroups.at(-1)
  assert.deepEqual([tab().live.length, tab().live[0].turnId, tab().chunks.length], [1, 'x', 0])
  logs.t.push(text(0, 'x', 'user', 'q'), text(1, 'x', 'assistant', 'hi'))
  say(status('idle'), sealed('x'))
  await soon()
  assert.deepEqual([tab().live.length, tab().chunks.map(({ seq, role, turnId }) => [seq, role, turnId])], [0, [[0, 'user', 'x'], [1, 'assistant', 'x']]])
  assert.equal(tab().renderGroups.at(-1).key, key)
  assert.deepEqual(shown(tab()), [['user', 'q'], ['assistant', 'hi']])
})

test('58: a fold waits while the user reads above', async () => {
  const { store, say, tab, logs } = await opened({ logs: { t: [text(0, 'x', 'user', 'before')] } })
  say(start('y'), delta('hi'))
  store.setScrolledUp('t', true)
  logs.t.push(text(1, 'y', 'assistant', 'hi'))
  say(sealed('y'))
  await soon()
  assert.deepEqual([tab().live.length, tab().chunks.length], [1, 1])
  store.setScrolledUp('t', false)
  await soon()
  assert.deepEqual([tab().live.length, tab().chunks.length], [0, 2])
})

test('59: a queued message outlives the fold of an earlier turn', async () => {
  const { say, tab, logs } = await opened({ logs: { t: [] } })
  say(start('a'), delta('hi'), { type: 'message-queued', messageId: 'q1', message: 'next' })
  logs.t.push(text(0, 'a', 'user', 'q'), text(1, 'a', 'assistant', 'hi'))
  say(status('idle'), sealed('a'))
  await soon()
  assert.deepEqual(tab().live.map(({ id, turnId, role }) => [id, turnId, role]), [['queued-q1', undefined, 'user']])
  assert.deepEqual(tab().queuedMessages, [{ id: 'q1', message: 'next' }])
  assert.equal(tab().chunks.length, 2)
})

test('60: a late start takes the first message only', async () => {
  const replies = { '/chat': ({ message }) => (message === 'first' ? [{ status: 'ok' }] : [{ status: 'queued', messageId: 'srv' }]) }
  const { store, say, tab, logs, asked } = await opened({ logs: { t: [] }, replies })
  store.sendMessage('first')
  await soon()
  say(status('running'))
  const queueId = store.sendMessage('second')
  await soon()
  assert.deepEqual(asked.filter(([url]) => url === '/chat').at(-1)[1], { tabId: 't', message: 'second', queueId })
  say(start('a'))
  const users = tab().live.filter(({ role }) => role === 'user')
  assert.deepEqual(users.map(({ id, turnId }) => [id.startsWith('queued-'), turnId]), [[false, 'a'], [true, undefined]])
  say(delta('hi'))
  logs.t.push(text(0, 'a', 'user', 'first'), text(1, 'a', 'assistant', 'hi'))
  say(status('idle'), sealed('a'))
  await soon()
  assert.deepEqual(shown(tab()), [['user', 'first'], ['assistant', 'hi'], ['user', 'second']])
})

test('61: a steer that was consumed goes with its turn', async () => {
  const { say, tab, logs } = await opened({ logs: { t: [] } })
  say(start('a'), delta('hi'), { type: 'message-queued', messageId: 'qx', message: 'stop it' }, { type: 'message-consumed', messageIds: ['qx'] })
  assert.deepEqual(tab().live.filter(({ role }) => role === 'user').map(({ id, turnId }) => [id, turnId]), [['qx', 'a']])
  assert.deepEqual(tab().queuedMessages, [])
  logs.t.push(text(0, 'a', 'user', 'q'), text(1, 'a', 'assistant', 'hi'))
  say(status('idle'), sealed('a'))
  await soon()
  assert.deepEqual([tab().live.length, tab().chunks.length], [0, 2])
})

test('62, 63: what was queued begins the next turn, as one message', async () => {
  for (const ids of [['q1'], ['q1', 'q2']]) {
    const { say, tab, logs } = await opened({ logs: { t: [] } })
    say(start('a'), delta('one'), ...ids.map(messageId => ({ type: 'message-queued', messageId, message: messageId })))
    logs.t.push(text(0, 'a', 'user', 'q'), text(1, 'a', 'assistant', 'one'))
    say(status('idle'), sealed('a'), { type: 'message-consumed', messageIds: ids, reason: 'continuation' })
    const waiting = tab().live.filter(({ role }) => role === 'user')
    assert.deepEqual(waiting.map(({ id, turnId, chunks }) => [id.startsWith('queued-'), turnId, chunks[0].text]), [[false, undefined, ids.join('\n\n')]])
    await soon()
    say(start('b'), status('running'), delta('two'))
    assert.deepEqual(tab().live.filter(({ role }) => role === 'user').map(({ turnId }) => turnId), ['b'])
    logs.t.push(text(2, 'b', 'user', ids.join('\n---\n')), text(3, 'b', 'assistant', 'two'))
    say(status('idle'), sealed('b'))
    await soon()
    assert.deepEqual([tab().live.length, tab().chunks.map(({ seq }) => seq)], [0, [0, 1, 2, 3]])
  }
})

test('64: a deferred fold leaves the next turn alone', async () => {
  const { store, say, tab, logs } = await opened({ logs: { t: [text(0, 'x', 'user', 'before')] } })
  say(start('a'), delta('one'))
  store.setScrolledUp('t', true)
  logs.t.push(text(1, 'a', 'user', 'q'), text(2, 'a', 'assistant', 'one'))
  say(status('idle'), sealed('a'), start('b'), status('running'), delta('two'))
  await soon()
  assert.deepEqual(tab().live.map(({ turnId }) => turnId), ['a', 'b'])
  store.setScrolledUp('t', false)
  await soon()
  assert.deepEqual(tab().chunks.map(({ seq }) => seq), [0, 1, 2])
  assert.deepEqual([tab().liveTurnId, tab().currentAssistantId === tab().live.at(-1).id], ['b', true])
  assert.deepEqual(tab().live.map(({ turnId }) => turnId), ['b'])
})

test('a message of the user is cancelled by its queued id, a turn stopped, a failed send kept', async () => {
  const replies = { '/chat': () => [{ error: 'no' }, 400] }
  const { store, say, tab, asked } = await opened({ replies })
  say(start('a'), { type: 'message-queued', messageId: 'q1', message: 'next' })
  store.cancelQueuedMessage('t', tab().live.at(-1).id)
  store.stopGeneration()
  await soon()
  assert.deepEqual(asked.filter(([, body]) => body).map(([url, body]) => [url, body]), [['/chat/cancel', { tabId: 't', messageId: 'q1' }], ['/chat/stop', { tabId: 't' }]])
  say({ type: 'message-cancelled', messageId: 'q1' }, status('idle'))
  store.sendMessage('hello', 't')
  await soon()
  assert.match(tab().live.at(-1).error, /HTTP 400/)
  assert.deepEqual(tab().live.at(-1).chunks, [{ type: 'text', text: 'hello' }])
  assert.throws(() => store.sendMessage('x', 'nowhere'), { code: 'bad-argument' })
})

test('events of unknown tabs do nothing; the tab of a sub-agent goes with it, unless it is looked at', async () => {
  const { store, say, tab } = await opened()
  store.handleEvent({ type: 'text-delta', tabId: 'nowhere', delta: 'x' })
  assert.deepEqual(store.tabs.map(({ id }) => id), ['t'])
  store.handleEvent({ type: 'tab-created', id: 'sub', title: 'Sub', parentTabId: 't' })
  assert.deepEqual(store.tabs.map(({ id, agentStatus }) => [id, agentStatus]), [['t', 'idle'], ['sub', 'running']])
  store.switchTab('sub')
  store.handleEvent({ type: 'status', tabId: 'sub', status: 'idle' })
  assert.equal(store.activeTab.id, 'sub')
  store.switchTab('t')
  store.handleEvent({ type: 'status', tabId: 'sub', status: 'idle' })
  assert.deepEqual(store.tabs, [tab()])
  say({ type: 'model-changed', keyId: 'k2', modelId: 'm2' }, { type: 'task-list-update', tasks: [1] })
  assert.deepEqual([tab().keyId, tab().modelId, tab().tasks, tab().title], ['k2', 'm2', [1], 'T'])
})

test('a message that did not change is the same object, and readers hear of what did', async () => {
  const { store, say, tab } = await opened({ logs: { t: [text(0, 'z', 'user', 'q')] } })
  say(start('a'), delta('one'))
  const before = tab().renderGroups
  assert.equal(tab().renderGroups, before)
  let heard = 0
  const leave = store.subscribe(({ tabs }) => (heard += tabs.length))
  say(delta(' two'))
  assert.ok(heard >= 2)
  assert.equal(tab().renderGroups[0], before[0])
  assert.notEqual(tab().renderGroups[1], before[1])
  leave()
  const reads = []
  const createSubscriber = start => {
    reads.push(start)
    return () => reads.push('read')
  }
  const other = await opened({ options: { createSubscriber, store: { schedule: 'sync' } } })
  reads.length = 0
  void other.tab().renderGroups
  assert.ok(reads.length >= 2)
})
