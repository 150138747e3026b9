import { act, createElement, draw } from './dom.mjs'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssistantRuntimeProvider, MessagePrimitive, ThreadPrimitive } from '@assistant-ui/react'
import { externalStoreAdapter, toThreadMessage, useThreadRuntime } from '../dist/assistant-ui.js'
import { createStoreWith, makeCore, paperTransport, soon, textChunk } from './lib.mjs'

const start = { type: 'turn-start', turnId: 'a', user: { messageId: 'm1', text: 'first' } }
const delta = (text, turnId = 'a') => ({ type: 'text-delta', turnId, delta: text })
const end = (turnId = 'a', outcome = 'done') => ({ type: 'turn-end', turnId, outcome })
const said = message => message.content.map(part => part.text ?? part.toolName ?? part.type).join('|')
const short = messages => messages.map(message => `${message.role}${message.status ? ` ${message.status.type}` : ''}: ${said(message)}`)

/** The peer's real runtime on a store over a paper transport, drawn by the peer's own parts. */
async function screen({ options, chunks = [], ...page } = {}) {
  const paper = paperTransport()
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: paper.transport, onDiagnostic: () => {} })
  const thread = store.thread('t')
  paper.take('loadChunks').done({ chunks, total: chunks.length, ...page })
  await soon()
  let runtime
  const Message = () => createElement(MessagePrimitive.Root, null, createElement(MessagePrimitive.Content, null))
  const view = await draw(function Screen() {
    runtime = useThreadRuntime(thread, options)
    return createElement(AssistantRuntimeProvider, { runtime }, createElement(ThreadPrimitive.Root, null, createElement(ThreadPrimitive.Messages, { components: { Message } })))
  })
  const hear = (...events) => act(async () => store.handleEvents(events.map(event => ({ threadId: 't', ...event }))))
  return { ...paper, store, thread, view, hear, runtime: () => runtime, state: () => runtime.thread.getState(), composer: () => runtime.thread.composer }
}
const type = (composer, text, how) =>
  act(async () => {
    composer().setText(text)
    composer().send(how)
  })

test('the real runtime draws a thread: states, text, calls and thoughts', async () => {
  const { hear, state, view } = await screen()
  assert.deepEqual([state().messages.length, state().isRunning], [0, false])
  await hear(start)
  assert.equal(state().isRunning, true)
  await hear({ type: 'reasoning-delta', turnId: 'a', delta: 'hm' }, { type: 'reasoning-end', turnId: 'a' }, delta('an'), delta('swer'))
  // The peer lets text flow in, a few letters a frame.
  for (let tries = 0; tries < 50 && !view.text().includes('answer'); tries++) await act(() => new Promise(done => setTimeout(done, 20)))
  assert.match(view.text(), /answer/)
  await hear({ type: 'tool-call', turnId: 'a', toolCall: { id: 'c', name: 'search', arguments: { q: 1 } } }, { type: 'tool-result', turnId: 'a', toolResult: { toolCallId: 'c', result: [1] } })
  assert.deepEqual(short(state().messages), ['user: first', 'assistant running: hm|answer|search'])
  const { args, argsText, result } = state().messages[1].content[2]
  assert.deepEqual([args, argsText, result], [{ q: 1 }, '{"q":1}', [1]])
  assert.equal(state().messages[1].metadata.runId, 'a')
  await hear(end())
  assert.deepEqual([state().isRunning, short(state().messages)[1]], [false, 'assistant complete: hm|answer|search'])
  await view.unmount()
})

test('a message that did not change is the same object, and a fold changes no id', async () => {
  const { hear, state, take, view } = await screen()
  await hear(start, delta('one'), end(), { type: 'turn-start', turnId: 'b', user: { messageId: 'm2', text: 'second' } }, delta('tw', 'b'))
  const before = state().messages
  await hear(delta('o', 'b'))
  const after = state().messages
  assert.deepEqual(after.map((message, index) => message === before[index]), [true, true, true, false])
  await hear({ type: 'turn-sealed', turnId: 'a', lastSeq: 2 })
  await act(async () => take('loadChunks').done({ chunks: [textChunk(1, 'a', 'user', 'first', { messageId: 'm1' }), textChunk(2, 'a', 'assistant', 'one')], total: 2 }))
  assert.deepEqual(state().messages.map(message => message.id), before.map(message => message.id))
  assert.deepEqual(state().messages.map(message => message.metadata.custom.turnseal.state), ['sealed', 'sealed', 'live', 'live'])
  await view.unmount()
})

test('the composer sends through the store; a failed message stays', async () => {
  const { composer, state, take, view } = await screen()
  await type(composer, 'hello')
  const { query, fail } = take('send')
  assert.deepEqual([query.text, query.intent], ['hello', 'queue'])
  assert.deepEqual([short(state().messages)[0], state().isRunning], ['user: hello', true])
  await act(async () => fail(new Error('offline')))
  assert.deepEqual([state().messages[0].metadata.custom.turnseal.state, state().isRunning], ['failed', false])
  await view.unmount()
})

test('the queue is the server\'s: two lanes, seen by each client, and moved, edited and emptied by it', async () => {
  const { composer, hear, take, state, view, runtime, thread } = await screen()
  await hear(start, delta('x'))
  await type(composer, 'next', { steer: false })
  const queued = take('send')
  assert.deepEqual([queued.query.text, queued.query.intent], ['next', 'queue'])
  await act(async () => queued.done({ status: 'queued', messageId: 'q1' }))
  await type(composer, 'be brief', { steer: true })
  const steered = take('send')
  assert.deepEqual([steered.query.text, steered.query.intent], ['be brief', 'steer'])
  await act(async () => steered.done({ status: 'queued', messageId: 's1' }))
  await hear({ type: 'queue-snapshot', version: 1, held: false, items: [{ messageId: 's1', message: 'be brief', intent: 'steer' }, { messageId: 'q1', message: 'next' }, { messageId: 'q2', message: 'of my phone' }] })
  const lanes = externalStoreAdapter(thread).queue
  assert.deepEqual([lanes.steerItems.map(item => item.id), lanes.items.map(item => [item.id, item.parts[0].text])], [['s1'], [['q1', 'next'], ['q2', 'of my phone']]])
  assert.deepEqual(composer().getState().queue.map(item => item.id), ['s1', 'q1', 'q2'])
  assert.deepEqual(short(state().messages), ['user: first', 'assistant running: x'], 'what is queued stands in no bubble')
  await act(async () => composer().moveQueueItem('q2', { insertBefore: 'q1' }))
  assert.deepEqual([take('moveQueued').query].map(({ messageId, index }) => [messageId, index]), [['q2', 1]])
  await act(async () => composer().moveQueueItem('q1', { lane: 'steer' }))
  assert.equal(take('sendNow').query.messageId, 'q1')
  await act(async () => composer().removeQueueItem('q2'))
  assert.equal(take('cancelQueued').query.messageId, 'q2')
  await act(async () => lanes.edit('q1', { role: 'user', content: [{ type: 'text', text: 'changed' }] }))
  assert.deepEqual(take('editQueued').query, { threadId: 't', messageId: 'q1', text: 'changed' })
  await hear({ type: 'message-consumed', messageIds: ['s1'], reason: 'interrupt', turnId: 'a' }, delta('y'))
  assert.deepEqual(short(state().messages), ['user: first', 'assistant complete: x', 'user: be brief', 'assistant running: y'])
  await view.unmount()
})

test('places in the queue: after, before, first and last', async () => {
  const { thread, hear, take, view } = await screen()
  await hear(start, ...['q1', 'q2', 'q3'].map(messageId => ({ type: 'message-queued', messageId, message: messageId })))
  const { move } = externalStoreAdapter(thread).queue
  for (const [id, placement, index] of [['q1', { insertAfter: 'q2' }, 1], ['q3', { insertAfter: null }, 0], ['q1', { insertBefore: null }, 2], ['q3', { insertBefore: 'q1' }, 1], ['q1', {}, 2]]) {
    await act(async () => move(id, placement))
    const { query, done } = take('moveQueued')
    assert.deepEqual([query.messageId, query.index], [id, index], JSON.stringify(placement))
    await act(async () => done({}))
  }
  await view.unmount()
})

test('earlier pages are loaded by the runtime, one at a time', async () => {
  const newest = [textChunk(11, 'b', 'user', 'new', { messageId: 'm2' }), textChunk(12, 'b', 'assistant', 'newer')]
  const { runtime, state, take, calls, view } = await screen({ chunks: newest, oldestSeq: 1, total: 12 })
  assert.equal(state().hasEarlier, true)
  let settled = 0
  await act(async () => {
    void runtime().thread.loadEarlier().then(() => (settled += 1))
    void runtime().thread.loadEarlier().then(() => (settled += 1))
  })
  const { query, done } = take('loadChunks')
  assert.equal(query.before, 11)
  assert.equal(calls.filter(call => call.name === 'loadChunks').length, 0)
  await act(async () => done({ chunks: [textChunk(1, 'a', 'user', 'old', { messageId: 'm1' }), textChunk(2, 'a', 'assistant', 'older')], oldestSeq: 1 }))
  assert.deepEqual([settled, state().hasEarlier, short(state().messages).map(line => line.split(': ')[1])], [2, false, ['old', 'older', 'new', 'newer']])
  await view.unmount()
})

test('cancel asks the server, and the queue stays', async () => {
  const { runtime, hear, take, state, thread, view } = await screen()
  await hear(start, delta('half'), { type: 'message-queued', messageId: 'q1', message: 'next' })
  await act(async () => runtime().thread.cancelRun())
  assert.equal(take('stop').query.turnId, 'a')
  await hear(end('a', 'aborted'), { type: 'queue-snapshot', version: 2, held: true, items: [{ messageId: 'q1', message: 'next' }] })
  assert.deepEqual(short(state().messages), ['user: first', 'assistant complete: half'])
  assert.deepEqual(thread.getSnapshot().queue.map(item => item.text), ['next'])
  await view.unmount()
})

test('approvals: asked, answered by the runtime, and expired with their turn', async () => {
  const { runtime, hear, take, state, view } = await screen()
  const ask = id => [{ type: 'tool-call', turnId: 'a', toolCall: { id, name: 'rm', arguments: {} } }, { type: 'approval-request', turnId: 'a', callId: id, prompt: 'Really?' }]
  await hear(start, ...ask('c1'), ...ask('c2'), ...ask('c3'))
  const [, message] = state().messages
  assert.deepEqual([message.status, state().isRunning], [{ type: 'requires-action', reason: 'tool-calls' }, false])
  assert.deepEqual(message.content.map(part => part.approval), ['c1', 'c2', 'c3'].map(id => ({ id, prompt: 'Really?' })))
  await act(async () => {
    runtime().thread.getMessageByIndex(1).getMessagePartByToolCallId('c1').respondToToolApproval({ approved: true })
    runtime().thread.getMessageByIndex(1).getMessagePartByToolCallId('c2').respondToToolApproval({ approved: false, reason: 'no' })
  })
  const answers = [take('resolveApproval').query, take('resolveApproval').query]
  assert.deepEqual(answers.map(({ callId, decision, reason }) => [callId, decision, reason]), [['c1', 'approved', undefined], ['c2', 'denied', 'no']])
  await hear({ type: 'approval-resolved', turnId: 'a', callId: 'c1', decision: 'approved' }, { type: 'approval-resolved', turnId: 'a', callId: 'c2', decision: 'denied', reason: 'no' }, end('a', 'aborted'))
  const approvals = state().messages[1].content.map(part => part.approval)
  assert.deepEqual(approvals.map(({ approved, resolution, reason }) => [approved, resolution, reason]), [[true, undefined, undefined], [false, undefined, 'no'], [undefined, 'cancelled', undefined]])
  assert.deepEqual(state().messages[1].status, { type: 'incomplete', reason: 'cancelled' })
  await view.unmount()
})

test('an error is the message\'s status; notices, files, sources and data become parts', async () => {
  const { hear, state, view } = await screen()
  const parts = [
    { type: 'file', id: 'f', url: 'https://a/b.png', mediaType: 'image/png' },
    { type: 'file', url: 'data:text/plain,x', mediaType: 'text/plain', filename: 'x.txt' },
    { type: 'source', id: 's', url: 'https://a', title: 'A' },
    { type: 'source', id: 'd', title: 'B', mediaType: 'text/plain' },
    { type: 'data', id: 'w', name: 'weather', data: { t: 1 } },
    { type: 'data', free: 1 },
    { type: 'data', aiSdk: { of: 'step-start' } },
  ]
  await hear(start, ...parts.map(part => ({ type: 'part', turnId: 'a', part })), delta('x'), { type: 'notice', turnId: 'a', message: 'slow today' }, { type: 'error', turnId: 'a', error: 'boom' }, { ...end('a', 'error'), error: 'boom' })
  const messages = state().messages
  assert.deepEqual(messages[1].content.map(part => [part.type, part.image ?? part.data ?? part.url ?? part.title ?? part.text]).slice(0, 7), [['image', 'https://a/b.png'], ['file', 'data:text/plain,x'], ['source', 'https://a'], ['source', 'B'], ['data', { t: 1 }], ['data', { free: 1 }], ['text', 'x']])
  assert.ok(messages.some(message => message.role === 'system' && said(message) === 'slow today'))
  assert.deepEqual(messages.find(message => message.status?.reason === 'error').status, { type: 'incomplete', reason: 'error', error: 'boom' })
  await view.unmount()
})

test('what was attached is sent as parts', async () => {
  const { runtime, take, view } = await screen()
  await act(async () => runtime().thread.append({ role: 'user', content: [{ type: 'text', text: 'see' }, { type: 'image', image: 'data:image/png;base64,AA' }, { type: 'file', data: 'data:,x', mimeType: 'text/plain', filename: 'x' }] }))
  assert.deepEqual(take('send').query.parts, [{ type: 'text', text: 'see' }, { type: 'file', url: 'data:image/png;base64,AA', mediaType: 'image/png' }, { type: 'file', url: 'data:,x', mediaType: 'text/plain', filename: 'x' }])
  await view.unmount()
})

test('what the application knows goes along; what the thread knows is the thread\'s', async () => {
  const results = []
  const options = { onAddToolResult: ({ toolCallId, result }) => results.push([toolCallId, result]), onReload: async () => {} }
  const { runtime, hear, view, thread } = await screen({ options })
  await hear(start, { type: 'tool-call', turnId: 'a', toolCall: { id: 'c', name: 'pick', arguments: {} } })
  await act(async () => runtime().thread.getMessageByIndex(1).getMessagePartByToolCallId('c').addToolResult(7))
  assert.deepEqual(results, [['c', 7]])
  const { capabilities } = runtime().thread.getState()
  assert.deepEqual([capabilities.queue, capabilities.cancel, capabilities.reload, capabilities.edit], [true, true, true, false])
  const snapshot = thread.getSnapshot()
  assert.equal(externalStoreAdapter(thread, snapshot, options), externalStoreAdapter(thread, snapshot, options))
  assert.equal(toThreadMessage(thread.renderGroups()[0]).id, thread.renderGroups()[0].key)
  await view.unmount()
})
