// The demo's world without its page: many seeds, each played to its end in no time, since its clock runs as told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, init } from '../../pkg/dist/node.js'
import { play } from '../page/play.js'
import { difference } from '../page/project.js'
import { readRecording, replay, writeRecording } from '../page/tape.js'
import { createWatch } from '../page/watch.js'
import { createWorld } from '../page/world.js'

await init()
const MINUTES = 10 * 60_000

function run(seed, settings, start = play, isEmpty = false) {
  const world = createWorld({ createStore, seed, settings, isEmpty })
  let isDone = false
  start(world, () => (isDone = true))
  while ((!isDone || world.verdict.state === 'busy') && world.clock.now() < MINUTES) world.clock.advance(100)
  const { state, faults, detail } = world.verdict
  return { world, verdict: { isDone, state, faults, detail } }
}
const well = { isDone: true, state: 'equal', faults: 0, detail: '' }

for (const [name, settings] of Object.entries({
  'a good network': { delay: 40, loss: 0, skew: 0 },
  'a slow and lossy network': { delay: 250, loss: 0.08, skew: 0.5 },
  'a terrible network': { delay: 400, loss: 0.25, skew: 1 },
})) {
  test(`both clients end equal to log and queue: ${name}, 20 seeds`, () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { world, verdict } = run(seed, settings)
      assert.deepEqual({ seed, ...verdict }, { seed, ...well })
      assert.ok(world.server.log.length > 40)
      const { looks, ...watched } = world.watch
      assert.deepEqual({ seed, ...watched }, { seed, twice: 0, lost: 0, astray: 0, detail: '' })
      assert.ok(looks > 30)
      world.free()
    }
  })
}

test('the same seed gives the same run, another one another', () => {
  const settings = { delay: 200, loss: 0.1, skew: 1 }
  const tape = seed => {
    const { world } = run(seed, settings)
    const text = writeRecording(world.server.tape) + JSON.stringify(world.clients.A.thread.renderGroups())
    world.free()
    return text
  }
  assert.equal(tape(8), tape(8))
  assert.notEqual(tape(8), tape(9))
})

test('a recording gives the same log again, whatever the network does meanwhile', () => {
  const { world } = run(6, { delay: 100, loss: 0, skew: 0 })
  const text = writeRecording(world.server.tape)
  const { lines, refused } = readRecording(text)
  assert.equal(refused, 0)
  const again = run(60, { delay: 300, loss: 0.1, skew: 1 }, (made, done) => replay(made, lines, done), true)
  assert.deepEqual(again.verdict, well)
  assert.deepEqual(again.world.server.log, world.server.log)
  for (const { free } of [world, again.world]) free()
})

test('a recording without chunks: the server writes what it heard', () => {
  const events = [
    { type: 'turn-start', turnId: 'x', user: { messageId: 'm', text: 'hello' }, messageIds: ['m'] },
    { type: 'text-delta', delta: 'good ' },
    { type: 'text-delta', turnId: 'x', delta: 'day' },
    { type: 'turn-end', turnId: 'x', outcome: 'done' },
    { type: 'turn-sealed', turnId: 'x' },
  ]
  const { lines } = readRecording(events.map(event => JSON.stringify(event)).join('\n'))
  const { world, verdict } = run(1, { delay: 50, loss: 0, skew: 0 }, (made, done) => replay(made, lines, done), true)
  assert.deepEqual(verdict, well)
  assert.deepEqual(world.clients.B.thread.renderGroups().map(group => group.parts[0].text), ['hello', 'good day'])
  world.free()
})

test('the judge sees a row that is lost, doubled, stale or out of order', () => {
  const { world } = run(2, { delay: 40, loss: 0, skew: 0 })
  const { server, clients } = world
  const groups = clients.A.thread.renderGroups()
  const seen = changed => difference({ thread: { renderGroups: () => changed } }, server)
  assert.equal(seen(groups), undefined)
  assert.notEqual(seen([]), undefined)
  assert.notEqual(seen(groups.toSpliced(5, 1)), undefined)
  assert.notEqual(seen(groups.toSpliced(-1, 1)), undefined)
  assert.notEqual(seen([...groups, groups.at(-1)]), undefined)
  assert.notEqual(seen(groups.toSpliced(-1, 1, { ...groups.at(-1), state: 'live' })), undefined)
  assert.notEqual(seen(groups.toSpliced(3, 2, groups[4], groups[3])), undefined)
  world.free()
})

test('the watch sees a row that is shown twice, one out of order, and a message that is gone', () => {
  const watch = createWatch({ server: { log: [], turns: [{ turnId: 't', rows: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }, { role: 'assistant' }] }] } })
  const row = (key, text, more) => ({ key, role: 'user', parts: [{ type: 'text', text }], ...more })
  watch.wrote('A', 'one')
  watch.look('A', [row('k1', 'one', { clientId: 'A-1' }), row('k2', 'two')])
  assert.deepEqual([watch.state.twice, watch.state.lost], [0, 0])
  watch.look('A', [row('k1', 'one', { clientId: 'A-1' }), row('k3', 'one', { clientId: 'A-1' })])
  assert.deepEqual([watch.state.twice, watch.state.lost], [1, 0])
  watch.look('A', [row('k2', 'two')])
  assert.deepEqual([watch.state.twice, watch.state.lost], [1, 1])
  const turn = (...roles) => roles.map((role, at) => ({ ...row(`t${at}`, ''), role, turnId: 't' }))
  watch.look('B', turn('user', 'assistant', 'user'))
  assert.equal(watch.state.astray, 0)
  watch.look('B', turn('user', 'user', 'assistant'))
  assert.equal(watch.state.astray, 1)
})
