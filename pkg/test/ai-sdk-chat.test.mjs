import { act, createElement, draw } from './dom.mjs'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as react6 from '@ai-sdk/react'
import * as react7 from 'ai-sdk-react7'
import { createChat, groupOf } from '../dist/ai-sdk.js'
import { createStoreWith, makeCore, paperTransport, soon, textChunk } from './lib.mjs'

const start = { type: 'turn-start', turnId: 'a', user: { messageId: 'm1', clientIds: ['k1'], text: 'first' } }
const delta = (text, turnId = 'a') => ({ type: 'text-delta', turnId, delta: text })
const end = (turnId = 'a', outcome = 'done') => ({ type: 'turn-end', turnId, outcome })
const said = message => message.parts.map(part => part.text ?? part.state).join('|')
const short = messages => messages.map(message => `${message.role}: ${said(message)}`)

/** A chat on a store over a paper transport, drawn by the peer's real hook. */
async function screen({ Chat, useChat }, { options, store, transport, isStrict, hook } = {}) {
  const paper = paperTransport()
  const used = store ?? createStoreWith(makeCore, { schedule: 'sync', transport: transport ?? paper.transport, onDiagnostic: () => {} })
  const thread = used.thread('t')
  if (store === undefined && transport === undefined) paper.take('loadChunks').done({ chunks: [], total: 0 })
  await soon()
  const chat = createChat(Chat, thread, options)
  const seen = []
  let now
  const page = await draw(function Screen() {
    now = useChat({ chat, ...hook })
    seen.push(now)
    return createElement('ol', null, now.messages.map(message => createElement('li', { key: message.id }, said(message))))
  }, { isStrict })
  const hear = (...events) => act(async () => used.handleEvents(events.map(event => ({ threadId: 't', ...event }))))
  return { ...paper, store: used, thread, chat, page, hear, seen, now: () => now }
}

for (const [version, peer] of Object.entries({ 6: react6, 7: react7 })) {
  const named = (name, run) => test(`useChat of ai ${version}: ${name}`, run)

  named('it draws the thread, and an unchanged message stays the same object', async () => {
    const { hear, now, page, thread } = await screen(peer)
    assert.equal(now().id, 't')
    assert.equal(now().status, 'ready')
    await hear(start)
    assert.equal(now().status, 'submitted')
    await hear(delta('an'))
    assert.equal(now().status, 'streaming')
    const [question, before] = now().messages
    await hear(delta('swer'))
    assert.deepEqual(short(now().messages), ['user: first', 'assistant: answer'])
    assert.equal(now().messages[0], question)
    assert.notEqual(now().messages[1], before)
    assert.equal(now().messages[1].id, before.id)
    assert.equal(page.text(), 'firstanswer')
    const { messages } = now()
    await hear({ type: 'usage', tokens: 5 })
    assert.equal(now().messages, messages, 'what is not drawn changes no list')
    await hear(end())
    assert.equal(now().status, 'ready')
    assert.equal(groupOf(now().messages[1]), thread.renderGroups()[1])
    await page.unmount()
  })

  named('sendMessage sends through the store, and settles when the turn has ended', async () => {
    const { hear, now, take, page } = await screen(peer)
    let settled = false
    await act(async () => void now().sendMessage({ text: 'why?', metadata: { from: 'test' } }).then(() => (settled = true)))
    assert.equal(now().status, 'submitted')
    assert.deepEqual(short(now().messages), ['user: why?'])
    assert.deepEqual(now().messages[0].metadata, { from: 'test' })
    const { query, done } = take('send')
    assert.equal(query.intent, 'queue')
    assert.equal(query.parts[0].text, 'why?')
    await act(async () => done({ status: 'ok', messageId: 'm9', turnId: 'b' }))
    await hear({ type: 'turn-start', turnId: 'b', user: { messageId: 'm9', clientIds: [query.clientId], text: 'why?' } }, delta('so', 'b'))
    assert.deepEqual(short(now().messages), ['user: why?', 'assistant: so'])
    assert.equal(settled, false)
    await hear(end('b'))
    assert.equal(settled, true)
    await page.unmount()
  })

  named('a message with files and one with an id and an intent', async () => {
    const { now, take, page } = await screen(peer)
    const files = Object.assign([new File(['hi'], 'a.txt', { type: 'text/plain' })], { item: () => null })
    await act(async () => void now().sendMessage({ text: 'see', files: Object.setPrototypeOf({ 0: files[0], length: 1, [Symbol.iterator]: () => files.values() }, null) }))
    await soon()
    assert.deepEqual(take('send').query.parts, [{ type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,aGk=' }, { type: 'text', text: 'see' }])
    await act(async () => void now().sendMessage({ id: 'mine', parts: [{ type: 'text', text: 'faster' }] }, { body: { intent: 'steer' } }))
    const { clientId, text, intent } = take('send').query
    assert.deepEqual([clientId, text, intent], ['mine', 'faster', 'steer'])
    await page.unmount()
  })

  named('a turn of another client is drawn', async () => {
    const { hear, now, page } = await screen(peer)
    await hear({ type: 'turn-start', turnId: 'z', user: { messageId: 'other', text: 'from my phone' } }, delta('hello phone', 'z'))
    assert.deepEqual(short(now().messages), ['user: from my phone', 'assistant: hello phone'])
    assert.equal(now().status, 'streaming')
    await page.unmount()
  })

  named('a queue outlives a reload, and its message is answered once', async () => {
    const { hear, now, take, chat, page, thread } = await screen(peer)
    await hear(start, delta('one'))
    await act(async () => void now().sendMessage({ id: 'k2', text: undefined, parts: [{ type: 'text', text: 'and then?' }] }))
    await act(async () => take('send').done({ status: 'queued', messageId: 'q1' }))
    assert.deepEqual(short(now().messages), ['user: first', 'assistant: one'])
    assert.deepEqual(short(chat.experimental_queuedMessages), ['user: and then?'])
    if (version === '7') assert.deepEqual(short(now().experimental_queuedMessages), ['user: and then?'])
    const key = thread.getSnapshot().queue[0].key
    await page.unmount()

    // A new page: nothing but the server's word.
    const again = await screen(peer)
    await again.hear({ type: 'snapshot', n: 4, turns: [{ turnId: 'a', phase: 'streaming', rows: [{ role: 'user', messageId: 'm1', text: 'first' }, { role: 'assistant', parts: [{ type: 'text', text: 'one' }] }] }], queue: [{ messageId: 'q1', message: 'and then?', clientId: 'k2' }] })
    assert.deepEqual(short(again.chat.experimental_queuedMessages), ['user: and then?'])
    assert.deepEqual(short(again.now().messages), ['user: first', 'assistant: one'])
    assert.equal(again.chat.experimental_queuedMessages[0].id, key)
    await again.hear({ ...end(), n: 5 }, { type: 'message-consumed', messageIds: ['q1'], reason: 'continuation', n: 6 }, { type: 'turn-start', turnId: 'b', messageIds: ['q1'], n: 7 }, { ...delta('two', 'b'), n: 8 }, { ...end('b'), n: 9 })
    assert.deepEqual(short(again.now().messages), ['user: first', 'assistant: one', 'user: and then?', 'assistant: two'])
    assert.deepEqual(again.chat.experimental_queuedMessages, [])
    await again.page.unmount()
  })

  named('what is said again after a reconnect is not drawn twice, in strict mode with resume', async () => {
    const resumed = []
    const { hear, now, page } = await screen(peer, { options: { resume: query => void resumed.push(query) }, hook: { resume: true } })
    const rows = text => [{ role: 'user', messageId: 'm1', clientIds: ['k1'], text: 'first' }, { role: 'assistant', parts: [{ type: 'text', text }] }]
    await hear({ ...start, n: 1 }, { ...delta('Hel'), n: 2 })
    const keys = now().messages.map(message => message.id)
    await hear({ type: 'snapshot', n: 3, turns: [{ turnId: 'a', phase: 'streaming', rows: rows('Hello') }] })
    await hear({ ...delta('lo'), n: 3 }, { ...delta(' you'), n: 4 }, { ...delta(' you'), n: 4 })
    assert.deepEqual(short(now().messages), ['user: first', 'assistant: Hello you'])
    assert.deepEqual(now().messages.map(message => message.id), keys)
    assert.ok(resumed.length >= 1)
    assert.deepEqual(resumed[0], { threadId: 't' })
    await page.unmount()
  })

  named('a fold keeps ids, and loads what was missed', async () => {
    const { hear, now, take, page, thread } = await screen(peer)
    await hear(start, delta('answer'), end())
    const before = now().messages
    await hear({ type: 'turn-sealed', turnId: 'a', lastSeq: 2 })
    await act(async () => take('loadChunks').done({ chunks: [textChunk(1, 'a', 'user', 'first', { messageId: 'm1', clientIds: ['k1'] }), textChunk(2, 'a', 'assistant', 'answer')], total: 2 }))
    assert.deepEqual(thread.renderGroups().map(group => group.state), ['sealed', 'sealed'])
    assert.deepEqual(short(now().messages), ['user: first', 'assistant: answer'])
    assert.deepEqual(now().messages.map(message => message.id), before.map(message => message.id))
    await page.unmount()
  })

  named('stop is asked for once, and over when the server says so', async () => {
    const { hear, now, take, calls, page } = await screen(peer)
    await hear(start, delta('x'))
    await act(async () => {
      await now().stop()
      await now().stop()
    })
    take('stop').done({})
    assert.equal(calls.filter(call => call.name === 'stop').length, 0)
    assert.equal(now().status, 'streaming')
    await hear(end('a', 'aborted'))
    assert.equal(now().status, 'ready')
    assert.deepEqual(short(now().messages), ['user: first', 'assistant: x'])
    await page.unmount()
  })

  named('an error is shown, until it is cleared or there is another one', async () => {
    const errors = []
    const { hear, now, take, page } = await screen(peer, { options: { onError: error => errors.push(error.message) } })
    await hear(start, delta('x'), { ...end('a', 'error'), error: 'overloaded' })
    assert.equal(now().status, 'error')
    assert.equal(now().error.message, 'overloaded')
    const { error } = now()
    await hear({ type: 'usage', tokens: 1 })
    assert.equal(now().error, error)
    await act(async () => now().clearError())
    assert.deepEqual([now().status, now().error], ['ready', undefined])
    await act(async () => void now().sendMessage({ text: 'again' }))
    await act(async () => take('send').fail(new Error('offline')))
    assert.equal(now().status, 'error')
    assert.match(now().error.message, /offline/)
    assert.deepEqual(errors.map(text => text.replace(/.*offline.*/, 'offline')), ['overloaded', 'offline'])
    await page.unmount()
  })

  named('approvals are answered by the peer\'s id, and the server decides', async () => {
    const { hear, now, take, page } = await screen(peer)
    const call = (id, options) => [{ type: 'tool-call', turnId: 'a', toolCall: { id, name: 'rm', arguments: { path: id } } }, { type: 'approval-request', turnId: 'a', callId: id, ...(options ? { options } : {}) }]
    await hear(start, ...call('c1', { approvalId: 'ap1' }), ...call('c2'))
    assert.equal(now().status, 'ready')
    assert.deepEqual(now().messages[1].parts.map(part => [part.type, part.state, part.approval.id]), [['tool-rm', 'approval-requested', 'ap1'], ['tool-rm', 'approval-requested', 'c2']])
    await act(async () => {
      await now().addToolApprovalResponse({ id: 'ap1', approved: true })
      await now().addToolApprovalResponse({ id: 'c2', approved: false, reason: 'too much' })
    })
    const [yes, no] = [take('resolveApproval'), take('resolveApproval')]
    assert.deepEqual([yes.query.callId, yes.query.decision], ['c1', 'approved'])
    assert.deepEqual([no.query.callId, no.query.decision, no.query.reason], ['c2', 'denied', 'too much'])
    await hear({ type: 'approval-resolved', turnId: 'a', callId: 'c1', decision: 'approved' }, { type: 'approval-resolved', turnId: 'a', callId: 'c2', decision: 'denied', reason: 'too much' })
    assert.deepEqual(now().messages[1].parts.map(part => [part.state, part.approval.approved]), [['approval-responded', true], ['output-denied', false]])
    await page.unmount()
  })

  named('queued messages are taken out and sent now by the server', async () => {
    const { hear, chat, take, page } = await screen(peer)
    await hear(start, { type: 'message-queued', messageId: 'q1', message: 'one' }, { type: 'message-queued', messageId: 'q2', message: 'two' })
    const [one, two] = chat.experimental_queuedMessages
    await act(async () => chat.experimental_removeQueuedMessage(one.id))
    assert.equal(take('cancelQueued').query.messageId, 'q1')
    await act(() => chat.experimental_sendQueuedMessageNow(two.id))
    assert.equal(take('sendNow').query.messageId, 'q2')
    await page.unmount()
  })

  named('callbacks hear of each turn, whoever asked, and of nothing twice', async () => {
    const heard = []
    const options = {
      onToolCall: ({ toolCall }) => heard.push(['tool', toolCall.toolName, toolCall.toolCallId, toolCall.input]),
      onData: part => heard.push(['data', part.type, part.data]),
      onFinish: ({ message, messages, isAbort, isError }) => heard.push(['finish', said(message), messages.length, isAbort, isError]),
      addToolOutput: output => heard.push(['output', output]),
    }
    const { hear, now, chat, page } = await screen(peer, { options })
    await hear(start, { type: 'tool-call', turnId: 'a', toolCall: { id: 'c', name: 'pick', arguments: { from: 3 } } })
    await hear({ type: 'part', turnId: 'a', part: { type: 'data', name: 'w', id: 'w', data: { v: 1 } } })
    await now().addToolOutput({ tool: 'pick', toolCallId: 'c', output: 2 })
    await hear({ type: 'tool-result', turnId: 'a', toolResult: { toolCallId: 'c', result: 2 } }, delta('2'), end())
    await hear({ ...start, turnId: 'b', user: { messageId: 'm2', text: 'more' } }, delta('y', 'b'), { ...end('b', 'error'), error: 'bad' })
    assert.deepEqual(heard, [
      ['tool', 'pick', 'c', { from: 3 }],
      ['data', 'data-w', { v: 1 }],
      ['output', { threadId: 't', toolCallId: 'c', tool: 'pick', result: 2, isError: false }],
      ['finish', 'output-available|||2', 2, false, false],
      ['finish', 'y', 4, false, true],
    ])
    await chat.dispose?.()
    await page.unmount()
  })

  named('what only a host can do fails by name without one', async () => {
    const { chat, now, page } = await screen(peer)
    for (const act of [() => now().regenerate(), () => now().addToolOutput({ tool: 'x', toolCallId: 'c', output: 1 }), () => now().sendMessage({ text: 'x', messageId: 'm' })]) await assert.rejects(act, { code: 'unknown-command' })
    assert.throws(() => (chat.messages = []), { code: 'unknown-command' })
    await now().sendMessage()
    await now().resumeStream()
    await page.unmount()
  })

  named('a throttled list comes at once, then not before its time, and its last state comes', async context => {
    const { hear, now, page } = await screen(peer, { hook: { experimental_throttle: 20 }, isStrict: false })
    await act(() => new Promise(done => setTimeout(done, 40)))
    await hear(start, delta('a'))
    await hear(delta('b'))
    await hear(delta('c'))
    const early = said(now().messages.at(-1))
    assert.ok(early.length < 3, early)
    await act(() => new Promise(done => setTimeout(done, 60)))
    assert.equal(said(now().messages.at(-1)), 'abc')
    await page.unmount()
  })

  named('no listener is left when the screen has gone', async () => {
    const { hear, seen, page } = await screen(peer)
    await hear(start)
    await page.unmount()
    const { length } = seen
    await hear(delta('x'))
    assert.equal(seen.length, length)
  })
}
