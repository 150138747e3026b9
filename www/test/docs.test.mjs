// Every block of docs/*.md runs. What the pages say of codes, events and states is held by docs-words.test.mjs.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import * as dispatch from '../../pkg/dist/dispatch.js'
import * as turnseal from '../../pkg/dist/node.js'
import * as testing from '../../pkg/dist/testing.js'
import { blocksOf, runBlock } from '../../pkg/test/blocks.mjs'
import { has } from '../../scripts/blocks.mjs'
import { root } from './chromium.mjs'

const folder = `${root}/docs`
const pages = readdirSync(folder).filter(name => name.endsWith('.md'))
const textOf = page => readFileSync(join(folder, page), 'utf8')
const blocks = pages.flatMap(page => blocksOf(textOf(page)).map((block, at) => ({ page, at, ...block })))
const soon = () => new Promise(done => setTimeout(done, 20))
const stores = []
after(() => stores.forEach(store => store.free()))
const keep = store => (stores.push(store), store)
const said = []
const createStore = options =>
  keep(turnseal.createStore({ onDiagnostic: diagnostic => said.push(diagnostic.code), ...options, schedule: 'sync' }))
const modules = {
  turnseal: { ...turnseal, createStore, replay: recording => keep(turnseal.replay(recording)) },
  'turnseal/testing': testing,
  'turnseal/dispatch': dispatch,
}
const rows = [
  { seq: 1, turnId: 'a', role: 'user', type: 'text', data: { text: 'first' }, messageId: 'm1' },
  { seq: 2, turnId: 'a', role: 'assistant', type: 'text', data: { text: 'answer' } },
]

/** What a block of a page may use without saying where it comes from, and what it did with it. */
function surroundings() {
  const did = { lines: [], buttons: [], drawn: [], sent: [], warnings: [] }
  const list = Object.assign(new EventTarget(), { scrollHeight: 900, scrollTop: 100, clientHeight: 300 })
  const socket = Object.assign(new EventTarget(), { send: frame => did.sent.push(frame) })
  const window = new EventTarget()
  /** A network that never answers. */
  const WebSocket = class extends EventTarget {
    close() {}
  }
  const fetch = () => new Promise(() => {})
  const send = message => (did.sent.push(message), { status: 'queued', messageId: `q${did.sent.length}` })
  const given = {
    ...{ list, socket, window, WebSocket, fetch, warnings: did.warnings },
    transport: { send, loadChunks: () => ({ chunks: rows, oldestSeq: 1 }), cancelQueued: () => ({ success: true }), resolveApproval: send },
    api: { rows: async () => ({ chunks: rows, oldestSeq: 1 }), send: async () => ({ status: 'ok', turnId: 'b' }) },
    loadRows: async () => rows,
    draw: groups => did.drawn.push(groups),
    addLine: (text, { remove }) => did.lines.push({ text, remove }),
    addButton: (label, press) => did.buttons.push({ label, press }),
  }
  return { given, did }
}

async function run(block) {
  const { given, did } = surroundings()
  const printed = []
  const log = (...words) => printed.push(words.map(word => inspect(word)).join(' '))
  await runBlock(block, modules, { ...given, console: { log } })
  await soon()
  const promised = [...block.code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, words]) => words)
  assert.deepEqual(printed, promised)
  return { ...did, given }
}

// The thread in JavaScript is played below, beside those in other languages.
for (const block of blocks.filter(({ language, code }) => language === 'js' && !code.startsWith('class Thread'))) {
  test(`${block.page}: block ${block.at} runs as it stands`, async () => {
    said.length = 0
    const store = stores.length
    const did = await run(block)
    assert.deepEqual(said, [])
    assert.ok(stores.length > store || block.code.includes('createTabStore') || block.code.includes('checkRecording'))
    for (const { press } of did.buttons) press()
    for (const { remove } of did.lines) remove()
    did.given.list.dispatchEvent(new Event('scroll'))
    await soon()
    assert.deepEqual(said.filter(code => code !== 'late'), [])
  })
}

test('a stream of the protocol page breaks no rule, and is shown whole', () => {
  const streams = blocks.filter(({ language }) => language === 'jsonl')
  assert.equal(streams.length, 3)
  for (const { code, page } of streams) {
    const report = testing.checkRecording(code, { createStore: modules.turnseal.createStore })
    assert.deepEqual(report.findings, [], page)
    const store = createStore({ transport: 'manual' })
    for (const line of code.trim().split('\n').map(text => JSON.parse(text))) store.handleEvent(line.type ? line : { type: 'chunks-loaded', ...line })
    const groups = store.renderGroups('main')
    assert.ok(groups.length >= 2)
    assert.ok(groups.every(({ state }) => state === 'sealed'), groups.map(({ state }) => state).join())
  }
})

/** What a thread of the protocol page tells of two turns, and then its log as a page, breaks no rule. */
function speaks(stream) {
  const report = testing.checkRecording(stream, { createStore: modules.turnseal.createStore })
  assert.deepEqual(report.findings, [])
  assert.deepEqual([report.turns, report.chunks, report.compared], [2, 4, 2])
}
const threadIn = language => blocks.find(block => block.page === 'protocol.md' && block.language === language && /\b(class|type) Thread\b/.test(block.code))

test('the thread in JavaScript speaks the protocol, and a model that fails loses nothing', async () => {
  const Thread = await runBlock(threadIn('js'), modules, {}, 'Thread')
  const play = async last => {
    const thread = new Thread()
    const lines = []
    thread.listeners.add(line => lines.push(line))
    await thread.turn({ messageId: 'm1', clientIds: ['k1'], text: 'one' }, ['a', 'b'])
    await thread.turn({ messageId: 'm2', clientIds: ['k2'], text: 'two' }, last())
    return [...lines, JSON.stringify({ chunks: thread.log })].join('\n')
  }
  speaks(await play(async function* () { yield 'c' }))
  const broken = await play(async function* () {
    yield 'c'
    throw new Error('the model is gone')
  })
  assert.match(broken, /"turnId":"t2","outcome":"error"/)
  speaks(broken)
})

// Nothing else here needs these languages: where a machine has none, the block is there, and `make check` says that nothing read it.
const speakers = {
  python() {
    const script = `${threadIn('python').code}
thread = Thread()
thread.listeners.append(print)
thread.turn("m1", ["k1"], "one", ["a", "b"])
thread.turn("m2", ["k2"], "two", ["c"])
print(json.dumps({"chunks": thread.log}))
`
    speaks(execFileSync('python3', ['-'], { input: script, encoding: 'utf8' }))
  },
  go() {
    const place = mkdtempSync(join(tmpdir(), 'turnseal-go-'))
    after(() => rmSync(place, { recursive: true, force: true }))
    writeFileSync(join(place, 'thread.go'), threadIn('go').code)
    writeFileSync(join(place, 'go.mod'), 'module thread\n\ngo 1.18\n')
    writeFileSync(join(place, 'main.go'), `package main

import (
	"encoding/json"
	"fmt"
)

func say(deltas ...string) <-chan string {
	answer := make(chan string, len(deltas))
	for _, delta := range deltas {
		answer <- delta
	}
	close(answer)
	return answer
}

func main() {
	thread := &Thread{}
	thread.Listeners = append(thread.Listeners, func(line []byte) { fmt.Println(string(line)) })
	thread.Turn("m1", []string{"k1"}, "one", say("a", "b"))
	thread.Turn("m2", []string{"k2"}, "two", say("c"))
	page, _ := json.Marshal(Event{"chunks": thread.Log})
	fmt.Println(string(page))
}
`)
    speaks(execFileSync('go', ['run', '.'], { cwd: place, encoding: 'utf8' }))
  },
}
for (const [language, play] of Object.entries(speakers)) {
  const there = has(language)
  test(there ? `the thread in ${language} speaks the protocol` : `no ${language} on this machine: its thread is on the page, and was not played`, there ? play : () => assert.ok(threadIn(language)))
}

test('a message that could not be sent is tried again when the network is back', async () => {
  const { given, did } = surroundings()
  let isDown = true
  const send = message => (did.sent.push(message.clientId), isDown ? Promise.reject(new Error('no network')) : { status: 'queued', messageId: 'q1' })
  const block = blocks.find(({ code }) => code.includes("addEventListener('online'"))
  const { thread } = await runBlock(block, modules, { ...given, transport: { ...given.transport, send } }, '{ thread }')
  const state = () => thread.renderGroups().at(-1).state
  given.window.dispatchEvent(new Event('offline'))
  const clientId = thread.send('Are you there?')
  await soon()
  assert.equal(state(), 'failed')
  isDown = false
  given.window.dispatchEvent(new Event('online'))
  await soon()
  assert.equal(state(), 'queued')
  assert.deepEqual(did.sent, [clientId, clientId])
  assert.deepEqual(did.warnings, ['send-failed'])
})
