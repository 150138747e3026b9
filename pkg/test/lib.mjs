// What the tests share: seeded chance, a server of paper, and cores that break on demand.
import { afterEach } from 'node:test'
import { core_loadSync as loadSync, core_makeCore as makeCore, store_createStoreWith as create } from '../dist/kernel.js'
import { readFileSync } from 'node:fs'

loadSync(() => readFileSync(new URL('../dist/wasm/store/turnseal.wasm', import.meta.url)))
export { makeCore }

const stores = []
/** A store that ends with its test: a load that nobody answers is tried again for ever. */
export function createStoreWith(...args) {
  const store = create(...args)
  stores.push(store)
  return store
}
afterEach(() => {
  for (const store of stores.splice(0)) store.free()
})

/** Seeded chance: the same numbers for the same seed. */
export function chance(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = limit => Math.floor(next() * limit)
  return { next, below, pick: list => list[below(list.length)] }
}

/** Lets promises and timers of no length run. */
export const soon = () => new Promise(done => setTimeout(done, 0))

/** A promise with its ends in hand. */
export function later() {
  const out = {}
  out.promise = new Promise((done, fail) => Object.assign(out, { done, fail }))
  return out
}

/** A transport whose calls wait in `calls` until the test answers them. */
export function paperTransport(names = ['loadChunks', 'send', 'stop', 'cancelQueued', 'editQueued', 'moveQueued', 'sendNow', 'resumeQueue', 'resolveApproval', 'resync']) {
  const calls = []
  const transport = Object.fromEntries(
    names.map(name => [
      name,
      (query, signal) => {
        const call = { name, query, signal, ...later() }
        calls.push(call)
        return call.promise
      },
    ]),
  )
  /** The oldest open call of that name. */
  const take = name => {
    const at = calls.findIndex(call => call.name === name)
    if (at < 0) throw new Error(`no call of ${name}; there are ${calls.map(call => call.name).join(', ') || 'none'}`)
    return calls.splice(at, 1)[0]
  }
  return { transport, calls, take }
}

/** The chunk of a text. */
export const textChunk = (seq, turnId, role, text, more = {}) => ({ seq, turnId, role, type: 'text', data: { text }, ...more })

/** What a reader sees, in short. */
export const drawn = groups =>
  groups.map(({ role, state, parts }) => `${role} ${state} ${parts.map(part => part.text ?? `${part.name}:${part.state}`).join('|')}`)

/** Cores that break where `breaks(method, text)` says so, as a panic in wasm does. */
export function breakingCores(breaks) {
  return limits => {
    const core = makeCore(limits)
    return new Proxy(core, {
      get: (target, name) => {
        const member = target[name]
        if (typeof member !== 'function') return member
        return (...args) => {
          if (breaks(name, args[0])) throw new WebAssembly.RuntimeError('unreachable')
          return member.apply(target, args)
        }
      },
    })
  }
}
