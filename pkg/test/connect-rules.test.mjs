// The rules of a connection, by the table that Rust plays as well (`tests/link`).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mock, test } from 'node:test'
import { addresses, createSocket, isPassing, lastOf, waitMs } from '../dist/connect.js'
import { createStoreWith, makeCore } from './lib.mjs'

const read = name => readFileSync(new URL(`../../tests/link/${name}`, import.meta.url), 'utf8')
const cases = JSON.parse(read('cases.json'))

/** A socket with a clock, a page and a server of the test; `out` is what came of it. */
function bench() {
  const out = []
  let paper
  class Paper {
    constructor() {
      paper = this
      out.push('  connect')
    }
    send(text) {
      out.push(`  say ${text}`)
    }
    close() {
      if (!this.isGone) out.push('  drop')
    }
  }
  const page = new EventTarget()
  Object.assign(globalThis, { document: page, window: page })
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true })
  const state = ({ state, attempt, retryAt }) => out.push(`  state ${state} ${attempt}${retryAt === undefined ? '' : ` in ${retryAt - Date.now()}`}`)
  let socket
  const acts = {
    begin: () => (socket = createSocket({ url: 'ws://a/ws', options: { WebSocket: Paper }, frame: () => {}, state })),
    listen: (name, more) => {
      if (more === undefined) return socket.listen(name)
      const kept = out.length
      for (let at = 0; at < Number(name); at++) socket.listen(`t${at}`)
      out.length = kept
    },
    rename: (from, to) => socket.rename(from, to),
    opens: () => paper.onopen?.(),
    ends: () => {
      paper.isGone = true
      paper.onclose?.()
    },
    hears: (threadId, n) => paper.onmessage?.({ data: JSON.stringify({ type: 'notice', threadId, n: Number(n), message: 'x' }) }),
    wait: ms => mock.timers.tick(Number(ms)),
    back: () => page.dispatchEvent(new Event('visibilitychange')),
    online: () => {
      navigator.onLine = true
      page.dispatchEvent(new Event('online'))
    },
    offline: () => {
      navigator.onLine = false
      page.dispatchEvent(new Event('offline'))
    },
    retry: () => socket.retry(),
    close: () => socket.close(),
  }
  return { out, acts, end: () => socket.close() }
}

for (const part of read('socket.txt').split('\n== ').slice(1)) {
  const [name, ...lines] = part.trim().split('\n')
  test(`a socket: ${name}`, t => {
    const kept = ['document', 'window', 'navigator'].map(key => [key, Object.getOwnPropertyDescriptor(globalThis, key)])
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    mock.method(Math, 'random', () => 0.5)
    t.after(() => {
      mock.timers.reset()
      mock.restoreAll()
      for (const [key, was] of kept) if (was === undefined) delete globalThis[key]
      else Object.defineProperty(globalThis, key, was)
    })
    const { out, acts, end } = bench()
    for (const line of lines.filter(line => line !== '' && !line.startsWith('  '))) {
      out.push(line)
      const [act, ...words] = line.split(' ')
      acts[act](...words)
    }
    assert.deepEqual(out, lines.filter(line => line !== ''))
    end()
  })
}

test('waits, addresses and passing failures are those of the table', () => {
  for (const { attempt, chance, ms } of cases.waits) assert.equal(waitMs(attempt, chance), ms)
  for (const { status, is } of cases.passing) assert.equal(isPassing(status ?? undefined), is, String(status))
  for (const { url, http, socket } of cases.addresses) {
    if (http === null) assert.throws(() => addresses(url), TypeError)
    else assert.deepEqual(addresses(url), { http, socket })
  }
  assert.deepEqual(addresses('/chat', 'https://a:1/app/page?x'), { http: 'https://a:1/chat', socket: 'wss://a:1/chat/ws' })
  assert.throws(() => addresses('no address'), TypeError)
})

test('the number of the last event is read where it surely is one', () => {
  const line = (rest, n = 7) => `{"type":"text-delta","threadId":"ma\\"in","n":${n}${rest}`
  assert.deepEqual(lastOf(line(',"delta":"x"}')), ['ma"in', 7])
  assert.deepEqual(lastOf(`${line('}', 6)}\n${line('}')}\n`), ['ma"in', 7])
  assert.deepEqual(lastOf('{"type":"ping","threadId":"main","n":0}'), ['main', 0])
  for (const other of ['', '{}', '[{"type":"a","threadId":"main","n":7}]', '{"type":"a","x":{"threadId":"main","n":7}}', '{"type":"a","threadId":"main","n":7.5}', '{"n":7,"threadId":"main"}']) assert.equal(lastOf(other), undefined, other)
})

test('what is kept is read as the table says', () => {
  const texts = new Map()
  const storage = { getItem: key => texts.get(key) ?? null, setItem: (key, text) => texts.set(key, text), removeItem: key => texts.delete(key) }
  const open = () => {
    const said = []
    const store = createStoreWith(makeCore, { schedule: 'sync', storage, onDiagnostic: one => said.push(one) })
    return { thread: store.thread(), said }
  }
  for (const { text, clients, whole } of cases.sends) {
    texts.clear()
    texts.set('turnseal:1:main', text)
    const { thread, said } = open()
    assert.deepEqual(thread.renderGroups().map(({ clientId }) => clientId), clients, text)
    assert.deepEqual(said.filter(({ code }) => code === 'storage-corrupt').length, whole ? 0 : 1, text)
    assert.equal(texts.get('turnseal:corrupt:main'), whole ? undefined : text)
  }
  for (const { text, draft } of cases.drafts) {
    texts.clear()
    texts.set('turnseal:draft:1:main', text)
    const { thread, said } = open()
    assert.equal(thread.draft.get(), draft ?? '')
    assert.equal(said.filter(({ code }) => code === 'storage-corrupt').length, draft === null ? 1 : 0, text)
    assert.equal(texts.get('turnseal:corrupt:draft:main'), draft === null ? text : undefined)
  }
})
