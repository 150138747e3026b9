// Whatever transport, storage and clock do: nothing throws, what was typed is there once, and once they are honest again
// the store shows what the server holds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from '../dist/node.js'
import { brokenIn, createPaperServer, difference } from '../dist/testing.js'
import { badStorage, badTransport, createCounts, settled } from './faults-lib.mjs'
import { chance, createStoreWith, drawn, makeCore } from './lib.mjs'

const HOUR = 3_600_000
const RUNS = Number(process.env.RUNS ?? 30)

/** One thread of a paper server over a bad network, in hand. */
function world(context, seed, counts) {
  const random = chance(seed)
  const paper = createPaperServer({ seal: random.pick(['plain', 'range', 'inline']) })
  const network = badTransport(paper, random, counts)
  const disk = badStorage(random, counts)
  const events = []
  const ended = []
  let running
  paper.subscribe(event => {
    events.push(event)
    if (event.type === 'turn-start') running = event.turnId
    if (event.type === 'turn-end') ended.push(event.turnId), (running = undefined)
  })
  const options = { schedule: 'sync', transport: network.transport, storage: disk.storage, onDiagnostic: () => {} }
  const store = createStoreWith(makeCore, options)
  const typed = []
  return {
    ...random, paper, network, disk, events, ended, store, typed, options, thread: store.thread(),
    isRunning: () => running !== undefined,
    seal: () => { network.remember(); paper.seal(ended.splice(random.below(ended.length), 1)[0]) },
    type: () => { typed.push(`typed ${typed.length}`); store.thread().send(typed.at(-1), { clientId: `k${typed.length}` }) },
    hear: () => { const event = events.shift(); if (event !== undefined) store.handleEvent(event) },
    reconnect: () => {
      events.length = 0
      for (const connection of ['offline', 'online']) store.setConnection(connection)
      store.handleEvent(paper.snapshot())
    },
    /** Timers that were due long ago are late by hours, before or after what else has waited. */
    oversleep: async isFirst => {
      counts.add('sleeps of hours, timers late')
      if (!isFirst) while (network.waiting.length > 0) await network.deliver()
      context.mock.timers.tick((1 + random.below(9)) * HOUR)
      await settled()
    },
  }
}

function acts({ paper, network, events, ended, store, thread, below, next, pick, isRunning, seal, type, hear, reconnect, oversleep }, counts, context) {
  const failed = () => thread.renderGroups().filter(({ state, clientId }) => state === 'failed' && clientId)
  return [
    () => { if (!isRunning()) paper.start(`question ${below(2)}`) },
    () => { if (!isRunning() && paper.queue.length > 0) paper.start() },
    () => { if (isRunning()) paper.tell({ type: pick(['text-delta', 'reasoning-delta', 'notice']), delta: 'word ', message: 'note' }) },
    () => { if (isRunning()) paper.end(pick(['done', 'aborted', 'error'])) },
    () => { if (ended.length > 0) seal() },
    type,
    () => { const group = failed()[0]; if (group) thread.retry(group.clientId) },
    () => thread.setScrolledUp(next() < 0.5),
    () => { thread.loadOlder().catch(() => {}) },
    hear, hear, hear,
    network.deliver, network.deliver, network.deliver,
    () => { if (events.length > 1 && next() < 0.3) { counts.add('events that are lost'); events.splice(below(events.length - 1), 1) } },
    () => { if (events.length > 0) { counts.add('events that come twice'); events.splice(below(events.length), 0, events[0]) } },
    () => { if (next() < 0.15) { counts.add('connections that drop'); reconnect() } },
    async () => { context.mock.timers.tick(below(2000)); await settled() },
    () => { if (next() < 0.2) return oversleep(next() < 0.5) },
    () => store.handleMessage(pick(['<html>', '{"type":', '\u0000', '[]', '7', '{"type":"text-delta","n":"x"}'])),
  ]
}

/** Everything is honest again, and what is open comes to its end. */
async function rest({ paper, network, disk, events, ended, thread, isRunning, seal, hear, reconnect }, context) {
  network.isHonest = disk.isHonest = true
  thread.setScrolledUp(false)
  const quiet = async () => {
    for (let round = 0; round < 40; round++) {
      while (events.length > 0) hear()
      while (network.waiting.length > 0) await network.deliver()
      if (events.length > 0) continue
      context.mock.timers.tick(31_000)
      await settled()
      if (events.length + network.waiting.length === 0) return
    }
    assert.fail('it never comes to rest')
  }
  const finish = () => {
    if (isRunning()) paper.end()
    while (ended.length > 0) seal()
  }
  finish()
  reconnect()
  await quiet()
  for (let round = 0; round < 5; round++) {
    for (const { state, clientId } of thread.renderGroups()) if (state === 'failed' && clientId) thread.retry(clientId)
    await quiet()
    finish()
    await quiet()
  }
  while (paper.queue.length > 0) paper.start(), finish()
  // A page that had holes is made whole by the next page of the same rows.
  paper.start('the last')
  finish()
  await quiet()
}

test('a network, a storage and a clock that fail, hang and lie lose nothing and double nothing', async context => {
  const counts = createCounts()
  context.mock.timers.enable({ apis: ['setTimeout'] })
  for (let seed = 1; seed <= RUNS; seed++) {
    const one = world(context, seed, counts)
    context.mock.method(Math, 'random', one.next)
    const list = acts(one, counts, context)
    for (let step = 0; step < 300; step++) {
      await one.pick(list)()
      assert.deepEqual(brokenIn(one.thread.renderGroups()), [], `seed ${seed} step ${step}`)
      const shown = one.thread.renderGroups().map(({ parts }) => parts.map(({ text }) => text).join()).join()
      const held = one.paper.log.map(({ data }) => data.text).join()
      // A message that is in the log may stand behind what this client has loaded.
      for (const text of one.typed) assert.ok(`${shown} ${held}`.includes(text), `seed ${seed} step ${step}: ${text} is lost`)
    }
    await rest(one, context)
    const { thread, paper, typed } = one
    const why = `seed ${seed}: ${drawn(thread.renderGroups()).join('; ')}`
    assert.equal(difference(thread.renderGroups(), paper, createStore), undefined, why)
    assert.deepEqual(thread.renderGroups().filter(({ state }) => state !== 'sealed').map(({ key, state }) => [key, state]), [], why)
    const asked = paper.log.filter(({ role }) => role === 'user').flatMap(({ data }) => data.text.split('\n\n'))
    for (const text of typed) assert.equal(asked.filter(other => other === text).length, 1, `${text} is answered once; ${why}`)
    one.store.free()
    // A reload finds nothing that is still to be sent.
    const again = createStoreWith(makeCore, { ...one.options, transport: paper.transport })
    await settled()
    assert.deepEqual(again.thread().renderGroups().filter(({ state }) => state !== 'sealed'), [], why)
    again.free()
  }
  counts.tell(context)
  const wanted = [
    'pages that fail', 'pages that never come', 'pages that are no JSON', 'pages of a replica that lags', 'pages with a wrong total', 'pages with holes',
    'pages with a row twice', 'pages in the wrong order', 'pages that come twice', 'sends that do not arrive', 'sends whose answer is lost', 'sends that nobody answers',
    'sends with no answer in JSON', 'snapshots that fail', 'snapshots that never come', 'snapshots that are no JSON', 'sleeps of hours, timers late', 'events that are lost',
    'events that come twice', 'connections that drop', 'storage that cannot be read', 'storage that is corrupt', 'storage that is full', 'storage that cannot be written',
  ]
  for (const kind of wanted) assert.ok(counts.of(kind) > 0, `${kind}: none`)
})
