// A server that speaks the AI SDK's protocol, the SDK's real transport and its real hook, and a store between them.
import { act, createElement, draw } from './dom.mjs'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as ai6 from 'ai'
import * as ai7 from 'ai7'
import { createChat, fromChatTransport } from '../dist/ai-sdk.js'
import { peers, said, short } from './ai-sdk-screen.mjs'
import { createStoreWith, later, makeCore, soon } from './lib.mjs'

const sdk = { 6: ai6, 7: ai7 }
const text = (id, ...deltas) => [{ type: 'text-start', id }, ...deltas.map(delta => ({ type: 'text-delta', id, delta })), { type: 'text-end', id }]
const answer = (messageId, ...deltas) => [{ type: 'start', messageId }, { type: 'start-step' }, ...text('t', ...deltas), { type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }]

/** A server of paper: each request waits until the test says what comes. */
function paperServer() {
  const requests = []
  const fetch = async (url, { method = 'GET', body, signal } = {}) => {
    const given = later()
    const request = { url: String(url), method, body: body && JSON.parse(body), signal, ...given }
    signal?.addEventListener('abort', () => given.fail(signal.reason))
    requests.push(request)
    return given.promise
  }
  /** Answers the oldest request with a stream in the test's hands. */
  const stream = (...first) => {
    const request = requests.shift()
    const encoder = new TextEncoder()
    let controller
    const bytes = new ReadableStream({ start: it => void (controller = it) })
    const say = (...chunks) => chunks.forEach(chunk => controller.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`)))
    request.signal?.addEventListener('abort', () => {
      try {
        controller.error(request.signal.reason)
      } catch {}
    })
    say(...first)
    request.done(new Response(bytes, { headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' } }))
    return { request, say, close: () => controller.close(), break: () => controller.error(new TypeError('network error')) }
  }
  return { fetch, requests, stream, refuse: status => requests.shift().done(new Response(status === 204 ? null : 'no', { status })) }
}

async function app(version, { loadMessages, hook, isStrict = true, storage, callbacks } = {}) {
  const server = paperServer()
  const host = fromChatTransport(new sdk[version].DefaultChatTransport({ api: 'http://server/chat', fetch: server.fetch }), { store: () => store, ...(loadMessages ? { loadMessages } : {}) })
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: host, onDiagnostic: () => {}, ...(storage ? { storage } : {}) })
  const thread = store.thread('t')
  await soon()
  const { Chat, useChat } = peers[version]
  const chat = createChat(Chat, thread, { ...host, ...callbacks?.(() => chat) })
  let now
  const page = await draw(function Screen() {
    now = useChat({ chat, ...hook })
    return createElement('ol', null, now.messages.map(message => createElement('li', { key: message.id }, said(message))))
  }, { isStrict })
  const rest = () => act(async () => {
    for (let turn = 0; turn < 8; turn++) await soon()
  })
  const send = async words => {
    await act(async () => void now.sendMessage({ text: words }))
    await rest()
  }
  return { ...server, store, thread, page, rest, send, chat, now: () => now }
}

for (const version of ['6', '7']) {
  const named = (name, run) => test(`a server of ai ${version}: ${name}`, run)

  named('messages go out with their history, answers stream in', async () => {
    const { send, stream, rest, now, page, requests } = await app(version)
    await send('one?')
    assert.equal(now().status, 'submitted')
    const first = stream({ type: 'start', messageId: 'A1' }, { type: 'start-step' }, ...text('t', 'ON').slice(0, 2))
    await rest()
    assert.deepEqual([now().status, short(now().messages)], ['streaming', ['user: one?', 'assistant: |ON']])
    first.say({ type: 'text-delta', id: 't', delta: 'E' }, { type: 'text-end', id: 't' }, { type: 'finish', finishReason: 'stop' })
    first.close()
    await rest()
    assert.equal(now().status, 'ready')
    await send('two?')
    const { messages, id, trigger } = requests[0].body
    assert.deepEqual([id, trigger, short(messages)], ['t', 'submit-message', ['user: one?', 'assistant: |ONE', 'user: two?']])
    assert.equal(messages[1].id, 'A1')
    assert.ok(messages.every(message => !message.id.includes(':')), 'the names are those that the server knows')
    stream(...answer('A2', 'TWO')).close()
    await rest()
    assert.deepEqual(short(now().messages), ['user: one?', 'assistant: |ONE', 'user: two?', 'assistant: |TWO'])
    await page.unmount()
  })

  named('a stream that breaks is resumed, and nothing is said twice', async () => {
    const { send, stream, rest, now, page, requests } = await app(version)
    await send('q')
    const first = stream(...answer('A', 'one ', 'two ').slice(0, 5))
    await rest()
    assert.deepEqual(short(now().messages), ['user: q', 'assistant: |one two '])
    first.break()
    await rest()
    assert.deepEqual(requests.map(({ method, url }) => [method, url]), [['GET', 'http://server/chat/t/stream']])
    const again = stream(...answer('A', 'one ', 'two ', 'three'))
    again.close()
    await rest()
    assert.deepEqual([now().status, short(now().messages)], ['ready', ['user: q', 'assistant: |one two three']])
    await page.unmount()
  })

  named('a stream that breaks and cannot be resumed is an error, and what was said stays', async () => {
    const { send, stream, rest, now, page, refuse } = await app(version)
    await send('q')
    const first = stream(...answer('A', 'half').slice(0, 4))
    await rest()
    first.break()
    await rest()
    refuse(204)
    await rest()
    assert.equal(now().status, 'error')
    assert.match(now().error.message, /network/)
    assert.match(short(now().messages)[1], /half/)
    await page.unmount()
  })

  named('a reload in mid-stream loads the history and goes on with the stream, once, in strict mode', async () => {
    const stored = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'old?' }] }, { id: 'A1', role: 'assistant', parts: [{ type: 'text', text: 'old!' }] }, { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'new?' }] }]
    const { stream, rest, now, page, requests } = await app(version, { loadMessages: () => stored, hook: { resume: true } })
    await rest()
    assert.deepEqual(short(now().messages), ['user: old?', 'assistant: old!', 'user: new?'])
    const open = requests.length
    assert.ok(open >= 1)
    const streams = Array.from({ length: open }, () => stream(...answer('A2', 'ne', 'w!').slice(0, 4)))
    await rest()
    assert.deepEqual(short(now().messages).slice(-2), ['user: new?', 'assistant: |ne'])
    for (const one of streams) {
      one.say(...answer('A2', 'ne', 'w!').slice(4))
      one.close()
    }
    await rest()
    assert.deepEqual([now().status, short(now().messages)], ['ready', ['user: old?', 'assistant: old!', 'user: new?', 'assistant: |new!']])
    await page.unmount()
  })

  named('stop ends the request and keeps what was said; what waited is given back', async () => {
    const { send, stream, rest, now, page, requests, thread } = await app(version)
    await send('q')
    const first = stream(...answer('A', 'half').slice(0, 4))
    await rest()
    await send('typed meanwhile')
    assert.equal(requests.length, 0, 'one response at a time')
    await act(async () => now().stop())
    await rest()
    assert.equal(first.request.signal.aborted, true)
    assert.deepEqual(thread.renderGroups().map(group => group.state), ['live', 'live', 'failed'])
    assert.deepEqual(short(now().messages), ['user: q', 'assistant: |half', 'user: typed meanwhile'])
    assert.equal(requests.length, 0)
    await act(async () => thread.retry(thread.renderGroups()[2].clientId))
    await rest()
    assert.deepEqual(short(requests[0].body.messages).at(-1), 'user: typed meanwhile')
    stream(...answer('B', 'ok')).close()
    await rest()
    assert.equal(now().status, 'ready')
    await page.unmount()
  })

  named('two messages in one moment go out one after the other; stop before any answer gives its message back', async () => {
    const { send, stream, rest, now, page, requests, thread } = await app(version)
    await act(async () => {
      void now().sendMessage({ text: 'one' })
      void now().sendMessage({ text: 'two' })
    })
    await rest()
    assert.equal(requests.length, 1)
    stream(...answer('A', '1')).close()
    await rest()
    assert.deepEqual(requests.map(({ body }) => short(body.messages)), [['user: one', 'assistant: |1', 'user: two']])
    stream(...answer('B', '2')).close()
    await rest()
    await send('three')
    const [request] = requests.splice(0)
    await act(async () => now().stop())
    await rest()
    assert.equal(request.signal.aborted, true)
    assert.deepEqual(thread.renderGroups().map(({ state }) => state), ['live', 'live', 'live', 'live', 'failed'])
    assert.deepEqual(short(now().messages).at(-1), 'user: three')
    await page.unmount()
  })

  named('what was typed while an answer streamed is sent when it has ended', async () => {
    const { send, stream, rest, now, page, requests } = await app(version)
    await send('one')
    const first = stream(...answer('A', '1').slice(0, 4))
    await rest()
    await send('two')
    first.say(...answer('A', '1').slice(4))
    first.close()
    await rest()
    assert.deepEqual(short(requests[0].body.messages), ['user: one', 'assistant: |1', 'user: two'])
    stream(...answer('B', '2')).close()
    await rest()
    assert.deepEqual(short(now().messages), ['user: one', 'assistant: |1', 'user: two', 'assistant: |2'])
    await page.unmount()
  })

  named('a message that did not arrive outlives a reload, and can be sent again', async () => {
    const kept = new Map()
    const storage = { getItem: key => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: key => kept.delete(key) }
    const before = await app(version, { storage })
    await before.send('do not lose me')
    before.refuse(500)
    await before.rest()
    assert.deepEqual([before.now().status, short(before.now().messages)], ['error', ['user: do not lose me']])
    await before.page.unmount()
    before.store.free()
    const after = await app(version, { storage })
    assert.deepEqual(short(after.now().messages), ['user: do not lose me'])
    await act(async () => after.thread.retry(after.thread.renderGroups()[0].clientId))
    await after.rest()
    after.stream(...answer('A', 'found')).close()
    await after.rest()
    assert.deepEqual(short(after.now().messages), ['user: do not lose me', 'assistant: |found'])
    await after.page.unmount()
  })

  named('an approval goes on in the same message', async () => {
    const { send, stream, rest, now, page, requests } = await app(version)
    await send('delete it')
    stream({ type: 'start', messageId: 'A' }, { type: 'start-step' }, { type: 'tool-input-available', toolCallId: 'c', toolName: 'rm', input: { f: 1 } }, { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'ap' }, { type: 'finish-step' }, { type: 'finish' }).close()
    await rest()
    assert.equal(now().messages[1].parts[1].state, 'approval-requested')
    await act(async () => now().addToolApprovalResponse({ id: 'ap', approved: true, reason: 'fine' }))
    await rest()
    const { messages, messageId } = requests[0].body
    assert.deepEqual([messageId, messages.at(-1).id, messages.at(-1).parts[1].state, messages.at(-1).parts[1].approval], ['A', 'A', 'approval-responded', { id: 'ap', approved: true, reason: 'fine' }])
    await sdk[version].validateUIMessages({ messages })
    stream({ type: 'start', messageId: 'A' }, { type: 'tool-output-available', toolCallId: 'c', output: 'gone' }, { type: 'start-step' }, ...text('t', 'Done.'), { type: 'finish-step' }, { type: 'finish' }).close()
    await rest()
    assert.deepEqual([now().status, now().messages.length], ['ready', 2])
    assert.deepEqual(now().messages[1].parts.map(part => part.state ?? part.type), ['step-start', 'output-available', 'step-start', 'done'])
    await page.unmount()
  })

  named('a tool of the client: onToolCall, addToolOutput, and the answer goes on', async () => {
    const callbacks = chat => ({ onToolCall: ({ toolCall }) => void chat().addToolOutput({ tool: toolCall.toolName, toolCallId: toolCall.toolCallId, output: { city: 'Bern' } }) })
    const { send, stream, rest, now, page, requests } = await app(version, { callbacks })
    await send('where am I?')
    stream({ type: 'start', messageId: 'A' }, { type: 'start-step' }, { type: 'tool-input-available', toolCallId: 'c', toolName: 'locate', input: {} }, { type: 'finish-step' }, { type: 'finish' }).close()
    await rest()
    assert.equal(requests.length, 1)
    const { messages } = requests[0].body
    assert.deepEqual([messages.at(-1).parts[1].state, messages.at(-1).parts[1].output], ['output-available', { city: 'Bern' }])
    stream({ type: 'start', messageId: 'A' }, { type: 'start-step' }, ...text('t', 'In Bern.'), { type: 'finish-step' }, { type: 'finish' }).close()
    await rest()
    assert.deepEqual([now().status, now().messages.length, now().messages[1].parts.at(-1).text], ['ready', 2, 'In Bern.'])
    await page.unmount()
  })

  named('a store that was freed in mid-stream ends its request', async () => {
    const { send, stream, rest, page, store } = await app(version)
    await send('q')
    const first = stream(...answer('A', 'x').slice(0, 4))
    await rest()
    await page.unmount()
    store.free()
    first.say({ type: 'text-delta', id: 't', delta: 'y' })
    await rest()
    assert.equal(first.request.signal.aborted, true)
  })
}
