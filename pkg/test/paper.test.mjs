// The paper server tells what a good server tells, and the laws hold for what a store makes of it, whatever the network does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from '../dist/node.js'
import { brokenBetween, brokenIn, checkRecording, createPaperServer, difference } from '../dist/testing.js'
import { chance, createStoreWith, drawn, makeCore, soon } from './lib.mjs'

/** A client of a paper server; its events and its pages each come when `deliver` says so. */
function client(paper) {
  const events = []
  const pages = []
  const wait = answer => new Promise(done => pages.push(() => done(answer)))
  const { loadChunks, resync, ...rest } = paper.transport
  const transport = { ...rest, loadChunks: query => wait(loadChunks(query)), resync: query => wait(resync(query)) }
  const store = createStoreWith(makeCore, { schedule: 'sync', transport })
  paper.subscribe(event => events.push(event))
  const deliver = async list => {
    const next = list.shift()
    if (list === events) store.handleEvent(next)
    else next()
    await soon()
  }
  return { store, thread: store.thread(), events, pages, deliver }
}

test('whatever comes late, twice or never, the laws hold at each step, and a quiet client shows the log and the queue', async () => {
  for (const seal of ['plain', 'range', 'inline']) {
    for (const isNumbered of [true, false]) {
      for (let seed = 1; seed <= 6; seed++) {
        const paper = createPaperServer({ seal, isNumbered })
        const { pick, below } = chance(seed)
        const { store, thread, events, pages, deliver } = client(paper)
        const ended = []
        let isRunning = false
        let before = thread.renderGroups()
        const look = () => {
          const now = thread.renderGroups()
          // What began a turn together is one row.
          const taken = paper.events.flatMap(({ type, messageIds = [] }) => (type === 'message-consumed' ? messageIds.slice(1) : []))
          assert.deepEqual([...brokenIn(now), ...brokenBetween(before, now, taken)], [], `${seal} ${isNumbered} seed ${seed}`)
          before = now
        }
        const acts = [
          () => { if (!isRunning) isRunning = paper.start(`question ${below(2)}`) },
          () => { if (!isRunning && paper.queue.length > 0) isRunning = paper.start() },
          () => { if (isRunning) paper.tell({ type: pick(['text-delta', 'reasoning-delta']), delta: 'word ' }) },
          () => { if (isRunning) paper.tell({ type: 'notice', message: 'note' }) },
          () => { if (isRunning) { ended.push(isRunning); isRunning = paper.end(pick(['done', 'aborted'])) } },
          () => { if (ended.length > 0) paper.seal(ended.shift()) },
          () => { if (isRunning) thread.send(`typed ${below(2)}`) },
          () => thread.setScrolledUp(below(2) === 0),
          () => { if (events.length > 0) return deliver(events) },
          () => { if (events.length > 0) return deliver(events) },
          () => { if (pages.length > 0) return deliver(pages) },
          // Lost, doubled, and cut off with a snapshot at the return.
          () => { if (isNumbered && events.length > 1 && below(3) === 0) events.shift() },
          () => { if (events.length > 0) events.splice(below(events.length), 0, events[0]) },
          () => {
            if (!isNumbered || below(8) > 0) return
            events.length = 0
            for (const connection of ['offline', 'online']) store.setConnection(connection)
            store.handleEvent(paper.snapshot())
          },
        ]
        for (let step = 0; step < 120; step++) {
          await pick(acts)()
          look()
        }
        if (isRunning) ended.push(isRunning), paper.end()
        while (ended.length > 0) paper.seal(ended.shift())
        thread.setScrolledUp(false)
        // The end may be lost, too.
        if (isNumbered) events.push({ type: 'ping', threadId: 'main', n: paper.events.length })
        while (events.length + pages.length > 0) {
          await deliver(events.length > 0 ? events : pages)
          look()
        }
        assert.equal(difference(thread.renderGroups(), paper, createStore), undefined, `${seal} ${isNumbered} seed ${seed}: ${drawn(thread.renderGroups()).join('; ')}`)
        store.free()
        const told = paper.events.map(event => JSON.stringify(event))
        const { findings } = checkRecording([...told, JSON.stringify(await paper.transport.loadChunks({ limit: 1000 }))].join('\n'), { createStore })
        assert.deepEqual(findings, [], `${seal} ${isNumbered} seed ${seed}`)
      }
    }
  }
})

test('calls and their results are the same live, in a snapshot and sealed', async () => {
  const paper = createPaperServer()
  const { store, thread, events, pages, deliver } = client(paper)
  await deliver(pages)
  paper.start('q')
  paper.tell({ type: 'reasoning-delta', delta: 'hm' })
  paper.tell({ type: 'tool-call', toolCall: { id: 'c', name: 'ls', arguments: { path: '.' } } })
  paper.tell({ type: 'tool-call', toolCall: { id: 'd', name: 'cat', arguments: {} } })
  paper.tell({ type: 'tool-result', toolResult: { toolCallId: 'c', result: 'a b' } })
  const late = client(paper)
  late.store.handleEvent(paper.snapshot())
  while (events.length > 0) await deliver(events)
  assert.deepEqual(drawn(late.thread.renderGroups()), drawn(thread.renderGroups()))
  assert.deepEqual(late.thread.renderGroups()[1].parts.map(({ type, step, state }) => [type, step, state]), [['reasoning', undefined, undefined], ['tool', 0, 'done'], ['tool', 0, 'running']])
  paper.tell({ type: 'tool-result', toolResult: { toolCallId: 'd', result: 'no', isError: true } })
  paper.tell({ type: 'tool-call', toolCall: { id: 'e', name: 'rm', arguments: {} } })
  paper.tell({ type: 'tool-result', toolResult: { toolCallId: 'e', result: 'ok' } })
  paper.tell({ type: 'text-delta', delta: 'done' })
  paper.end()
  paper.seal('a')
  while (events.length + pages.length > 0) await deliver(events.length > 0 ? events : pages)
  assert.deepEqual(thread.renderGroups()[1].parts.map(({ type, step, state }) => [type, step, state]), [['reasoning', undefined, undefined], ['tool', 0, 'done'], ['tool', 0, 'error'], ['tool', 1, 'done'], ['text', undefined, undefined]])
  assert.equal(difference(thread.renderGroups(), paper, createStore), undefined)
  const page = await paper.transport.loadChunks({ limit: 1000 })
  assert.deepEqual(checkRecording([...paper.events, page].map(line => JSON.stringify(line)).join('\n'), { createStore }).findings, [])
  store.free()
})

test('what a user types is answered once, queued, taken, cancelled', async () => {
  const paper = createPaperServer()
  const { thread, events, pages, deliver } = client(paper)
  await deliver(pages)
  thread.send('one', { clientId: 'k1' })
  await soon()
  thread.send('two', { clientId: 'k2' })
  thread.send('three', { clientId: 'k3' })
  await soon()
  while (events.length > 0) await deliver(events)
  assert.deepEqual(drawn(thread.renderGroups()), ['user live one', 'user queued two', 'user queued three'])
  assert.deepEqual(await paper.transport.send({ clientId: 'k1', text: 'again', intent: 'queue' }), { status: 'ok', messageId: 'm1', turnId: 'a', n: 1 })
  thread.cancelQueued('m3')
  thread.stop()
  await soon()
  paper.seal('a')
  assert.equal(paper.start(), 'b')
  while (events.length + pages.length > 0) await deliver(events.length > 0 ? events : pages)
  assert.deepEqual(drawn(thread.renderGroups()), ['user sealed one', 'user live two'])
  assert.throws(() => createPaperServer().tell({ type: 'text-delta', delta: 'x' }), /no running turn/)
  assert.throws(() => createPaperServer().start(), /nothing to start with/)
})

test('each law is seen where it is broken', () => {
  const group = (key, more = {}) => ({ key, role: 'assistant', state: 'sealed', streaming: false, parts: [{ type: 'text', text: key }], ...more })
  const laws = broken => broken.map(({ law, key }) => `${law} ${key}`)
  assert.deepEqual(laws(brokenIn([group('a'), group('a')])), ['L6 a'])
  assert.deepEqual(laws(brokenIn([group('a', { role: 'user', messageId: 'm' }), group('b', { role: 'user', messageId: 'm' })])), ['L2 b'])
  assert.deepEqual(laws(brokenIn([group('a', { seq: 1 }), group('b', { seq: 1 })])), ['L2 b'])
  assert.deepEqual(laws(brokenIn([group('a', { seq: 2, turnId: 'x' }), group('b', { seq: 1, turnId: 'y' })])), ['L7 b'])
  assert.deepEqual(laws(brokenIn([group('a', { state: 'queued' }), group('b', { state: 'live' })])), ['L7 b'])
  const live = group('a', { state: 'live', turnId: 't', streaming: true })
  assert.deepEqual(laws(brokenBetween([live], [])), ['L1 a'])
  assert.deepEqual(laws(brokenBetween([live], [], ['a'])), [])
  assert.deepEqual(laws(brokenBetween([live], [group('b', { seq: 1, turnId: 't' })])), [])
  assert.deepEqual(laws(brokenBetween([live], [{ ...live, parts: [] }])), ['L3 a'])
  assert.deepEqual(laws(brokenBetween([live], [{ ...live, role: 'user' }])), ['L6 a'])
  assert.deepEqual(laws(brokenBetween([group('q', { state: 'queued', messageId: 'm' })], [group('r', { messageId: 'm' })])), [])
  const paper = createPaperServer()
  paper.start('q')
  paper.end()
  paper.seal('a')
  const [chunk] = paper.log
  assert.equal(difference([], paper, createStore), 'it shows nothing of the log')
  const right = group('k', { role: 'user', seq: chunk.seq, parts: [{ type: 'text', text: 'q' }] })
  assert.equal(difference([right], paper, createStore), undefined)
  assert.match(difference([{ ...right, parts: [] }], paper, createStore), /^row 1 should be .*"q".*, and is /)
  assert.match(difference([right, group('x')], paper, createStore), /^row 2 should not be there/)
})
