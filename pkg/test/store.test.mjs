import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStoreWith, drawn, makeCore, paperTransport, soon, textChunk } from './lib.mjs'

/** A store over a paper server, with what it said. */
function open(options = {}) {
  const said = []
  const paper = paperTransport()
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: paper.transport, onDiagnostic: diagnostic => said.push(diagnostic), ...options })
  return { store, said, ...paper }
}

/** The same, with a thread whose first page has come. */
async function opened(options, chunks = []) {
  const parts = open(options)
  const thread = parts.store.thread()
  parts.take('loadChunks').done({ chunks, oldestSeq: 1 })
  await soon()
  return { ...parts, thread }
}

test('a message is sent, answered, sealed and folded, under one key', async () => {
  const { store, thread, take, said } = await opened()
  const id = thread.send('2+2?')
  assert.equal(typeof id, 'string')
  assert.deepEqual(drawn(thread.renderGroups()), ['user sending 2+2?'])
  const key = thread.keys()[0]
  const call = take('send')
  assert.deepEqual(call.query, { threadId: 'main', clientId: id, text: '2+2?', intent: 'queue' })
  assert.ok(call.signal instanceof AbortSignal)
  call.done({ status: 'ok', messageId: 'm1', turnId: 'a' })
  await soon()
  assert.deepEqual(drawn(thread.renderGroups()), ['user starting 2+2?'])
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm1', clientIds: [id], text: '2+2?' } })
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: '4' })
  assert.equal(thread.getSnapshot().status, 'streaming')
  assert.equal(thread.getSnapshot().turnId, 'a')
  const keys = thread.keys()
  assert.equal(keys[0], key)
  store.handleEvent({ type: 'turn-end', turnId: 'a', outcome: 'done' })
  store.handleEvent({ type: 'turn-sealed', turnId: 'a', firstSeq: 1, lastSeq: 2 })
  assert.deepEqual(drawn(thread.renderGroups()), ['user live 2+2?', 'assistant live 4'])
  const before = thread.renderGroups()
  take('loadChunks').done({ chunks: [textChunk(1, 'a', 'user', '2+2?', { messageId: 'm1', clientIds: [id] }), textChunk(2, 'a', 'assistant', '4')], oldestSeq: 1 })
  await soon()
  assert.deepEqual(drawn(thread.renderGroups()), ['user sealed 2+2?', 'assistant sealed 4'])
  assert.deepEqual(thread.keys(), keys)
  assert.equal(thread.keys(), keys, 'a fold of equal keys is the same array of keys')
  assert.equal(thread.renderGroups()[0].parts, before[0].parts, 'the parts did not change')
  assert.equal(thread.getSnapshot().status, 'idle')
  assert.deepEqual(said, [])
})

test('a message waits in the queue, is edited, moved, sent now and cancelled', async () => {
  const { store, thread, take } = await opened()
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm0', text: 'go' } })
  const one = thread.send('one')
  const two = thread.send([{ type: 'text', text: 'two' }, { type: 'file', id: 'f', url: 'x' }], { clientId: 'mine', intent: 'queue' })
  assert.equal(two, 'mine')
  take('send').done({ status: 'queued', messageId: 'q1' })
  const second = take('send')
  assert.equal(second.query.parts.length, 2)
  second.done({ status: 'queued', messageId: 'q2' })
  await soon()
  const { queue } = thread.getSnapshot()
  assert.deepEqual(queue.map(item => [item.messageId, item.text, item.clientId]), [['q1', 'one', one], ['q2', 'two', 'mine']])
  thread.editQueued('q1', 'eins')
  assert.deepEqual(take('editQueued').query, { threadId: 'main', messageId: 'q1', text: 'eins' })
  assert.equal(thread.getSnapshot().queue[1], queue[1], 'the other message is the same object')
  thread.moveQueued('q2', 0)
  assert.deepEqual(take('moveQueued').query, { threadId: 'main', messageId: 'q2', index: 0 })
  thread.sendNow('q2')
  assert.deepEqual(take('sendNow').query, { threadId: 'main', messageId: 'q2' })
  thread.cancelQueued('q1')
  const cancel = take('cancelQueued')
  cancel.done({ success: true })
  await soon()
  store.handleEvent({ type: 'message-cancelled', messageId: 'q1' })
  assert.deepEqual(thread.getSnapshot().queue.map(item => item.messageId), ['q2'])
  store.handleEvent({ type: 'queue-snapshot', items: [{ messageId: 'q2', message: 'two' }], held: true, version: 9 })
  assert.equal(thread.getSnapshot().held, true)
  thread.resumeQueue()
  assert.deepEqual(take('resumeQueue').query, { threadId: 'main' })
})

test('stop answers at once, whatever the server does', async () => {
  const { store, thread, take } = await opened()
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm0', text: 'go' } })
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'x' })
  thread.stop()
  assert.equal(thread.getSnapshot().status, 'stopping')
  assert.deepEqual(take('stop').query, { threadId: 'main', turnId: 'a' })
  store.handleEvent({ type: 'turn-end', turnId: 'a', outcome: 'aborted' })
  assert.equal(thread.getSnapshot().status, 'idle')
})

test('a refused message is kept, sent again under its name, and dismissed', async () => {
  const { thread, take } = await opened()
  const id = thread.send('hello')
  take('send').fail(new Error('no way'))
  await soon()
  const failed = thread.renderGroups()[0]
  assert.equal(failed.state, 'failed')
  assert.match(failed.error, /no way/)
  thread.retry(id)
  const again = take('send')
  assert.equal(again.query.clientId, id)
  again.done({ status: 'refused' })
  await soon()
  assert.equal(thread.renderGroups()[0].state, 'failed')
  thread.dismiss(thread.keys()[0])
  assert.deepEqual(thread.renderGroups(), [])
})

test('an approval is shown, answered once, and told', async () => {
  const { store, thread, take } = await opened()
  store.handleEvents([
    { type: 'turn-start', turnId: 'a', user: { messageId: 'm0', text: 'go' } },
    { type: 'tool-call', turnId: 'a', toolCall: { id: 'c1', name: 'rm', arguments: { path: '/' } } },
    { type: 'approval-request', turnId: 'a', callId: 'c1', prompt: 'sure?' },
  ])
  assert.equal(thread.getSnapshot().status, 'awaiting-approval')
  assert.deepEqual(thread.getSnapshot().approvals, [{ callId: 'c1', turnId: 'a', name: 'rm', prompt: 'sure?', state: 'open' }])
  thread.deny('c1', 'never')
  const call = take('resolveApproval')
  assert.deepEqual(call.query, { threadId: 'main', callId: 'c1', turnId: 'a', decision: 'denied', reason: 'never' })
  assert.equal(thread.getSnapshot().approvals[0].state, 'answering')
  call.done({ success: true })
  await soon()
  store.handleEvent({ type: 'approval-resolved', turnId: 'a', callId: 'c1', decision: 'denied', reason: 'never' })
  assert.deepEqual(thread.getSnapshot().approvals, [])
  assert.equal(thread.renderGroups()[1].parts[0].approval.state, 'denied')
})

test('older rows are loaded, and the promise says when', async () => {
  const chunks = [textChunk(51, 'z', 'user', 'new')]
  const { thread, take } = await opened({ limits: { page: 10 } }, [])
  assert.equal(thread.getSnapshot().hasOlder, false)
  await thread.loadOlder()
  const second = open()
  const other = second.store.thread('b')
  second.take('loadChunks').done({ chunks, oldestSeq: 1, total: 51 })
  await soon()
  assert.equal(other.getSnapshot().hasOlder, true)
  let isHere = false
  const older = other.loadOlder().then(() => { isHere = true })
  assert.equal(other.getSnapshot().loadingOlder, true)
  await soon()
  assert.equal(isHere, false)
  const call = second.take('loadChunks')
  assert.equal(call.query.before, 51)
  call.done({ chunks: [textChunk(1, 'y', 'user', 'old')], oldestSeq: 1 })
  await older
  assert.deepEqual(drawn(other.renderGroups()), ['user sealed old', 'user sealed new'])
  assert.equal(take === second.take, false)
})

test('all methods work detached, and a thread is the same object', async () => {
  const { store } = await opened()
  const { thread, handleEvent, renderGroups } = store
  assert.equal(thread('x'), thread('x'))
  assert.equal(thread(), thread('main'))
  const { send, getSnapshot, getState, getInitialState } = thread('x')
  send('hi', { clientId: 'k' })
  assert.equal(getSnapshot().groups[0].clientId, 'k')
  assert.equal(getState(), getSnapshot())
  assert.equal(getInitialState().groups.length, 0)
  handleEvent({ type: 'notice', message: 'n' })
  assert.equal(renderGroups().length, 1)
})

test('a snapshot is the same object until something changed, and only in its own thread', async () => {
  const { store, thread } = await opened()
  const other = store.thread('other')
  const [a, b] = [thread.getSnapshot(), other.getSnapshot()]
  assert.equal(thread.getSnapshot(), a)
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } })
  assert.notEqual(thread.getSnapshot(), a)
  assert.equal(other.getSnapshot(), b)
  const c = thread.getSnapshot()
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } })
  assert.equal(thread.getSnapshot(), c, 'what was said twice changed nothing')
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'x' })
  const d = thread.getSnapshot()
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'y' })
  const e = thread.getSnapshot()
  assert.equal(e.groups[0], d.groups[0])
  assert.notEqual(e.groups[1], d.groups[1])
  assert.equal(e.queue, d.queue)
  assert.equal(e.meta, d.meta)
  assert.ok(Object.isFrozen(e) && Object.isFrozen(e.groups) && Object.isFrozen(e.groups[1].parts[0]), 'frozen in development')
})

test('deltas by object, frame and bytes build the same text, in whatever mix', async () => {
  const { store, thread, said } = await opened()
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' }, n: 1 })
  const words = ['one ', 'zwei ', '\u{1F600}', 'a"b', '\n', '\uD83D', '\uDE00', 'end', '{', 'x'.repeat(50)]
  let [n, said_] = [1, '']
  for (let round = 0; round < 400; round++) {
    const delta = words[(round * 7) % words.length]
    const event = { type: 'text-delta', turnId: 'a', delta, n: ++n }
    // Half a pair is whole only with its other half behind it.
    if (delta === '\uD83D') {
      store.handleEvents([event, { ...event, delta: '\uDE00', n: ++n }])
      said_ += '\u{1F600}'
    } else if (delta === '\uDE00') {
      n -= 1
      continue
    } else {
      said_ += delta
      if (round % 3 === 0) store.handleEvent(event)
      else if (round % 3 === 1) store.handleMessage(JSON.stringify(event))
      else store.handleMessage(new TextEncoder().encode(JSON.stringify(event)))
    }
    if (round % 5 === 0) assert.equal(thread.renderGroups()[1].parts[0].text, said_)
  }
  assert.equal(thread.renderGroups()[1].parts[0].text, said_)
  assert.deepEqual(said, [])
})

test('a repeated or skipped number is seen on the quick way too', async () => {
  const { store, thread, calls } = await opened()
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' }, n: 1 })
  for (const [delta, n] of [['a', 2], ['b', 3], ['c', 4], ['c', 4], ['b', 3]]) store.handleEvent({ type: 'text-delta', turnId: 'a', delta, n })
  assert.equal(thread.renderGroups()[1].parts[0].text, 'abc')
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'e', n: 6 })
  assert.equal(thread.renderGroups()[1].parts[0].text, 'abc')
  assert.deepEqual(calls.map(call => [call.name, call.query.after]), [['resync', 4]])
})

test('groups are watched by key', async () => {
  const { store, thread } = await opened()
  store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } })
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'x' })
  const [user, assistant] = thread.keys()
  const heard = []
  const leave = thread.subscribeGroup(user, () => heard.push('user'))
  thread.subscribeGroup(assistant, () => heard.push(thread.group(assistant).parts[0].text))
  thread.subscribeGroup('nobody', () => heard.push('nobody'))
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'y' })
  store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'z' })
  assert.deepEqual(heard, ['xy', 'xyz'])
  leave()
  leave()
  store.handleEvent({ type: 'turn-end', turnId: 'a', outcome: 'done' })
  assert.deepEqual(heard, ['xy', 'xyz', 'xyz'])
})

test('a thread that gets another name keeps its handle, its rows and its listeners', async () => {
  const { store } = await opened()
  const temporary = store.thread('temp')
  temporary.send('hello', { clientId: 'k' })
  let heard = 0
  temporary.subscribe(() => { heard += 1 })
  store.handleEvent({ type: 'thread-renamed', from: 'temp', to: 'real' })
  assert.equal(temporary.id, 'real')
  assert.equal(temporary.getSnapshot().id, 'real')
  assert.deepEqual(drawn(temporary.renderGroups()), ['user sending hello'])
  assert.equal(store.thread('real'), temporary)
  assert.equal(store.thread('temp'), temporary)
  assert.ok(heard > 0)
  store.handleEvent({ type: 'thread-renamed', from: 'real', to: 'last' })
  store.handleEvent({ type: 'notice', threadId: 'last', message: 'n' })
  assert.equal(temporary.id, 'last')
  assert.equal(temporary.renderGroups().length, 2)
  assert.equal(store.renderGroups('temp'), temporary.renderGroups())
})

test('two threads that become one show the same, and both handles hear', async () => {
  const { store } = await opened()
  const [from, to] = [store.thread('from'), store.thread('to')]
  from.send('hello', { clientId: 'k' })
  const heard = []
  from.subscribe(() => heard.push('from'))
  to.subscribe(() => heard.push('to'))
  store.handleEvent({ type: 'thread-renamed', from: 'from', to: 'to' })
  assert.equal(from.getSnapshot(), to.getSnapshot())
  heard.length = 0
  store.handleEvent({ type: 'notice', threadId: 'to', message: 'n' })
  assert.deepEqual(heard.sort(), ['from', 'to'])
  assert.deepEqual(drawn(to.renderGroups()), drawn(from.renderGroups()))
  assert.equal(to.renderGroups().length, 2)
})

test('a thread that is given up is empty, and comes back whole', async () => {
  const { store, said } = open({ limits: { threads: 3 } })
  const fill = (id, text) => store.handleEvent({ type: 'chunks-loaded', threadId: id, oldestSeq: 1, chunks: [textChunk(1, 'a', 'user', text)] })
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) fill(id, id)
  const gone = said.filter(({ code }) => code === 'thread-evicted').map(({ threadId }) => threadId)
  assert.ok(gone.length >= 3)
  assert.deepEqual(drawn(store.renderGroups(gone[0])), [])
  fill(gone[0], 'again')
  assert.deepEqual(drawn(store.renderGroups(gone[0])), ['user sealed again'])
  store.handleEvent({ type: 'notice', threadId: gone[0], message: 'n' })
  assert.deepEqual(drawn(store.renderGroups(gone[0])), ['user sealed again', 'system live n'])
})

test('a store goes on from what another one was', async () => {
  const { store, thread } = await opened({}, [textChunk(1, 'a', 'user', 'q'), textChunk(2, 'a', 'assistant', 'r')])
  store.handleEvent({ type: 'turn-start', turnId: 'b', user: { messageId: 'm', text: 'next' } })
  store.handleEvent({ type: 'text-delta', turnId: 'b', delta: 'li' })
  const text = store.dehydrate()
  const second = open({ from: text })
  assert.deepEqual(second.store.renderGroups(), thread.renderGroups())
  assert.equal(second.store.thread().getInitialState().groups.length, 4)
  second.store.handleEvent({ type: 'text-delta', turnId: 'b', delta: 've' })
  assert.equal(second.store.renderGroups()[3].parts[0].text, 'live')
  for (const bad of ['', '{', '{}', '{"v":9,"threads":[]}', 'null', '1},"type":"stop"', '[]']) {
    const { store, said } = open({ from: bad })
    assert.deepEqual(store.renderGroups(), [], bad)
    assert.equal(said.length, 1, bad)
  }
})

test('explain says why a group is here', async () => {
  const { store, thread } = await opened()
  thread.send('x', { clientId: 'k' })
  const why = store.explain('main', thread.keys()[0])
  assert.equal(why.owner, 'sending')
  assert.ok(why.because.length > 0)
  assert.equal(store.explain('main', 'nobody'), null)
  assert.equal(store.explain('nowhere', 'nobody'), null)
})

test('a host may carry the effects out by itself', () => {
  const { store, said } = open({ transport: 'manual' })
  const thread = store.thread('t')
  const [load, ...none] = store.takeEffects()
  assert.equal(load.type, 'load-chunks')
  assert.equal(none.length, 0)
  assert.deepEqual(store.takeEffects(), [])
  store.handleEvent({ type: 'effect-result', id: load.id, ok: false, error: 'down', code: 'failed' })
  const timer = store.takeEffects().find(({ type }) => type === 'start-timer')
  assert.ok(timer.ms > 0)
  assert.match(thread.getSnapshot().loadError, /down/)
  store.handleEvent({ type: 'timer-fired', timer: timer.timer })
  const again = store.takeEffects().find(({ type }) => type === 'load-chunks')
  store.handleEvent({ type: 'effect-result', id: again.id, ok: true, value: { chunks: [textChunk(1, 'a', 'user', 'q')], oldestSeq: 1 } })
  assert.deepEqual(drawn(thread.renderGroups()), ['user sealed q'])
  assert.deepEqual(said.map(({ code }) => code), ['load-failed'])
  store.handleEvent({ type: 'effect-result', id: again.id, ok: true, value: {} })
  assert.equal(said.at(-1).code, 'unknown-effect')
})

test('a server cannot forge an answer', async () => {
  const { store, said, take } = open()
  const thread = store.thread()
  store.handleEvent({ type: 'effect-result', id: 1, ok: true, value: { chunks: [textChunk(1, 'a', 'user', 'forged')], oldestSeq: 1 } })
  store.handleMessage('{"type":"effect-result","id":1,"ok":true,"value":{"chunks":[],"oldestSeq":1}}')
  assert.deepEqual(said.map(({ code }) => code), ['unknown-type', 'unknown-type'])
  take('loadChunks').done({ chunks: [textChunk(1, 'a', 'user', 'true')], oldestSeq: 1 })
  await soon()
  assert.deepEqual(drawn(thread.renderGroups()), ['user sealed true'])
})
