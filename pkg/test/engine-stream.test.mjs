// What the engine publishes is a good stream, and a store that follows it shows the log: whatever a random host does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from '../dist/engine-node.js'
import { createStore } from '../dist/node.js'
import { brokenBetween, brokenIn, checkRecording, difference } from '../dist/testing.js'
import { chance, createStoreWith, drawn, makeCore } from './lib.mjs'

/** An engine with a host that carries out what a random hand lets it. */
function host(seed, models) {
  const { pick, below } = chance(seed)
  const engine = createEngine({ models })
  const it = { engine, log: [], events: [], running: new Set(), tools: [], approvals: [], seals: [], pick, below }
  const carry = effects => {
    for (const effect of effects) {
      if (effect.type === 'publish') it.events.push(effect.event)
      if (effect.type === 'publish' && effect.event.type === 'approval-request') it.approvals.push(effect.event)
      if (effect.type === 'append' || effect.type === 'seal') it.seals.push(effect)
      if (effect.type === 'request') it.running.add(effect.executionId)
      if (effect.type === 'cancel-request') it.running.delete(effect.executionId)
      if (effect.type === 'run-tool') it.tools.push(effect)
      if (effect.type === 'cancel-tool') it.tools = it.tools.filter(tool => tool.callId !== effect.callId || tool.executionId !== effect.executionId)
    }
    return effects
  }
  it.put = input => carry(engine.apply('main', input))
  // Rows are written in order; the last ones of a turn are answered with all of it.
  it.write = () => {
    const { type, turnId, chunks } = it.seals.shift()
    it.log.push(...chunks.map((chunk, at) => ({ ...chunk, seq: it.log.length + 1 + at })))
    if (type === 'seal') it.put({ type: 'persisted', turnId, chunks: it.log.filter(chunk => chunk.turnId === turnId) })
  }
  return it
}

function play(it, steps, look) {
  const { pick, below } = it
  let count = 0
  const execution = () => pick([...it.running])
  const acts = [
    () => it.put({ type: 'send', messageId: `m${++count}`, clientId: `k${count}`, text: `question ${below(3)}`, intent: pick(['queue', 'queue', 'steer']) }),
    () => it.running.size > 0 && it.put({ type: 'delta', executionId: execution(), kind: pick(['text', 'text', 'reasoning']), delta: 'word ' }),
    () => it.running.size > 0 && it.put({ type: 'delta', executionId: execution(), kind: 'text', delta: 'word ' }),
    () => it.running.size > 0 && it.put({ type: 'tool-call', executionId: execution(), callId: `c${++count}`, name: 'ls', arguments: { at: count }, approval: below(3) === 0 }),
    () => {
      if (it.running.size === 0) return
      const executionId = execution()
      it.running.delete(executionId)
      it.put(below(2) === 0 ? { type: 'step-end', executionId } : { type: 'execution-end', executionId, outcome: pick(['done', 'done', 'error']) })
    },
    () => {
      if (it.tools.length === 0) return
      const [{ turnId, executionId, callId }] = it.tools.splice(below(it.tools.length), 1)
      if (below(2) === 0) it.put({ type: 'tool-output', turnId, executionId, callId, data: 'out ' })
      it.put({ type: 'tool-result', turnId, executionId, callId, result: 'ok', isError: below(4) === 0 })
    },
    () => it.approvals.length > 0 && it.put({ type: pick(['approve', 'deny']), callId: it.approvals.shift().callId }),
    () => below(6) === 0 && it.put({ type: 'stop' }),
    () => below(3) === 0 && it.put({ type: 'resume-queue' }),
    () => it.seals.length > 0 && it.write(),
    () => it.seals.length > 0 && it.write(),
  ]
  for (let step = 0; step < steps; step++) {
    pick(acts)()
    look()
  }
  it.put({ type: 'stop' })
  while (it.seals.length > 0) it.write()
  look()
}

test('the stream of the engine breaks no rule, and a client that follows it shows the log and the queue', () => {
  let [turns, compared] = [0, 0]
  for (let seed = 1; seed <= 40; seed++) {
    const it = host(seed, seed % 4 === 0 ? ['p', 'q'] : ['p'])
    const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
    const thread = store.thread()
    let fed = 0
    let before = thread.renderGroups()
    const answer = () => {
      // An answer may be followed by the next request.
      for (let loads = [{}]; loads.length > 0; ) {
        loads = store.takeEffects().filter(({ type }) => type === 'load-chunks')
        for (const { id } of loads) store.handleEvent({ type: 'effect-result', id, ok: true, value: { chunks: it.log.slice(-100), oldestSeq: 1 } })
      }
    }
    play(it, 200, () => {
      for (; fed < it.events.length; fed++) store.handleEvent(it.events[fed])
      answer()
      const now = thread.renderGroups()
      const gone = it.events.flatMap(({ messageIds = [], items, turnId, type }) => [...messageIds.slice(1), ...(type === 'turn-end' ? [turnId] : []), ...(items ?? []).map(({ messageId }) => messageId)])
      assert.deepEqual([...brokenIn(now), ...brokenBetween(before, now, gone)], [], `seed ${seed}`)
      before = now
    })
    const lines = [...it.events, { chunks: it.log }].map(line => JSON.stringify(line)).join('\n')
    const report = checkRecording(lines, { createStore })
    assert.deepEqual(report.findings, [], `seed ${seed}`)
    turns += report.turns
    compared += report.compared
    const { queue } = it.engine.snapshot('main')
    assert.equal(difference(thread.renderGroups(), { log: it.log, queue }, createStore), undefined, `seed ${seed}: ${drawn(thread.renderGroups()).join('; ')}`)
    it.engine.free()
    store.free()
  }
  assert.ok(turns > 100 && compared > 50, `${turns} turns, ${compared} compared`)
})
