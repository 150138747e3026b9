import { act } from './dom.mjs'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupOf } from '../dist/ai-sdk.js'
import { delta, end, peers, said, screen, short, start } from './ai-sdk-screen.mjs'
import { soon } from './lib.mjs'

for (const [version, peer] of Object.entries(peers)) {
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
    const { hear, now, take, page, chat } = await screen(peer)
    const call = (id, options) => [{ type: 'tool-call', turnId: 'a', toolCall: { id, name: 'rm', arguments: { path: id } } }, { type: 'approval-request', turnId: 'a', callId: id, ...(options ? { options } : {}) }]
    await hear(start, ...call('c1', { approvalId: 'ap1' }), ...call('c2'))
    assert.equal(now().status, 'ready')
    assert.deepEqual(now().messages[1].parts.map(part => [part.type, part.state, part.approval.id]), [['tool-rm', 'approval-requested', 'ap1'], ['tool-rm', 'approval-requested', 'c2']])
    await act(async () => {
      // The hook of AI SDK 5 has no such function; the chat has.
      await (now().addToolApprovalResponse ?? chat.addToolApprovalResponse)({ id: 'ap1', approved: true })
      await chat.addToolApprovalResponse({ id: 'c2', approved: false, reason: 'too much' })
    })
    const [yes, no] = [take('resolveApproval'), take('resolveApproval')]
    assert.deepEqual([yes.query.callId, yes.query.decision], ['c1', 'approved'])
    assert.deepEqual([no.query.callId, no.query.decision, no.query.reason], ['c2', 'denied', 'too much'])
    await hear({ type: 'approval-resolved', turnId: 'a', callId: 'c1', decision: 'approved' }, { type: 'approval-resolved', turnId: 'a', callId: 'c2', decision: 'denied', reason: 'too much' })
    assert.deepEqual(now().messages[1].parts.map(part => [part.state, part.approval.approved]), [['approval-responded', true], ['approval-responded', false]])
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
    const { hear, now, page } = await screen(peer, { hook: { experimental_throttle: 300 }, isStrict: false })
    await act(() => new Promise(done => setTimeout(done, 350)))
    await hear(start, delta('a'))
    await hear(delta('b'))
    await hear(delta('c'))
    const early = said(now().messages.at(-1))
    assert.ok(early.length < 3, early)
    await act(() => new Promise(done => setTimeout(done, 350)))
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
