// A process of its own: the memory that 10,000 chunks take, in the store or as plain parsed values. Prints one number.
import { agentThread } from './work.mjs'

const CHUNKS = 10_000
const mode = process.argv[2]
const memories = []
const Instance = WebAssembly.Instance
WebAssembly.Instance = function (module, imports) {
  const made = new Instance(module, imports)
  memories.push(made.exports.memory)
  return made
}
process.env.NODE_ENV = 'production'
const { createStore } = await import('../pkg/dist/node.js')

const used = () => {
  for (let round = 0; round < 4; round++) globalThis.gc()
  return process.memoryUsage().heapUsed + memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
}
const kept = {}
if (mode === 'store') {
  // The wasm and its compiled code are there before: only the chunks count.
  const warm = createStore({ limits: { window: CHUNKS }, schedule: 'sync', transport: 'manual' })
  warm.handleMessage(agentThread(10))
  warm.renderGroups()
  kept.warm = warm
}
const before = used()
if (mode === 'store') {
  kept.store = createStore({ limits: { window: CHUNKS }, schedule: 'sync', transport: 'manual' })
  kept.store.handleMessage(agentThread(CHUNKS))
  kept.groups = kept.store.renderGroups()
} else {
  kept.parsed = JSON.parse(agentThread(CHUNKS))
}
const after = used()
console.log(after - before)
if (Object.keys(kept).length === 0) process.exitCode = 1
