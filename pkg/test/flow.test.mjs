import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStoreWith, makeCore, paperTransport, soon, textChunk } from './lib.mjs'

const start = { type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } }
const delta = text => ({ type: 'text-delta', turnId: 'a', delta: text })
const manual = options => createStoreWith(makeCore, { schedule: 'sync', transport: 'manual', ...options })
const text = store => store.renderGroups().at(-1)?.parts[0]?.text

test('a call from inside a listener is served after the current input', () => {
  const store = manual()
  store.handleEvent(start)
  const seen = []
  let depth = 0
  store.subscribe(() => {
    depth += 1
    assert.equal(depth, 1, 'a listener was called inside a listener')
    seen.push(text(store))
    if (seen.length === 1) {
      const event = delta('b')
      store.handleEvent(event)
      event.delta = 'changed later'
      assert.equal(text(store), 'a', 'it waits')
      store.handleMessage(JSON.stringify(delta('c')))
      const bytes = new TextEncoder().encode(JSON.stringify(delta('d')))
      store.handleMessage(bytes)
      bytes.fill(0)
      assert.equal(typeof store.thread().send('typed'), 'string')
    }
    depth -= 1
  })
  store.handleEvent(delta('a'))
  assert.ok(seen.length >= 5)
  assert.equal(store.renderGroups()[1].parts[0].text, 'abcd')
  assert.equal(store.renderGroups()[2].state, 'sending')
})

test('a transport that answers at once, or calls back at once, is served after the current input', async () => {
  const states = []
  const store = createStoreWith(makeCore, {
    schedule: 'sync',
    transport: {
      loadChunks: () => ({ chunks: [], oldestSeq: 1 }),
      send: () => {
        store.handleEvent({ type: 'notice', message: 'from inside' })
        return { status: 'queued', messageId: 'q1' }
      },
    },
  })
  const thread = store.thread()
  thread.subscribe(({ groups }) => states.push(groups.map(group => group.state).join()))
  thread.send('x', { clientId: 'k' })
  assert.deepEqual(states, ['sending', 'live,sending', 'live,queued'])
  assert.equal(thread.getSnapshot().queue[0].messageId, 'q1')
})

test('what a transport does wrong fails that request and nothing else', async () => {
  const hostile = [
    () => { throw new Error('thrown') },
    () => { throw undefined },
    () => { throw Object.create(null) },
    () => Promise.reject(new Error('late')),
    () => Promise.reject(),
    () => ({ then: () => { throw new Error('then') } }),
    () => ({ get then() { throw new Error('getter') } }),
    () => ({ then: (done, fail) => { fail(new Error('first')); done({ status: 'ok' }) } }),
    () => 5,
    () => null,
    () => undefined,
    () => 'ok',
    () => [],
    () => ({ status: 'no such' }),
    () => ({ status: 'queued', messageId: 10n }),
    () => Promise.resolve(() => 1),
    async () => { const loop = { status: 'ok' }; loop.loop = loop; return loop },
  ]
  for (const send of hostile) {
    const store = createStoreWith(makeCore, { schedule: 'sync', transport: { loadChunks: async () => ({ chunks: [], oldestSeq: 1 }), send } })
    const thread = store.thread()
    thread.send('kept', { clientId: 'k' })
    await soon()
    await soon()
    assert.equal(thread.renderGroups()[0].state, 'failed', String(send))
    assert.equal(thread.renderGroups()[0].parts[0].text, 'kept')
    thread.retry('k')
    store.handleEvent(start)
    assert.equal(store.renderGroups().some(group => group.turnId === 'a'), true)
  }
})

test('what the transport lacks fails with a diagnostic that names it', async () => {
  const said = []
  const store = createStoreWith(makeCore, { schedule: 'sync', onDiagnostic: diagnostic => said.push(diagnostic) })
  const thread = store.thread()
  thread.send('x')
  await soon()
  assert.equal(thread.renderGroups()[0].state, 'failed')
  assert.deepEqual(said.filter(({ code }) => code === 'unsupported').map(({ detail }) => detail), ['the transport has no loadChunks', 'the transport has no send'])
})

test('an answer that takes too long is given up, told to the transport, and ignored when it comes', async context => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { transport, take, calls } = paperTransport()
  const store = createStoreWith(makeCore, { schedule: 'sync', transport, timeoutMs: 1000 })
  const thread = store.thread()
  const load = take('loadChunks')
  thread.send('x', { clientId: 'k' })
  const send = take('send')
  context.mock.timers.tick(999)
  assert.equal(send.signal.aborted, false)
  context.mock.timers.tick(1)
  assert.equal(send.signal.aborted, true)
  assert.equal(send.signal.reason.name, 'TimeoutError')
  assert.equal(load.signal.aborted, true)
  assert.equal(thread.renderGroups()[0].state, 'failed')
  send.done({ status: 'queued', messageId: 'late' })
  load.done({ chunks: [textChunk(1, 'a', 'user', 'late')], oldestSeq: 1 })
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  assert.deepEqual(thread.renderGroups().map(group => group.state), ['failed'])
  assert.equal(calls.length, 0, 'a message is not sent again by itself')
  context.mock.timers.tick(700)
  assert.deepEqual(calls.map(call => call.name), ['loadChunks'], 'a load is')
})

test('connection: online tries a failed load at once', async () => {
  const { transport, take, calls } = paperTransport()
  const store = createStoreWith(makeCore, { schedule: 'sync', transport })
  const thread = store.thread()
  store.setConnection('offline')
  assert.equal(thread.getSnapshot().connection, 'offline')
  take('loadChunks').fail(new Error('offline'))
  await soon()
  assert.equal(calls.length, 0)
  assert.match(thread.getSnapshot().loadError, /offline/)
  store.setConnection('online')
  assert.deepEqual(calls.map(call => call.name), ['loadChunks'])
  assert.throws(() => store.setConnection('gone'), { code: 'bad-argument' })
})

test('sync tells before the call returns; an array of events is told once', () => {
  const store = manual()
  let told = 0
  store.subscribe(() => { told += 1 })
  store.handleEvents([start, delta('a'), delta('b'), { type: 'nonsense' }, delta('c')])
  assert.equal(told, 1)
  store.handleEvent(delta('d'))
  assert.equal(told, 2)
  assert.equal(text(store), 'abcd')
})

test('microtask tells once for all calls of a task, and an end tells at once', async () => {
  const store = manual({ schedule: 'microtask' })
  const seen = []
  store.subscribe(() => seen.push(text(store)))
  store.handleEvent(start)
  store.handleEvent(delta('a'))
  store.handleEvent(delta('b'))
  assert.deepEqual(seen, [])
  assert.equal(text(store), 'ab', 'the state waits for nobody')
  await Promise.resolve()
  assert.deepEqual(seen, ['ab'])
  store.handleEvent(delta('c'))
  store.handleEvent({ type: 'turn-end', turnId: 'a', outcome: 'done' })
  assert.deepEqual(seen, ['ab', 'abc'])
  await Promise.resolve()
  assert.deepEqual(seen, ['ab', 'abc'])
})

test('frame tells with the next frame, by a timer where the page is hidden, and at once when that changes', async context => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const frames = []
  const heard = []
  globalThis.requestAnimationFrame = run => frames.push(run)
  globalThis.cancelAnimationFrame = frame => { frames[frame - 1] = () => {} }
  globalThis.document = { hidden: false, addEventListener: (name, run) => heard.push([name, run]), removeEventListener: name => heard.splice(heard.findIndex(([known]) => known === name), 1) }
  try {
    const store = manual({ schedule: 'frame' })
    let told = 0
    const leave = store.subscribe(() => { told += 1 })
    assert.deepEqual(heard.map(([name]) => name), ['visibilitychange'])
    store.handleEvent(start)
    store.handleEvent(delta('a'))
    assert.equal(told, 0)
    assert.equal(frames.length, 1)
    frames[0]()
    assert.equal(told, 1)
    document.hidden = true
    store.handleEvent(delta('b'))
    assert.equal(frames.length, 1)
    context.mock.timers.tick(16)
    assert.equal(told, 2)
    document.hidden = false
    store.handleEvent(delta('c'))
    heard[0][1]()
    assert.equal(told, 3)
    for (const run of frames) run()
    assert.equal(told, 3, 'the cancelled frame tells nothing')
    leave()
    assert.deepEqual(heard, [])
    store.handleEvent(delta('d'))
    assert.equal(frames.length, 2, 'nobody listens: no frame is asked for')
  } finally {
    delete globalThis.requestAnimationFrame
    delete globalThis.cancelAnimationFrame
    delete globalThis.document
  }
})

test('a listener that throws keeps no other from hearing', context => {
  const complaints = context.mock.method(console, 'error', () => {})
  const said = []
  const store = manual({ onDiagnostic: ({ code, detail }) => said.push([code, detail]) })
  let told = 0
  store.subscribe(() => { throw new Error('mine') })
  store.thread().subscribe(() => { throw new Error('thread') })
  store.subscribe(() => { told += 1 })
  store.handleEvent(start)
  assert.equal(told, 1)
  assert.deepEqual(said, [['listener-failed', 'thread'], ['listener-failed', 'mine']])
  assert.equal(complaints.mock.callCount(), 2)
  store.handleEvent(delta('x'))
  assert.equal(told, 2)
})

test('subscriptions may be made twice, ended twice, and ended while they are told', () => {
  const store = manual()
  let told = 0
  const listener = () => { told += 1 }
  const first = store.subscribe(listener)
  const second = store.subscribe(listener)
  store.handleEvent(start)
  assert.equal(told, 2)
  first()
  first()
  store.handleEvent(delta('a'))
  assert.equal(told, 3)
  second()
  const heard = []
  const leaves = [store.subscribe(() => { heard.push('one'); leaves[1]() }), store.subscribe(() => heard.push('two')), store.subscribe(() => { heard.push('three'); store.subscribe(() => heard.push('four')) })]
  store.handleEvent(delta('b'))
  assert.deepEqual(heard, ['one', 'three'])
})

test('a freed store throws, but for free', async () => {
  const { transport, take } = paperTransport()
  const store = createStoreWith(makeCore, { schedule: 'sync', transport })
  const thread = store.thread()
  const load = take('loadChunks')
  load.done({ chunks: [textChunk(9, 'a', 'user', 'x')], oldestSeq: 1 })
  await soon()
  const older = thread.loadOlder()
  const open = take('loadChunks')
  store.free()
  store.free()
  if (Symbol.dispose) store[Symbol.dispose]()
  await assert.rejects(older, { name: 'TurnsealError', code: 'freed' })
  assert.equal(open.signal.aborted, true)
  open.done({ chunks: [], oldestSeq: 1 })
  await soon()
  const calls = [
    () => store.handleEvent(start), () => store.handleEvents([]), () => store.handleMessage('{}'), () => store.renderGroups(), () => store.subscribe(() => {}),
    () => store.thread(), () => store.setConnection('online'), () => store.takeEffects(), () => store.record(), () => store.dehydrate(), () => store.explain('a', 'b'),
    () => thread.getSnapshot(), () => thread.getState(), () => thread.renderGroups(), () => thread.group('x'), () => thread.keys(), () => thread.send('x'), () => thread.stop(),
    () => thread.subscribe(() => {}), () => thread.subscribeGroup('x', () => {}), () => thread.loadOlder(), () => thread.dispatch({ type: 'stop' }), () => thread.setScrolledUp(true),
  ]
  for (const call of calls) assert.throws(call, { name: 'TurnsealError', code: 'freed', message: 'the store was freed' }, String(call))
})

test('a store may be freed from inside a listener', () => {
  const store = manual()
  let told = 0
  store.subscribe(() => { told += 1; store.free() })
  store.subscribe(() => { told += 1 })
  store.handleEvent(start)
  assert.throws(() => store.renderGroups(), { code: 'freed' })
  assert.ok(told >= 1)
})

test('misuse throws, with a code', () => {
  const thread = manual().thread()
  for (const [call, code] of [
    [() => thread.dispatch({ type: 'explode' }), 'unknown-command'],
    [() => thread.dispatch({ type: 'toString' }), 'unknown-command'],
    [() => thread.dispatch({ type: '__proto__' }), 'unknown-command'],
    [() => thread.dispatch({}), 'unknown-command'],
    [() => thread.dispatch(null), 'bad-argument'],
    [() => thread.dispatch({ type: 'cancel-queued' }), 'bad-argument'],
    [() => thread.send(5), 'bad-argument'],
    [() => thread.send([1]), 'bad-argument'],
    [() => thread.send([{ type: 'data', x: 1n }]), 'bad-argument'],
    [() => thread.send(), 'bad-argument'],
    [() => thread.send('x', 5), 'bad-argument'],
    [() => thread.send('x', { intent: 'later' }), 'bad-argument'],
    [() => thread.send('x', { clientId: '' }), 'bad-argument'],
    [() => thread.cancelQueued(), 'bad-argument'],
    [() => thread.editQueued('q', 1), 'bad-argument'],
    [() => thread.moveQueued('q', -1), 'bad-argument'],
    [() => thread.moveQueued('q', 1.5), 'bad-argument'],
    [() => thread.setScrolledUp('yes'), 'bad-argument'],
    [() => manual().thread(''), 'bad-argument'],
    [() => manual().thread(5), 'bad-argument'],
    [() => createStoreWith(makeCore).takeEffects(), 'not-manual'],
    [() => manual({ newClientId: () => 5 }).thread().send('x'), 'bad-argument'],
  ]) assert.throws(call, { name: 'TurnsealError', code }, String(call))
  assert.deepEqual(thread.renderGroups(), [])
})

test('names of messages are the caller\'s, or differ', () => {
  const thread = manual().thread()
  assert.notEqual(thread.send('a'), thread.send('b'))
  assert.equal(manual({ newClientId: () => 'mine' }).thread().send('a'), 'mine')
  thread.send('c', { clientId: 'k' })
  const before = thread.renderGroups().length
  thread.send('c', { clientId: 'k' })
  assert.equal(thread.renderGroups().length, before, 'a known name is the same message')
})
