// Every block of the README runs, or is compiled: JavaScript here, Rust as a doctest of the crate.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { after, test } from 'node:test'
import * as engine from '../../pkg/dist/engine-node.js'
import * as turnseal from '../../pkg/dist/node.js'
import { blocksOf, runBlock } from '../../pkg/test/blocks.mjs'
import { root } from './chromium.mjs'

const require = createRequire(`${root}/pkg/package.json`)
const readme = readFileSync(`${root}/README.md`, 'utf8')
const blocks = blocksOf(readme)
const find = (language, words) => {
  const found = blocks.filter(block => block.language === language && block.code.includes(words))
  assert.equal(found.length, 1, `one ${language} block has ${words}`)
  return found[0]
}
const soon = () => new Promise(done => setTimeout(done, 20))

const stores = []
after(() => stores.forEach(store => store.free()))
const modules = { turnseal: { ...turnseal, createStore: options => keep(turnseal.createStore({ ...options, schedule: 'sync' })), replay: recording => keep(turnseal.replay(recording)) }, 'turnseal/engine': { ...engine, createEngine: options => keep(engine.createEngine(options)) } }
function keep(store) {
  stores.push(store)
  return store
}

/** Runs a block as it stands, with what it is given; `tail` is what it gives back. */
const run = async (block, given, tail) => runBlock(block, modules, given, tail)

const say = (socket, ...events) => events.forEach(event => socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) })))
const turn = [
  { type: 'turn-start', n: 1, turnId: 'a', user: { messageId: 'm1', text: 'first' } },
  { type: 'text-delta', n: 2, turnId: 'a', delta: 'answer' },
  { type: 'message-queued', n: 3, messageId: 'q1', message: 'typed meanwhile' },
  { type: 'turn-end', n: 4, turnId: 'a', outcome: 'done' },
]
const seal = { type: 'turn-sealed', n: 5, turnId: 'a', lastSeq: 2 }
const chunks = [
  { seq: 1, turnId: 'a', role: 'user', type: 'text', data: { text: 'first' }, messageId: 'm1' },
  { seq: 2, turnId: 'a', role: 'assistant', type: 'text', data: { text: 'answer' } },
]
/** What a list says of itself: whether it is busy, and its rows. */
const drawnBy = html => [
  /<ol aria-busy="false"/.test(html) ? 'idle' : 'busy',
  ...[...html.matchAll(/<li data-state="(\w+)">(.*?)<\/li>/g)].map(([, state, text]) => [state, text.replace(/<!--.*?-->/g, '')]),
]
const textOf = group => group.parts.map(part => part.text).join('')

test('before: a reload of the log takes the queued message off the screen', async () => {
  const socket = new EventTarget()
  let drawn
  await run(find('js', 'let rows = []'), { socket, draw: rows => (drawn = rows), loadRows: async () => chunks.map(({ data }) => data) })
  say(socket, ...turn)
  assert.ok(drawn.some(row => row.text === 'typed meanwhile'))
  say(socket, seal)
  await soon()
  assert.deepEqual(drawn.map(row => row.text), ['first', 'answer'])
})

test('with turnseal the same events keep it, and show nothing twice', async () => {
  const socket = new EventTarget()
  let log = []
  let drawn
  const sent = []
  const transport = {
    loadChunks: () => ({ chunks: log, oldestSeq: 1 }),
    send: message => {
      sent.push(message)
      return new Promise(() => {})
    },
  }
  await run(find('js', 'await init()'), { socket, transport, draw: groups => (drawn = groups) })
  socket.dispatchEvent(new Event('open'))
  assert.deepEqual(sent.map(({ text, threadId, intent }) => [text, threadId, intent]), [['Why does the checkout test fail?', 'main', 'queue']])
  say(socket, ...turn)
  const keys = drawn.map(group => group.key)
  assert.deepEqual(drawn.map(group => group.state), ['live', 'live', 'queued', 'sending'])
  log = chunks
  say(socket, seal)
  await soon()
  assert.deepEqual(drawn.map(group => [textOf(group), group.state]), [
    ['first', 'sealed'],
    ['answer', 'sealed'],
    ['typed meanwhile', 'queued'],
    ['Why does the checkout test fail?', 'sending'],
  ])
  assert.deepEqual(drawn.map(group => group.key), keys)
  socket.dispatchEvent(new Event('close'))
  assert.equal(stores.at(-1).thread('main').getSnapshot().connection, 'offline')
})

test('the React component draws the rows of a thread', async () => {
  const store = keep(turnseal.createStore({ schedule: 'sync' }))
  store.handleEvents(turn)
  const React = require('react')
  const skin = await import('../../pkg/dist/react.js')
  const Chat = await run(find('jsx', 'function Chat'), { React, modules: { 'turnseal/react': skin } }, 'Chat')
  assert.deepEqual(drawnBy(require('react-dom/server').renderToStaticMarkup(React.createElement(Chat, { store }))), [
    'idle', ['live', 'first'], ['live', 'answer'], ['queued', 'typed meanwhile'],
  ])
})

test('the Svelte component draws the rows of a thread', async () => {
  const store = keep(turnseal.createStore({ schedule: 'sync' }))
  store.handleEvents(turn)
  const { compile } = require('svelte/compiler')
  const { js, warnings } = compile(find('svelte', 'ThreadState').code, { generate: 'server', filename: 'Chat.svelte' })
  assert.deepEqual(warnings, [])
  // Below the packages that it imports; the package itself by its path.
  const file = `${root}/pkg/node_modules/.cache/turnseal/Readme.mjs`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, js.code.replace("'turnseal/svelte'", JSON.stringify(`${root}/pkg/dist/svelte.js`)))
  const { default: Chat } = await import(file)
  const { render } = await import(require.resolve('svelte/server'))
  assert.deepEqual(drawnBy(render(Chat, { props: { store } }).body), ['idle', ['live', 'first'], ['live', 'answer'], ['queued', 'typed meanwhile']])
})

test('the transport works as written', async () => {
  const asked = []
  const answers = { chunks: { chunks, oldestSeq: 1 }, messages: { status: 'queued', messageId: 'q9' }, cancel: { success: true } }
  const request = async (path, { body, signal }) => {
    assert.ok(signal instanceof AbortSignal)
    asked.push([path, body && JSON.parse(body)])
    return answers[path.match(/chunks|messages|cancel/)?.[0]] ?? {}
  }
  const transport = await run(find('js', 'const transport = {'), { request }, 'transport')
  const store = keep(turnseal.createStore({ transport, schedule: 'sync' }))
  const thread = store.thread()
  await soon()
  const clientId = thread.send('hello')
  await soon()
  assert.deepEqual(thread.getSnapshot().queue.map(item => [item.messageId, item.text]), [['q9', 'hello']])
  thread.cancelQueued('q9')
  store.handleEvents([{ type: 'turn-start', turnId: 'b', n: 1 }, { type: 'tool-call', turnId: 'b', n: 2, toolCall: { id: 'c', name: 'rm', arguments: {} } }, { type: 'approval-request', turnId: 'b', callId: 'c', n: 3 }])
  thread.approve('c')
  thread.stop()
  store.handleEvent({ type: 'text-delta', turnId: 'b', delta: 'x', n: 9 })
  await soon()
  const called = path => asked.find(([known]) => known.startsWith(path))?.[1]
  assert.equal(asked[0][0], '/threads/main/chunks?limit=100&before=')
  assert.deepEqual(called('/messages'), { threadId: 'main', clientId, text: 'hello', intent: 'queue' })
  assert.deepEqual(called('/cancel'), { threadId: 'main', messageId: 'q9' })
  assert.deepEqual(called('/stop'), { threadId: 'main', turnId: 'b' })
  assert.equal(called('/approvals').decision, 'approved')
  assert.ok(asked.some(([path]) => path === '/threads/main/state?after=3'))
  for (const name of ['editQueued', 'moveQueued', 'sendNow', 'resumeQueue', 'stop', 'cancelQueued', 'approve', 'deny', 'loadOlder']) assert.equal(typeof thread[name], 'function', name)
})

/** A model that does what the last user message says, and tools that wait to be told to end. */
function agent() {
  const seen = { all: [], events: [], asked: [], aborted: [] }
  const until = signal => new Promise((_, fail) => signal.addEventListener('abort', () => {
    seen.aborted.push(true)
    fail(new Error('aborted'))
  }))
  async function* askModel(messages, signal) {
    seen.asked.push(messages)
    const [name, tool] = messages.findLast(({ role }) => role === 'user').content.split(' ')
    if (messages.at(-1).role === 'tool') yield { text: `it is ${messages.at(-1).content}` }
    else if (name === 'call') yield { call: { callId: 'c', name: tool, arguments: { of: 1 } } }
    else if (name === 'wait') await until(signal)
    else yield { text: 'hello' }
  }
  const runTool = async (name, given, signal) => (name === 'hang' ? until(signal) : { name, ...given })
  return { seen, given: { askModel, runTool, publish: event => [seen.all, seen.events].forEach(list => list.push(event)) } }
}

test('the engine runs a turn with a tool, an approval, a steer and a stop', async () => {
  const { seen, given } = agent()
  const put = await run(find('js', "from 'turnseal/engine'"), given, 'put')
  let count = 0
  const send = (text, intent = 'queue') => put({ type: 'send', messageId: `m${++count}`, clientId: `k${count}`, text, intent })
  const types = () => seen.events.splice(0).map(event => (event.outcome ? `${event.type} ${event.outcome}` : event.type))
  // A tool that needs nobody.
  assert.equal(send('call read').status, 'ok')
  await soon()
  assert.deepEqual(types(), ['turn-start', 'tool-call', 'tool-result', 'text-delta', 'turn-end done', 'turn-sealed'])
  // One that needs an approval, and a steer meanwhile: it runs when the call is decided and its step is over.
  send('call write')
  await soon()
  assert.deepEqual(types(), ['turn-start', 'tool-call', 'approval-request'])
  assert.equal(send('hi', 'steer').status, 'queued')
  assert.equal(put({ type: 'approve', callId: 'c' }).status, 'ok')
  assert.equal(put({ type: 'approve', callId: 'c' }).status, 'stale')
  await soon()
  assert.deepEqual(types(), [
    'message-queued', 'approval-resolved', 'tool-result', 'turn-end done', 'message-consumed', 'turn-start', 'turn-sealed',
    'text-delta', 'turn-end done', 'turn-sealed',
  ])
  // A stop while a tool runs, and one while a model says nothing: at once, each time; what comes late is dropped.
  for (const text of ['call hang', 'wait']) {
    send(text)
    await soon()
    if (text === 'call hang') put({ type: 'approve', callId: 'c' })
    await soon()
    types()
    const before = seen.aborted.length
    put({ type: 'stop' })
    assert.deepEqual(types(), ['turn-end aborted'])
    await soon()
    assert.equal(seen.aborted.length, before + 1)
    assert.deepEqual(types(), ['turn-sealed'])
  }
  // The store understands it all.
  send('hi')
  await soon()
  const store = keep(turnseal.createStore({ schedule: 'sync' }))
  store.handleEvents([{ type: 'chunks-loaded', threadId: 'main', chunks: [], total: 0 }, ...seen.all])
  const groups = store.renderGroups('main')
  assert.ok(groups.every(group => group.state === 'sealed'))
  assert.deepEqual(groups.slice(-2).map(textOf), ['hi', 'hello'])
  assert.equal(groups.length, 11)
  assert.equal(seen.asked.length, 7)
})

test('explain and replay say what the README says they do', async () => {
  const lines = []
  const block = find('js', 'replay(store.record())')
  await run(block, { console: { log: line => lines.push(line) } })
  assert.equal(lines[0][0], 'the server keeps q1 for a turn')
  assert.equal(lines[1], 'queued')
})

// The blocks about other libraries and about `connect` run in pkg/test/readme.test.mjs.
test('each block of code is one of those above, Rust or a command, and each state and file that is named exists', () => {
  const count = language => blocks.filter(block => block.language === language).length
  assert.deepEqual([count('js'), count('jsx'), count('svelte'), count('rust'), count('sh')], [8, 3, 1, 1, 1])
  assert.equal(blocks.length, 14)
  assert.ok(readme.split('\n').length <= 430)
  const view = readFileSync(`${root}/pkg/src/view.ts`, 'utf8')
  const known = [...view.match(/type GroupState = (.*)/)[1].matchAll(/'(\w+)'/g)].map(([, state]) => state).sort()
  const told = [...readme.split('## The states of a row')[1].split('\n## ')[0].matchAll(/^\| `(\w+)` \|/gm)].map(([, state]) => state).sort()
  assert.deepEqual(told, known)
  const entries = Object.keys(JSON.parse(readFileSync(`${root}/pkg/package.json`, 'utf8')).exports)
  for (const [, entry] of readme.matchAll(/`turnseal\/([a-z-]+)`/g)) assert.ok(entries.includes(`./${entry}`), entry)
  for (const [, file] of readme.matchAll(/\]\(([^)]+)\)/g)) readFileSync(`${root}/${file}`)
  const version = JSON.parse(readFileSync(`${root}/pkg/package.json`, 'utf8')).version
  assert.ok(readme.includes(`turnseal-${version}.tgz`))
})
