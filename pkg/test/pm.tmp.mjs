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

test('whatever comes late, the laws hold at each step, and a quiet client shows the log and the queue', async () => {
  for (const seal of ['plain', 'range', 'inline']) {
    for (const isNumbered of [true, false]) {
      for (let seed = 1; seed <= 100; seed++) {
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
          () => { if (isNumbered && events.length > 1 && below(3) === 0) events.shift() },
          () => { if (events.length > 0) events.splice(below(events.length), 0, events[0]) },
          () => { if (isNumbered && below(8) === 0) { events.length = 0; thread.id && store.setConnection('offline'); store.setConnection('online'); store.handleEvent(paper.snapshot()) } },
        ]
        for (let step = 0; step < 120; step++) {
          await pick(acts)()
          look()
        }
        if (isRunning) ended.push(isRunning), paper.end()
        while (ended.length > 0) paper.seal(ended.shift())
        thread.setScrolledUp(false)
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

