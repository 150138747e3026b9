// What the engine and the transcript cost: in wasm as Node has them, and natively, on the same work. Prints JSON.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { at } from '../scripts/lib.mjs'
import { agentThread } from './work.mjs'
import { createEngine, transcript } from '../pkg/dist/engine-node.js'

const ROUNDS = 9
const TURNS = 200
const DELTAS = 40
const SIZES = [1_000, 10_000]

function timed(run) {
  const start = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - start)
}

/** The inputs of one turn, as `examples/engine_speed.rs` has them. */
function turn(number) {
  const executionId = `t:${number}.1`
  const deltas = Array.from({ length: DELTAS }, () => ({ type: 'delta', executionId, kind: 'text', delta: ' turn' }))
  return [
    { type: 'send', messageId: `m${number}`, clientId: `k${number}`, text: 'Why does it fail?', intent: 'queue' },
    ...deltas,
    { type: 'tool-call', executionId, callId: 'c', name: 'read', arguments: { path: 'a.ts' }, approval: false },
    { type: 'step-end', executionId },
    { type: 'tool-result', turnId: `t:${number}`, callId: 'c', result: 'export const a = 1', isError: false },
    ...deltas,
    { type: 'step-end', executionId },
  ]
}

/** A host that writes at once. Gives how many inputs went in. */
function play(engine, inputs, log) {
  let count = 0
  let rows = []
  const put = input => {
    count += 1
    for (const effect of engine.apply('t', input)) {
      if (effect.type === 'append' || effect.type === 'seal') for (const chunk of effect.chunks) rows.push({ ...chunk, seq: ++log.seq })
      if (effect.type === 'diagnostic') throw new Error(`engine: ${effect.detail}`)
      if (effect.type === 'seal') {
        const chunks = rows
        rows = []
        put({ type: 'persisted', turnId: effect.turnId, chunks })
      }
    }
  }
  inputs.forEach(put)
  return count
}

/** Inputs a second, `apply` of objects: the best round. */
function inputsCost() {
  const engine = createEngine()
  const log = { seq: 0 }
  const rates = []
  for (let round = 0; round < ROUNDS; round++) {
    const turns = Array.from({ length: TURNS }, (_, index) => turn(round * TURNS + index + 1))
    let count = 0
    const nanos = timed(() => { for (const inputs of turns) count += play(engine, inputs, log) })
    if (count !== TURNS * (DELTAS * 2 + 6)) throw new Error(`engine: ${count} inputs`)
    rates.push(count / nanos * 1e9)
  }
  engine.free()
  return Math.max(...rates)
}

/** Milliseconds to project threads, from objects to objects, and their JSON alone: the best of rounds that take turns. */
function projectionCosts() {
  const runs = SIZES.map(size => ({ size, chunks: JSON.parse(agentThread(size)).chunks, ours: Infinity, json: Infinity }))
  for (let round = -3; round < ROUNDS; round++) {
    for (const run of runs) {
      let told
      const ours = timed(() => { told = transcript(run.chunks, { vendor: 'openai-chat' }) })
      if (told.problems.length > 0 || told.messages.length < run.size / 2) throw new Error(`transcript: ${told.messages.length} messages`)
      const json = timed(() => JSON.parse(JSON.stringify(run.chunks)))
      if (round < 0) continue // The wasm is still being optimised.
      run.ours = Math.min(run.ours, ours / 1e6)
      run.json = Math.min(run.json, json / 1e6)
    }
  }
  return runs.map(({ size, ours, json }) => ({ size, ours, json }))
}

/** All of it: inputs a second, and the projection of 1,000 and 10,000 chunks. */
function engineCost() {
  mkdirSync(at('target'), { recursive: true })
  const pages = SIZES.map(size => {
    const path = at('target', `bench-${size}.json`)
    writeFileSync(path, agentThread(size))
    return path
  })
  const native = JSON.parse(execFileSync(at('target/release/examples/engine_speed'), pages, { encoding: 'utf8' }))
  const projections = projectionCosts()
  return { wasm: inputsCost(), native: native.inputs, projections: projections.map((one, index) => ({ ...one, native: native.projections[index] })) }
}

console.log(JSON.stringify(engineCost()))
