// A process of its own: the memory that something takes, in the store or as plain parsed values. Prints numbers as JSON.
import { agentThread, turns } from './work.mjs'

const CHUNKS = 10_000
const memories = []
const Instance = WebAssembly.Instance
WebAssembly.Instance = function (module, imports) {
  const made = new Instance(module, imports)
  memories.push(made.exports.memory)
  return made
}
process.env.NODE_ENV = 'production'
const { createStore } = await import('../pkg/dist/node.js')

// What is freed in the wasm by the end of a JavaScript object is freed a turn of the loop later.
const used = async () => {
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await new Promise(done => setImmediate(done))
  }
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers + memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
}
const newStore = (limits = { window: CHUNKS }) => createStore({ limits, schedule: 'sync', transport: 'manual' })
const kept = {}

/** The wasm and its compiled code are there before: only the chunks count. */
async function warm() {
  kept.warm = newStore()
  kept.warm.handleMessage(agentThread(10))
  kept.warm.renderGroups()
  return used()
}

/** A store with many chunks; `isRead`: each group was read and is held by somebody. */
async function attached(isRead) {
  const before = await warm()
  kept.store = newStore()
  kept.store.handleMessage(agentThread(CHUNKS))
  kept.groups = kept.store.renderGroups()
  if (isRead) kept.rows = [...kept.groups]
  return (await used()) - before
}

const modes = {
  text: async () => agentThread(CHUNKS).length,
  store: () => attached(false),
  read: () => attached(true),
  parsed: async () => {
    const before = await used()
    kept.parsed = JSON.parse(agentThread(CHUNKS))
    return (await used()) - before
  },
  /** After 100,000 and after a million events at a window that stays as large as it is. */
  steady: async () => {
    kept.store = newStore({ window: 100 })
    const work = turns()
    const live = events => {
      for (let fed = 0; fed < events; ) {
        const { frames, count } = work.next()
        for (const frame of frames) {
          kept.store.handleMessage(frame)
          kept.store.renderGroups()
        }
        for (const { type, id } of kept.store.takeEffects()) {
          if (type === 'load-chunks') kept.store.handleEvent({ type: 'effect-result', id, ok: true, value: { chunks: [], oldestSeq: 1 } })
        }
        if (kept.store.renderGroups().length > 200) throw new Error('the window does not hold')
        fed += count
      }
      return used()
    }
    const early = await live(100_000)
    return [early, await live(900_000)]
  },
  /** After 5 and after 100 stores with many chunks, one after the other. */
  lifetimes: async () => {
    const text = agentThread(CHUNKS)
    const live = async count => {
      for (let round = 0; round < count; round++) {
        const store = newStore()
        store.handleMessage(text)
        if (store.renderGroups().at(-1).parts.length === 0) throw new Error('no parts')
        store.free()
        await new Promise(done => setImmediate(done))
      }
      return used()
    }
    const early = await live(5)
    return [early, await live(95)]
  },
}
console.log(JSON.stringify(await modes[process.argv[2]]()))
