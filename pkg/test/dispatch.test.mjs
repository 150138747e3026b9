// The ancestor's behaviours, by the numbers of its tests, through its own shapes: tabs, chunks, live, renderGroups.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, call, delta, open, opened, result, sealed, shown, start, status, text, think } from './dispatch-lib.mjs'

/** What an answer is made of, for each of the ancestor's numbers. */
const flows = {
  '1, 2: deltas are one text': [[delta('Hello'), delta(' world')], [{ type: 'text', text: 'Hello world' }]],
  '3: a call after text opens a batch': [[delta('a'), call('c')], [{ type: 'text', text: 'a' }, { type: 'tool-batch', calls: [{ id: 'c', name: 'read', arguments: { path: 'c' } }] }]],
  '4: a result fills its call': [[call('c'), result('c', 'no', true)], [{ type: 'tool-batch', calls: [{ id: 'c', name: 'read', arguments: { path: 'c' }, result: 'no', isError: true }] }]],
  '5: two calls are one batch': [[call('c'), call('d')], [{ type: 'tool-batch', calls: ['c', 'd'].map(id => ({ id, name: 'read', arguments: { path: id } })) }]],
  '6: text after a call is a new text': [[delta('a'), call('c'), result('c'), delta('b')], ['text', 'tool-batch', 'text']],
  '9: thoughts are one piece': [[think('a'), think('b')], [{ type: 'thinking', text: 'ab' }]],
  '10: their end has metadata': [[think('a'), { type: 'reasoning-end', metadata: { signature: 's' } }], [{ type: 'thinking', text: 'a', metadata: { signature: 's' } }]],
  '11: a thought after the end is a new one': [[think('a'), { type: 'reasoning-end', metadata: 1 }, think('b')], [{ type: 'thinking', text: 'a', metadata: 1 }, { type: 'thinking', text: 'b' }]],
  '13: thought, text, thought are three': [[think('a'), delta('b'), think('c')], ['thinking', 'text', 'thinking']],
  '14: an error stands behind the text': [[delta('a'), { type: 'error', error: 'broke', statusCode: 500 }], [{ type: 'text', text: 'a' }, { type: 'error', message: 'broke', statusCode: 500 }]],
  '19: output goes to its call': [[call('c'), { type: 'shell-output', data: 'o', stream: 'stdout' }, { type: 'shell-output', data: 'e', stream: 'stderr' }, { type: 'shell-output', data: '!', stream: 'stdout' }], [{ type: 'tool-batch', calls: [{ id: 'c', name: 'read', arguments: { path: 'c' }, shellOutput: { stdout: 'o!', stderr: 'e' } }] }]],
  '20: a whole answer has its pieces in order': [[think('hm'), call('c'), result('c'), delta('done'), status('idle')], ['thinking', 'tool-batch', 'text']],
  '21: fifty deltas are one text': [Array.from({ length: 50 }, () => delta('x')), [{ type: 'text', text: 'x'.repeat(50) }]],
}
for (const [name, [events, wanted]] of Object.entries(flows)) {
  test(name, async () => {
    const { say, tab } = await opened()
    say(start('a'), status('running'), ...events)
    const chunks = answer(tab())
    assert.deepEqual(wanted.every(one => typeof one === 'string') ? chunks.map(({ type }) => type) : chunks, wanted)
    assert.equal(JSON.stringify(chunks), JSON.stringify(JSON.parse(JSON.stringify(chunks))))
  })
}

test('7, 8, 22: the end stops the stream and keeps the words', async () => {
  for (const end of [[status('idle')], [{ type: 'done', message: {} }, status('idle')], [{ type: 'statuses', statuses: { t: { status: 'idle' } } }]]) {
    const { say, tab } = await opened()
    say(start('a'), status('running'), delta('words'))
    assert.deepEqual([tab().agentStatus, tab().liveTurnId, tab().live.at(-1).isStreaming], ['running', 'a', true])
    assert.equal(tab().currentAssistantId, tab().live.at(-1).id)
    say(...end)
    assert.deepEqual([tab().agentStatus, tab().currentAssistantId, tab().live.at(-1).isStreaming], ['idle', null, false])
    assert.deepEqual(answer(tab()), [{ type: 'text', text: 'words' }])
  }
})

test('15 to 18: errors and notices outside of an answer are rows, notices are of the system', async () => {
  const { say, tab } = await opened()
  say({ type: 'error', error: 'broke' }, { type: 'notice', message: 'note' })
  assert.deepEqual(shown(tab()), [['assistant', 'broke'], ['system', 'note']])
  assert.equal(tab().agentStatus, 'error')
  say({ type: 'notice', message: 'another' })
  assert.deepEqual(tab().live.at(-1).chunks, ['note', 'another'].map(text => ({ type: 'system', kind: 'notice', text })))
})

test('23 to 30: questions for permission are replaced, answered once, and logged', async () => {
  const { store, say, frames } = await opened()
  const prompt = id => ({ id, permission: 'bash', patterns: [], always: [], description: id, metadata: {} })
  store.handleEvent({ type: 'permission-prompt', pending: [prompt('a')] })
  store.handleEvent({ type: 'permission-prompt', pending: [prompt('b'), prompt('c')] })
  assert.deepEqual(store.pendingPermissions.map(({ id }) => id), ['b', 'c'])
  for (const [id, reply] of [['b', 'always'], ['b', 'once'], ['nobody', 'once'], ['c', 'reject']]) store.replyPermission(id, reply)
  assert.deepEqual(frames, [{ type: 'permission-reply', id: 'b', reply: 'always' }, { type: 'permission-reply', id: 'c', reply: 'reject' }])
  assert.deepEqual(store.permissionLog.map(({ prompt, reply }) => [prompt.id, reply]), [['b', 'always'], ['c', 'reject']])
  say(delta('x'))
  assert.deepEqual(store.pendingPermissions, [])
})

test('36, 41, 43, 46: tabs come with their rows, the first on the screen, idle where nobody says otherwise', async () => {
  const usageStats = { requests: 3, inputTokens: 48200, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 }
  const logs = { one: [text(0, 'z', 'user', 'q'), text(1, 'z', 'assistant', 'r')], two: [] }
  const { store, asked } = open({ logs, tabs: [{ id: 'one', title: 'One', keyId: null, modelId: 'm', parentTabId: null, usageStats }, { id: 'two', title: 'Two', usageStats: null }] })
  assert.equal(await store.hydrateFromBackend(), 2)
  assert.deepEqual(store.tabs.map(({ renderGroups, agentStatus, cacheStats }) => [renderGroups.length, agentStatus, cacheStats?.inputTokens]), [[2, 'idle', 48200], [0, 'idle', undefined]])
  assert.equal(store.activeTabId, 'one')
  assert.deepEqual(store.activeTab.renderGroups[0], { id: 'row-0', key: store.activeTab.renderGroups[0].key, role: 'user', chunks: [{ type: 'text', text: 'q' }], isStreaming: false, seq: 0, turnId: 'z' })
  assert.deepEqual(store.activeTab.chunks, logs.one, 'rows are as the server gave them')
  const before = asked.length
  assert.equal(await store.hydrateFromBackend(), 0, '40: where there are tabs it does nothing')
  assert.equal(asked.length, before)
})

test('37, 47, 48: a running turn is seeded behind the sealed rows, and ended by an idle snapshot', async () => {
  const currentChunks = [{ type: 'thinking', text: 'hm' }, { type: 'text', text: 'Hel' }]
  const { store, say, tab } = open({ logs: { t: [text(0, 'a', 'user', 'hi')] }, tabs: [{ id: 't', title: 'T' }], statuses: { t: { status: 'running', currentChunks, currentAssistantId: 'live-msg-id', currentTurnId: 'a', tasks: [{ id: '1', content: 'x', status: 'pending' }] } } })
  await store.hydrateFromBackend()
  assert.deepEqual(tab().renderGroups.map(({ role, isStreaming }) => [role, isStreaming]), [['user', false], ['assistant', true]])
  assert.deepEqual(answer(tab()), currentChunks)
  assert.equal(tab().live.at(-1).id, tab().currentAssistantId)
  assert.equal(tab().tasks.length, 1)
  say(delta('lo'))
  assert.equal(answer(tab())[1].text, 'Hello')
  store.handleEvent({ type: 'statuses', statuses: {} })
  assert.deepEqual([tab().agentStatus, tab().currentAssistantId, tab().live.at(-1)?.isStreaming ?? false, tab().tasks], ['idle', null, false, []])
})

test('38, 39, 42: what cannot be loaded is empty and idle, and hurts nothing else', async () => {
  const broken = { '/tabs/bad/chunks': () => [{}, 500], '/tabs/worse/chunks': () => { throw new Error('down') } }
  const { store } = open({ logs: { good: [text(0, 'z', 'user', 'q')] }, tabs: ['bad', 'good', 'worse'].map(id => ({ id, title: id })), replies: broken })
  assert.equal(await store.hydrateFromBackend(), 3)
  assert.deepEqual(store.tabs.map(({ renderGroups, agentStatus }) => [renderGroups.length, agentStatus]), [[0, 'idle'], [1, 'idle'], [0, 'idle']])
  assert.equal(await open({ replies: { '/tabs': () => [{}, 500] } }).store.hydrateFromBackend(), 0)
  assert.equal(await open().store.hydrateFromBackend(), 0)
})

test('44, 45, 49 to 54: tokens add up, and a seal has the last word', async () => {
  const { store, say, tab } = await opened()
  const usage = (inputTokens, outputTokens) => ({ type: 'usage', usage: { inputTokens, outputTokens, cacheReadTokens: 1, cacheWriteTokens: 0 } })
  say(usage(10, 1), usage(20, 2))
  store.handleEvent(usage(999, 999))
  const { last, ...sums } = tab().cacheStats
  assert.deepEqual([sums, last], [{ requests: 2, inputTokens: 30, outputTokens: 3, cacheReadTokens: 2, cacheWriteTokens: 0 }, usage(20, 2).usage])
  store.handleEvent({ type: 'statuses', statuses: {} })
  assert.equal(tab().cacheStats.requests, 2)
  say({ ...sealed('a'), usageStats: { ...sums, inputTokens: 222 } })
  assert.equal(tab().cacheStats.inputTokens, 222)
  say(sealed('b'))
  assert.equal(tab().cacheStats.inputTokens, 222)
  say({ ...sealed('c'), usageStats: null })
  assert.equal(tab().cacheStats, undefined)
})

test('65, 66, 67: tabs take an order that names each of the user, sub-agents stand behind', async () => {
  const { store, asked } = open({ tabs: ['a', 'b', 'c'].map(id => ({ id, title: id })) })
  await store.hydrateFromBackend()
  store.handleEvent({ type: 'tab-created', id: 'sub', title: 'Sub', parentTabId: 'a' })
  const order = () => store.tabs.map(({ id }) => id)
  store.reorderTabs(['c', 'a', 'b'])
  assert.deepEqual(order(), ['c', 'a', 'b', 'sub'])
  assert.deepEqual(asked.at(-1), ['/tabs/reorder', { ids: ['c', 'a', 'b', 'sub'] }])
  for (const stale of [['c', 'a'], ['c', 'a', 'x'], ['c', 'a', 'b', 'sub'], ['c', 'a', 'a']]) store.reorderTabs(stale)
  assert.deepEqual(order(), ['c', 'a', 'b', 'sub'])
})

test('68 to 71: a title is the first words, until the user gives one', async () => {
  const { store, asked } = open({ replies: { '/chat': () => [{ status: 'ok' }] }, options: { newTabId: () => 'new' } })
  assert.equal(store.createNewTab(), 'new')
  assert.deepEqual(asked[0], ['/tabs', { id: 'new', title: 'New Tab' }])
  store.sendMessage('x'.repeat(60))
  assert.equal(store.activeTab.title, `${'x'.repeat(47)}...`)
  assert.deepEqual(asked.find(([url]) => url === '/tabs/new')[1], { title: `${'x'.repeat(47)}...` })
  store.sendMessage('more')
  assert.equal(store.activeTab.title, `${'x'.repeat(47)}...`)
  for (const title of ['  Mine ', '   ', '']) store.renameTab('new', title)
  assert.deepEqual([store.activeTab.title, store.activeTab.manualTitle], ['Mine', true])
  store.renameTab('new', 'New Tab')
  store.sendMessage('again')
  assert.equal(store.activeTab.title, 'New Tab')
})

test('72, 73: a draft is its tab\'s own; a tab that closes makes room for the last one', async () => {
  let count = 0
  const { store, asked } = open({ options: { newTabId: () => `n${(count += 1)}` } })
  const [one, two] = [store.createNewTab(), store.createNewTab()]
  assert.deepEqual([store.activeTabId, store.activeTab.draft], [two, ''])
  store.setDraft(one, 'typed')
  store.setDraft('nowhere', 'x')
  assert.deepEqual(store.tabs.map(({ draft }) => draft), ['typed', ''])
  store.closeTab(two)
  assert.deepEqual([store.activeTabId, asked.at(-1)[0]], [one, `/tabs/${two}`])
  store.closeTab(one)
  assert.deepEqual(store.tabs.map(({ id }) => id), ['n3'])
  store.closeTab('nowhere')
  assert.equal(store.activeTabId, 'n3')
})
