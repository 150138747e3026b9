// The blocks of the README about other libraries, and about `connect`, run as they stand.
import { act, createElement, draw } from './dom.mjs'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as aiSdkReact from '@ai-sdk/react'
import * as assistantUi from '@assistant-ui/react'
import * as ai from 'ai'
import * as agUi from '../dist/ag-ui.js'
import * as aiSdk from '../dist/ai-sdk.js'
import * as assistant from '../dist/assistant-ui.js'
import { Scripted, finished, says, started, user } from './ag-ui-lib.mjs'
import { streams } from './ai-sdk-lib.mjs'
import { blocksOf, runBlock } from './blocks.mjs'
import { createStoreWith, drawn as drawnRows, makeCore, paperTransport, soon, textChunk } from './lib.mjs'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const blocks = blocksOf(readme)
const modules = { '@ai-sdk/react': aiSdkReact, '@assistant-ui/react': assistantUi, 'turnseal/ai-sdk': aiSdk, 'turnseal/ag-ui': agUi, 'turnseal/assistant-ui': assistant }

/** Runs the one block that has `words`, with what it is given; `tail` is what it gives back. */
async function run(words, given, tail = 'undefined') {
  const found = blocks.filter(({ code }) => code.includes(words))
  assert.equal(found.length, 1, `one block has ${words}`)
  return runBlock(found[0], modules, { React: { createElement }, ...given }, tail)
}
const turn = [{ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'hello ' } }, { type: 'text-delta', turnId: 'a', delta: 'you' }]

test('AI SDK: the component draws the thread and sends to it', async () => {
  const { transport, take } = paperTransport()
  const store = createStoreWith(makeCore, { schedule: 'sync', transport, onDiagnostic: () => {} })
  const Messages = await run('createChat(Chat, thread)', { thread: store.thread() }, 'Messages')
  const page = await draw(Messages)
  await act(async () => store.handleEvents(turn))
  assert.equal(page.text(), 'hello you')
  await act(async () => page.place.querySelector('ul').click())
  assert.equal(take('send').query.text, 'Go on.')
  await page.unmount()
})

test('AI SDK: a server of the SDK is a transport of the store', async () => {
  const asked = []
  class DefaultChatTransport extends ai.DefaultChatTransport {
    constructor({ api }) {
      const fetch = async (url, { body }) => {
        asked.push([url, JSON.parse(body).messages.length])
        const text = streams.text.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('')
        return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
      }
      super({ api, fetch })
    }
  }
  const loadMessages = () => [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'before' }] }]
  const createStore = options => createStoreWith(makeCore, { ...options, schedule: 'sync' })
  const given = { loadMessages, modules: { ...modules, ai: { DefaultChatTransport }, turnseal: { createStore } } }
  const { store, transport } = await run('fromChatTransport(new', given, '{ store, transport }')
  const thread = store.thread('main')
  await soon()
  const chat = aiSdk.createChat(aiSdkReact.Chat, thread, transport)
  await chat.sendMessage({ text: 'hello' })
  assert.deepEqual(asked, [['/api/chat', 2]])
  assert.deepEqual(chat.messages.map(({ role }) => role), ['user', 'user', 'assistant'])
  const read = aiSdk.createChunkReader().open().read({ type: 'start', messageId: 'X' })
  assert.equal(read[0].type, 'turn-start')
})

test('AG-UI: the runs of an agent go to the store', async () => {
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  const agent = new Scripted({ threadId: 'other' })
  await run('agentSubscriber(store', { store, agent })
  agent.addMessage(user('u', 'hello'))
  agent.runs = [[started(), ...says('m', 'you'), finished()]]
  await agent.runAgent({ runId: 'r1' })
  assert.deepEqual(drawnRows(store.renderGroups('main')), ['user live hello', 'assistant live you'])
})

test('assistant-ui: the component gives its children a runtime over the thread', async () => {
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  const Assistant = await run('function Assistant', {}, 'Assistant')
  const thread = store.thread()
  const Count = () => createElement('b', null, assistantUi.useAuiState(state => state.thread.messages.length))
  const page = await draw(() => createElement(Assistant, { thread }, createElement(Count)))
  await act(async () => store.handleEvents(turn))
  assert.equal(page.text(), '2')
  await page.unmount()
})

test('a url is enough for a server that speaks the protocol', async t => {
  const sockets = []
  const kept = globalThis.WebSocket
  globalThis.WebSocket = class {
    constructor(url) {
      sockets.push(Object.assign(this, { url, said: [] }))
    }
    send(text) {
      this.said.push(JSON.parse(text))
    }
    close() {}
  }
  t.after(() => (globalThis.WebSocket = kept))
  const asked = []
  const fetch = t.mock.method(globalThis, 'fetch', async (url, { method, body }) => {
    asked.push([method, url, ...(body === undefined ? [] : [JSON.parse(body).text])])
    return Response.json(method === 'GET' ? { chunks: [textChunk(1, 'a', 'user', 'first'), textChunk(2, 'a', 'assistant', 'answer')], oldestSeq: 1 } : { status: 'queued', messageId: 'q1' })
  })
  const [input, form, states] = [{}, {}, []]
  let drawn
  const createStore = options => createStoreWith(makeCore, { ...options, schedule: 'sync' })
  const given = { modules: { turnseal: { createStore } }, url: 'https://chat.example', input, form, draw: groups => (drawn = groups), tell: ({ state }) => states.push(state) }
  const { store, thread } = await run('connect: { url }', given, '{ store, thread }')
  for (let round = 0; sockets.length === 0 && round < 500; round++) await soon()
  const [socket] = sockets
  socket.onopen()
  assert.deepEqual([socket.url, socket.said, states], ['wss://chat.example/ws', [{ type: 'subscribe', threadId: 'main' }], ['connecting', 'open']])
  input.value = 'and th'
  input.oninput()
  assert.equal(thread.draft.get(), 'and th')
  input.value = 'and then?'
  form.onsubmit()
  for (let round = 0; asked.every(([method]) => method === 'GET') && round < 500; round++) await soon()
  socket.onmessage({ data: JSON.stringify({ type: 'message-queued', threadId: 'main', n: 1, messageId: 'q1', message: 'and then?' }) })
  assert.deepEqual([drawn.map(({ state, parts }) => [parts[0].text, state]), input.value, thread.draft.get()], [[['first', 'sealed'], ['answer', 'sealed'], ['and then?', 'queued']], '', ''])
  assert.deepEqual(asked.map(([method, url, text]) => [method, url.replace('https://chat.example', ''), text]).filter(([method]) => method === 'POST'), [['POST', '/threads/main/messages', 'and then?']])
  assert.ok(fetch.mock.callCount() >= 2)
  store.free()
})
