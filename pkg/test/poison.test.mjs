// A core that really traps: anywhere in Rust where it may panic, with its state half changed and its stack not unwound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places, trapIn } from './poison-lib.mjs'

// Behind the line above, which puts the wasm that traps in place.
const { chance, createStoreWith, drawn, makeCore } = await import('./lib.mjs')
const { settled } = await import('./faults-lib.mjs')
const { createStore } = await import('../dist/node.js')
const { brokenIn, createPaperServer, difference } = await import('../dist/testing.js')

const RUNS = Number(process.env.RUNS ?? 30)

test('a panic anywhere in the core costs one input at most: the store is built anew and ends as the server says', async context => {
  let traps = 0
  context.mock.timers.enable({ apis: ['setTimeout'] })
  for (let seed = 1; seed <= RUNS; seed++) {
    const { pick, below } = chance(seed)
    const paper = createPaperServer({ seal: pick(['plain', 'range', 'inline']) })
    const { loadChunks, resync, ...rest } = paper.transport
    const waiting = []
    const later = value => new Promise(done => waiting.push(() => done(value)))
    const transport = { ...rest, loadChunks: query => later(loadChunks(query)), resync: query => later(resync(query)) }
    const said = []
    const store = createStoreWith(makeCore, { schedule: 'sync', transport, onDiagnostic: ({ code }) => said.push(code) })
    const thread = store.thread()
    const events = []
    let running
    let ended = []
    paper.subscribe(event => {
      events.push(event)
      if (event.type === 'turn-start') running = event.turnId
      if (event.type === 'turn-end') [ended, running] = [[...ended, event.turnId], undefined]
    })
    const typed = []
    const hear = () => {
      const event = events.shift()
      const ways = [() => store.handleEvent(event), () => store.handleMessage(JSON.stringify(event)), () => store.handleMessage(new TextEncoder().encode(JSON.stringify(event)))]
      if (event !== undefined) pick(ways)()
    }
    const deliver = async () => { waiting.shift()?.(); await settled() }
    const acts = [
      () => { if (running === undefined) paper.start(`question ${below(2)}`) },
      () => { if (running === undefined && paper.queue.length > 0) paper.start() },
      () => { for (let words = below(20); running !== undefined && words > 0; words--) paper.tell({ type: pick(['text-delta', 'reasoning-delta']), delta: 'word ' }) },
      () => { if (running !== undefined) paper.end() },
      () => { if (ended.length > 0) paper.seal(ended.shift()) },
      () => { typed.push(`typed ${typed.length}`); thread.send(typed.at(-1)) },
      deliver,
      // What breaks the core once in a row is survived; an input that goes well comes between.
      async () => {
        const before = said.filter(code => code === 'poisoned').length
        const did = await trapIn(1 + below(pick([6, 60, 600])), () => pick([hear, hear, deliver, () => void thread.renderGroups(), () => void store.dehydrate()])())
        traps += did ? 1 : 0
        assert.equal(said.filter(code => code === 'poisoned').length - before, did ? 1 : 0, `seed ${seed}`)
        store.handleMessage('{"type":"usage","tokens":1}')
      },
      hear, hear, hear, hear,
      async () => { context.mock.timers.tick(below(1000)); await settled() },
    ]
    for (let step = 0; step < 150; step++) {
      await pick(acts)()
      assert.deepEqual(brokenIn(thread.renderGroups()), [], `seed ${seed} step ${step}`)
      const all = [thread.renderGroups(), paper.log].map(value => JSON.stringify(value)).join()
      for (const text of typed) assert.ok(all.includes(text), `seed ${seed} step ${step}: ${text} is lost`)
    }
    if (running !== undefined) paper.end()
    while (ended.length > 0) paper.seal(ended.shift())
    events.push({ type: 'ping', n: paper.events.length })
    for (let round = 0; round < 20 || events.length + waiting.length > 0; round++) {
      while (events.length > 0) hear()
      await deliver()
      // An answer that broke the core is a request that failed: it is made again.
      context.mock.timers.tick(3_000)
      await settled()
    }
    assert.equal(difference(thread.renderGroups(), paper, createStore), undefined, `seed ${seed}: ${drawn(thread.renderGroups()).join('; ')}`)
    store.free()
  }
  assert.ok(traps > RUNS, `${traps} traps`)
  context.diagnostic(`faults: ${traps} panics, in any of ${places} functions`)
})
