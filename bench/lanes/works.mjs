// What else a thread goes through, ours beside the slice at each size; every work is checked by what it shows.
import { createSlice } from '../slice.mjs'
import { frames, talk } from '../work.mjs'
import * as calls from './calls.mjs'
import { collect, cpu, each, ratio, rounds, timed } from './clock.mjs'
import { SIZES } from './deltas.mjs'
import { attach, page, seal, snapshot } from './log.mjs'
import { expect, feedAndRead, lasting } from './sides.mjs'

/** Rounds before it counts: for so many nanoseconds of processor time, or so many. */
const WARM = 1e8
const WARM_MOST = 60

const toolWork = (isRunning, events) => lasting(
  ({ store, groups }) => ({ ...calls.opened(store(groups * 2 + 100), groups, isRunning), groups, n: 4 }),
  state => {
    const count = state.groups > 10_000 ? 64 : 512
    const list = events(state.n, count)
    state.n += count
    return { count, time: () => calls.round(state, { feed: 'handleMessage', size: 16 }, list, state.groups) }
  },
)

/** Waiting messages that are edited, so many in one frame, and one read of the groups behind each frame. */
const changes = many => lasting(
  ({ store: make, groups }) => {
    const store = make(groups * 2 + 100)
    const waiting = Math.max(many, 8)
    store.handleMessage(talk(groups))
    const list = Array.from({ length: waiting }, (_, index) => ({ type: 'message-queued', threadId: 'main', messageId: `q${index}`, message: 'waits' }))
    store.handleMessage(frames(list, waiting)[0])
    store.renderGroups()
    return { store, groups, waiting, n: 0 }
  },
  state => {
    const count = state.groups > 10_000 ? 4 : many > 1 ? 8 : 32
    const list = Array.from({ length: count }, () => {
      state.n += 1
      return frames(Array.from({ length: many }, (_, index) => ({ type: 'message-edited', threadId: 'main', messageId: `q${index}`, message: `edit ${state.n}` })), many)[0]
    })
    const check = () => {
      const shown = state.store.renderGroups()
      expect('changes', shown.length, state.groups + state.waiting)
      expect('changes', shown[state.groups + many - 1].parts[0].text, `edit ${state.n}`)
    }
    return { count, time: () => timed(feedAndRead(state.store, list)), check }
  },
)

/** One delta for each frame where every group has a listener of its own. */
const fanOut = lasting(
  ({ store: make, groups }) => {
    const side = calls.opened(make(groups * 2 + 100), groups)
    const state = { ...side, groups, n: 4, heard: 0 }
    const listener = () => { state.heard += 1 }
    const thread = side.store.thread?.()
    side.store.renderGroups().forEach(({ key }, index) => {
      if (thread) thread.subscribeGroup(key, listener)
      else side.store.subscribeGroup(index, listener)
    })
    return state
  },
  state => {
    const count = state.groups > 10_000 ? 32 : 256
    const list = frames(calls.pieces(state.n, count), 1)
    state.n += count
    state.heard = 0
    return { count, time: () => timed(feedAndRead(state.store, list)), check: () => expect('fan-out', state.heard, count) }
  },
)

export const WORKS = [
  { id: 'tool-args', what: 'a piece of a tool\'s arguments, frames of 16', run: toolWork(false, calls.pieces) },
  { id: 'tool-output', what: 'a line of a tool\'s output, frames of 16', run: toolWork(true, calls.lines) },
  { id: 'seal', what: 'a turn ends, is sealed and folds', run: seal, most: 9 },
  { id: 'page', what: 'an older page of 50 merges', run: page, most: 9 },
  { id: 'attach', what: 'attach: the newest page as text, until the groups are there', run: attach(false), most: 5 },
  { id: 'attach-read', what: 'the same, and each group looked at', run: attach(true), most: 5 },
  { id: 'snapshot', what: 'a snapshot of the live state', run: snapshot },
  { id: 'changes-1', what: 'one row changed, then the groups', run: changes(1) },
  { id: 'changes-100', what: '100 rows changed in one frame, then the groups', run: changes(100) },
  { id: 'fan-out', what: 'a delta where each group has a listener', run: fanOut },
]

/** One round of each side: the time for one of what it does. */
function round(sides) {
  return Object.fromEntries(Object.entries(sides).map(([name, side]) => {
    const { count, time, check } = side.step()
    const took = time()
    check?.()
    return [name, { wall: took.wall / count, cpu: took.cpu / count }]
  }))
}

/** One work at one size, both sides in turns, once both have been compiled. */
function workCosts({ id, what, run, most }, groups, { newStore }) {
  collect()
  const sides = { ours: run({ store: newStore, groups }), slice: run({ store: createSlice, groups }) }
  const start = cpu()
  let turn = 0
  do round(sides)
  while (++turn < WARM_MOST && cpu() - start < WARM)
  const times = { ours: [], slice: [] }
  for (let left = rounds(groups, most); left > 0; left--) {
    const took = round(sides)
    for (const name of Object.keys(times)) times[name].push(took[name])
  }
  for (const side of Object.values(sides)) side.end()
  return { work: id, what, groups, ours: each(times.ours), slice: each(times.slice), ratio: ratio(times.ours, times.slice) }
}

/** All works at all sizes. */
export const run = (tools, { works = WORKS.map(({ id }) => id), sizes = SIZES } = {}) =>
  WORKS.filter(({ id }) => works.includes(id)).flatMap(work => sizes.map(groups => workCosts(work, groups, tools)))
