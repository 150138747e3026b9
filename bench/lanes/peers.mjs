// One peer beside ours: the same texts as deltas, each shown by the peer in its own way, in rounds that take turns.
import { deltas } from '../work.mjs'
import { collect, each, now, ratio, timedUntil } from './clock.mjs'
import { round, streaming } from './deltas.mjs'
import * as calls from './calls.mjs'

const ROUNDS = 25
/** Rounds before it counts. */
const WARM = 5
/** Not more deltas a round than that: the live answer stays as short as a real one. */
const MOST = 192
/** What one peer at one size may take, in nanoseconds of processor time. */
const PATIENCE = 0.4e9
/** And on the wall. */
const PATIENCE_WALL = 3e9

/** What a peer does, and how ours gets the same: from the wire in frames of 16 and of 1, or as objects, 16 and 1. */
export const WORKS = {
  delta: { method: 'delta', frames: { feed: 'handleMessage', size: 16 }, singles: { feed: 'handleMessage', size: 1 } },
  parsed: { method: 'delta', isParsed: true, frames: { feed: 'handleEvents', size: 16 }, singles: { feed: 'handleEvent', size: 1 } },
  args: { method: 'args', frames: { feed: 'handleMessage', size: 16 }, singles: { feed: 'handleMessage', size: 1 } },
}
/** Deltas of ours a round. */
const OURS = 512

const texts = (n, count) => deltas(n, count).map(event => event.delta)

/** How many deltas a round has, so that all rounds fit: a first few tell. */
async function pace(side, method, next) {
  const count = 4
  await side[method](next(count))()
  const took = await timedUntil(side[method](next(count)))
  const fits = (patience, nanos) => Math.floor(patience / ROUNDS / (nanos / count))
  return Math.max(1, Math.min(MOST, fits(PATIENCE, took.cpu), fits(PATIENCE_WALL, took.wall)))
}

/** One round of a peer. Fails where a delta was not shown. */
async function peerRound(side, method, list, said) {
  const before = side.looks()
  const run = side[method](list)
  const time = await timedUntil(run)
  if (side.looks() - before < list.length) throw new Error(`${side.looks() - before} of ${list.length} deltas were shown`)
  if (side.said() !== said) throw new Error('the text is another one')
  return { wall: time.wall / list.length, cpu: time.cpu / list.length }
}

/** Ours at that size: one store for all works, since what it was told before costs a delta nothing. */
function ready({ newStore }, groups) {
  const store = newStore(groups * 2 + 100)
  const side = streaming(store, groups)
  let n = 3
  let isOpen = false
  const play = (method, form) => {
    if (method === 'args' && !isOpen) calls.open(side, n++)
    isOpen = method === 'args'
    const events = (isOpen ? calls.pieces : deltas)(n, OURS)
    n += OURS
    const time = (isOpen ? calls.round : round)(side, form, events, groups)
    return { wall: time.wall / OURS, cpu: time.cpu / OURS }
  }
  return { play, free: () => store.free() }
}

/** What a peer has been told, and what it has to say then. */
function script(side) {
  let [n, said] = [0, side.said()]
  return {
    said: () => said,
    next: count => {
      const list = texts(n, count)
      n += count
      said += list.join('')
      return list
    },
  }
}

async function workCosts(peer, work, groups, ours) {
  collect()
  const { method, isParsed, ...forms } = WORKS[work]
  const side = await peer.setup(groups, isParsed)
  if (side.view().length !== groups) throw new Error(`${side.view().length} messages, not ${groups}`)
  if (method === 'args') await side.openCall()
  const { next, said } = script(side)
  const count = await pace(side, method, next)
  const times = { peer: [], frames: [], singles: [] }
  const started = now()
  for (let turn = -WARM; turn < ROUNDS && (turn < 3 || now() - started < PATIENCE_WALL * 2); turn++) {
    const mine = { peer: await peerRound(side, method, next(count), said()), frames: ours.play(method, forms.frames), singles: ours.play(method, forms.singles) }
    if (turn >= 0) for (const name of Object.keys(times)) times[name].push(mine[name])
    // Where a round takes long, it is warm after one.
    else if (now() - started > PATIENCE_WALL) turn = -1
  }
  side.close()
  return {
    peer: peer.name, work, groups, deltas: count,
    theirs: each(times.peer), frames: each(times.frames), singles: each(times.singles),
    ratio: { frames: ratio(times.peer, times.frames), singles: ratio(times.peer, times.singles) },
  }
}

/** One peer, at each size, for each work that it has. */
export async function run(tools, { peer, sizes, works = Object.keys(WORKS) }) {
  const costs = []
  for (const groups of sizes) {
    const ours = ready(tools, groups)
    for (const work of works) if (peer.hasWire || !WORKS[work].isParsed) costs.push(await workCosts(peer, work, groups, ours))
    ours.free()
  }
  return costs
}
