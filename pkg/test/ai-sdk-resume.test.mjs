import { act } from './dom.mjs'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delta, end, peers, screen, short, start } from './ai-sdk-screen.mjs'
import { textChunk } from './lib.mjs'

for (const [version, peer] of Object.entries(peers)) {
  const named = (name, run) => test(`useChat of ai ${version}: ${name}`, run)

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
}
