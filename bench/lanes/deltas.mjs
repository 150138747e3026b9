// One text delta in, the groups out: ours beside the slice, at each size and in each form, on the same events.
import { createSlice } from '../slice.mjs'
import { deltas, frames, opening, talk } from '../work.mjs'
import { each, now, cpu, ratio } from './clock.mjs'

const ROUNDS = 41
/** Rounds before it counts. */
const WARM = 12
const DELTAS = 512

export const SIZES = [10, 1_000, 10_000, 100_000]
/** How deltas come: as text, so many lines to a frame, or as objects, so many to a call. */
export const FORMS = [
  { id: 'message-1', what: 'handleMessage, frames of 1', size: 1, feed: 'handleMessage' },
  { id: 'message-16', what: 'handleMessage, frames of 16', size: 16, feed: 'handleMessage' },
  { id: 'message-64', what: 'handleMessage, frames of 64', size: 64, feed: 'handleMessage' },
  { id: 'event', what: 'handleEvent, an object', size: 1, feed: 'handleEvent' },
  { id: 'events-16', what: 'handleEvents, 16 objects', size: 16, feed: 'handleEvents' },
]

const whole = { handleMessage: frames, handleEvent: events => events, handleEvents: batches }

function batches(events, size) {
  return Array.from({ length: Math.ceil(events.length / size) }, (_, index) => events.slice(index * size, (index + 1) * size))
}

/** A reader that keeps what it saw, so that no work can be left out. */
function reader(store) {
  let seen
  let changes = 0
  return {
    look: () => {
      const groups = store.renderGroups()
      if (groups !== seen) changes += 1
      seen = groups
    },
    changes: () => changes,
    text: () => seen.at(-1).parts.at(-1).text,
    count: () => seen.length,
  }
}

/** One store with so many groups, of which the last streams. */
export function streaming(store, size) {
  store.handleMessage(talk(size - 2))
  store.handleMessage(JSON.stringify(opening()))
  store.handleMessage(JSON.stringify({ type: 'text-delta', threadId: 'main', turnId: 'turn-live', n: 2, delta: 'So:' }))
  const look = reader(store)
  look.look()
  return { store, look, text: 'So:' }
}

/** Feeds what is ready, looks after each, and gives the time. */
export function fed(side, ready, feed) {
  const take = side.store[feed]
  const { look } = side.look
  const [wall, busy] = [now(), cpu()]
  for (const one of ready) {
    take(one)
    look()
  }
  return { wall: now() - wall, cpu: cpu() - busy }
}

/** One round of one side. Fails where a change was not shown. */
export function round(side, { feed, size }, events, groups) {
  const ready = whole[feed](events, size)
  const before = side.look.changes()
  const time = fed(side, ready, feed)
  side.text += events.map(event => event.delta).join('')
  if (side.look.changes() - before !== ready.length) throw new Error('a change was not shown')
  if (side.look.text() !== side.text) throw new Error('the text is another one')
  if (side.look.count() !== groups) throw new Error(`${side.look.count()} groups, not ${groups}`)
  return time
}

/** Deltas a round of the slice: it copies a long list for each of them, so fewer tell as much. */
const sliceCount = (groups, size) => Math.max(size, Math.min(DELTAS, Math.floor(500_000 / groups)))
/** At so many groups the slice plays every so many rounds only. */
const sliceTurns = groups => (groups > 10_000 ? 6 : 1)

/** One side at one size, with a round of it. */
function player(store, groups, form, count) {
  const side = streaming(store, groups)
  let n = 3
  const times = []
  const play = isCounted => {
    const time = round(side, form, deltas(n, count), groups)
    n += count
    times.push(isCounted ? { wall: time.wall / count, cpu: time.cpu / count } : undefined)
  }
  return { play, skip: () => times.push(undefined), times: () => times, free: () => store.free() }
}

/** Each size in turns, both stores on the same events, and what one round took against another. */
function formCosts(form, { newStore }, sizes) {
  const runs = sizes.map(groups => ({
    groups,
    ours: player(newStore(groups * 2 + 100), groups, form, DELTAS),
    slice: player(createSlice(), groups, form, sliceCount(groups, form.size)),
  }))
  for (let turn = -WARM; turn < ROUNDS; turn++) for (const { groups, ours, slice } of runs) {
    ours.play(turn >= 0)
    if (turn % sliceTurns(groups) === 0) slice.play(turn >= 0)
    else slice.skip()
  }
  const small = runs[0].ours.times()
  return runs.map(({ groups, ours, slice }) => {
    ours.free()
    return {
      form: form.id, what: form.what, groups, ours: each(ours.times()), slice: each(slice.times()),
      ratio: ratio(ours.times(), slice.times()), growth: ratio(ours.times(), small),
    }
  })
}

/** All forms at all sizes. */
export const run = (tools, { forms = FORMS, sizes = SIZES } = {}) => forms.flatMap(form => formCosts(form, tools, sizes))
