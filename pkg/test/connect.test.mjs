// `connect` against a real server that speaks the protocol: `turnseal-server` is played in www/test/e2e; this one is of
// the test, so that it can be silent, wrong and gone.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createStoreWith, makeCore } from './lib.mjs'

/** A socket of the test: it opens when it is told. */
class PaperSocket {
  static all = []
  said = []
  constructor(url, protocols) {
    Object.assign(this, { url, protocols })
    PaperSocket.all.push(this)
  }
  send(text) {
    this.said.push(JSON.parse(text))
  }
  close() {
    this.isClosed = true
  }
}

/** A server that answers by `answers`, by method and path, and the calls that it got. */
async function server(t, answers) {
  const calls = []
  const http = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const call = { method: request.method, path: request.url, body: text === '' ? undefined : JSON.parse(text), headers: request.headers }
    calls.push(call)
    const [status, value] = answers(call) ?? [404, { code: 'not-found', message: 'no such path' }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  })
  await new Promise(done => http.listen(0, '127.0.0.1', done))
  t.after(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${http.address().port}/base/`, calls }
}

async function until(check, what = check) {
  for (let round = 0; round < 500; round++) {
    if (check()) return
    await new Promise(done => setTimeout(done, 10))
  }
  assert.fail(`never: ${what()}`)
}

const page = () => [200, { chunks: [], oldestSeq: 1, limit: 100 }]

function open(url, connect = {}, options = {}) {
  const said = []
  PaperSocket.all.length = 0
  const store = createStoreWith(makeCore, { schedule: 'sync', connect: { url, WebSocket: PaperSocket, ...connect }, onDiagnostic: one => said.push(one), ...options })
  return { store, said }
}

test('a url is enough: the page is loaded, the thread is listened to, what is sent is answered', async t => {
  const { url, calls } = await server(t, ({ path }) => (path.endsWith('messages') ? [200, { status: 'queued', messageId: 'm-k' }] : page()))
  const { store } = open(url, { headers: () => ({ authorization: 'token' }), protocols: ['one'] })
  const states = []
  store.connection.subscribe(() => states.push(store.connection.getSnapshot().state))
  const thread = store.thread('main thread')
  assert.equal(thread.getSnapshot().connection, 'connecting')
  await until(() => PaperSocket.all.length === 1)
  const [socket] = PaperSocket.all
  assert.equal(socket.url, `${url.replace('http', 'ws')}ws`)
  assert.deepEqual(socket.protocols, ['one'])
  socket.onopen()
  assert.deepEqual(socket.said, [{ type: 'subscribe', threadId: 'main thread' }])
  assert.equal(thread.getSnapshot().connection, 'online')
  thread.send('hello', { clientId: 'k' })
  thread.send([{ type: 'text', text: 'with' }, { type: 'file', url: 'x' }], { clientId: 'p', intent: 'steer' })
  await until(() => thread.renderGroups().every(({ state }) => state === 'queued'))
  const sent = calls.filter(({ method }) => method === 'POST')
  assert.equal(sent[0].path, '/base/threads/main%20thread/messages')
  assert.equal(sent[0].headers.authorization, 'token')
  assert.deepEqual(sent.map(({ body }) => body), [
    { clientId: 'k', intent: 'queue', text: 'hello' },
    { clientId: 'p', intent: 'steer', parts: [{ type: 'text', text: 'with' }, { type: 'file', url: 'x' }] },
  ])
  store.free()
  await until(() => socket.isClosed === true)
  assert.deepEqual(states, ['connecting', 'open', 'closed'])
})

test('a send is tried until somebody answers; a refusal is shown with the words of the server', async t => {
  let tries = 0
  const { url } = await server(t, ({ path, body }) => {
    if (!path.endsWith('messages')) return page()
    if (body.clientId === 'bad') return [400, { code: 'empty', message: 'a message says something' }]
    tries += 1
    return tries < 2 ? [503, { code: 'unavailable', message: 'later' }] : [200, { status: 'queued', messageId: 'm' }]
  })
  const { store } = open(url)
  const thread = store.thread()
  thread.send('again', { clientId: 'k' })
  thread.send(' ', { clientId: 'bad' })
  await until(() => thread.renderGroups().some(({ clientId, state }) => clientId === 'k' && state === 'queued'))
  const bad = thread.renderGroups().find(({ clientId }) => clientId === 'bad')
  assert.deepEqual([bad.state, bad.error, bad.parts[0].text], ['failed', 'a message says something', ' '])
})

test('what the host gives itself goes before the runtime', async t => {
  const { url, calls } = await server(t, page)
  class Own {
    #word = 'queued'
    send() {
      return { status: this.#word, messageId: 'm' }
    }
  }
  const { store } = open(url, {}, { transport: new Own() })
  store.thread().send('mine', { clientId: 'k' })
  assert.equal(store.thread().renderGroups()[0].state, 'queued')
  await until(() => calls.length > 0)
  assert.equal(calls.every(({ method }) => method === 'GET'), true)
})

test('an address that is none, and a host without sockets, are told; the store goes on', async () => {
  for (const [connect, word] of [[{ url: 'ftp://a' }, /ftp/], [{ url: 'http://127.0.0.1:9', WebSocket: null }, /WebSocket/]]) {
    const { store, said } = open(connect.url, connect.WebSocket === null ? { WebSocket: 1 } : {})
    const thread = store.thread()
    thread.send('typed', { clientId: 'k' })
    await until(() => said.some(({ code }) => code === 'connect-failed'))
    assert.match(said.find(({ code }) => code === 'connect-failed').detail, word)
    assert.equal(store.connection.getSnapshot().state, 'closed')
    assert.equal(thread.renderGroups()[0].parts[0].text, 'typed')
    store.free()
  }
})

test('a connection without an address is misuse', () => {
  for (const connect of [{}, { url: 7 }, null]) assert.throws(() => createStoreWith(makeCore, { connect }), error => error.code === 'bad-argument')
})

test('drafts: each change is heard at once, another thread has another one, a rename takes it along', () => {
  const kept = new Map()
  const storage = { getItem: key => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: key => kept.delete(key) }
  const said = []
  const store = createStoreWith(makeCore, { schedule: 'sync', storage, onDiagnostic: one => said.push(one.code) })
  const thread = store.thread('temp')
  const heard = []
  const leave = thread.draft.subscribe(() => heard.push(thread.draft.get()))
  thread.draft.set('ha')
  thread.draft.set('ha')
  store.thread('other').draft.set('not here')
  assert.deepEqual([heard, thread.draft.get(), store.thread('other').draft.get()], [['ha'], 'ha', 'not here'])
  store.handleEvent({ type: 'thread-renamed', from: 'temp', to: 'real' })
  thread.renderGroups()
  assert.equal(thread.draft.get(), 'ha')
  assert.deepEqual([...kept.keys()].sort(), ['turnseal:draft:1:other', 'turnseal:draft:1:real'])
  const long = 'x'.repeat(300 * 1024)
  thread.draft.set(long)
  thread.draft.set(`${long}y`)
  assert.equal(thread.draft.get().length, long.length + 1)
  assert.deepEqual([said.filter(code => code === 'storage-full'), kept.get('turnseal:draft:1:real')], [['storage-full'], '{"text":"ha"}'])
  thread.draft.set('')
  assert.equal(kept.has('turnseal:draft:1:real'), false)
  leave()
  thread.draft.set('more')
  assert.equal(heard.includes('more'), false)
})

test('kept messages of another tab outlive a write of this one', () => {
  const kept = new Map()
  const storage = { getItem: key => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: key => kept.delete(key) }
  const open = () => createStoreWith(makeCore, { schedule: 'sync', storage, transport: { send: () => new Promise(() => {}) } }).thread()
  const [one, two] = [open(), open()]
  one.send('first', { clientId: 'a' })
  two.send('second', { clientId: 'b' })
  one.send('third', { clientId: 'c' })
  assert.deepEqual(JSON.parse(kept.get('turnseal:1:main')).map(({ clientId }) => clientId).sort(), ['a', 'b', 'c'])
})

test('without `connect` the state of the connection is what the host told', () => {
  const store = createStoreWith(makeCore, { schedule: 'sync' })
  assert.equal(store.connection.getSnapshot().state, 'open')
  let count = 0
  const leave = store.connection.subscribe(() => count++)
  store.setConnection('offline')
  assert.deepEqual([store.connection.getSnapshot().state, count], ['offline', 1])
  store.connection.retry()
  leave()
  store.setConnection('online')
  assert.deepEqual([store.connection.getSnapshot().state, count], ['open', 1])
})

test('what the server refuses of a frame is told', async t => {
  const { url } = await server(t, page)
  const { store, said } = open(url)
  store.thread()
  await until(() => PaperSocket.all.length === 1)
  PaperSocket.all[0].onopen()
  PaperSocket.all[0].onmessage({ data: '{"type":"refused","code":"too-many","message":"64 are enough"}' })
  assert.deepEqual(said.at(-1), { code: 'refused', detail: 'too-many: 64 are enough' })
  PaperSocket.all[0].onmessage({ data: new TextEncoder().encode('{"type":"message-queued","threadId":"main","n":1,"messageId":"q","message":"bytes"}').buffer })
  assert.equal(store.thread().renderGroups()[0].parts[0].text, 'bytes')
})
