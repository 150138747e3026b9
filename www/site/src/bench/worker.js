// Measures in a worker, so that the page stays free: the same work, and the same slice, as `make bench`.
import { createStore, init } from 'turnseal'
import { round, streaming } from '../../../../bench/lanes/deltas.mjs'
import { createSlice } from '../../../../bench/slice.mjs'
import { agentThread, deltas } from '../../../../bench/work.mjs'

const FORM = { feed: 'handleMessage', size: 16 }
/** A clock of a page is coarse: a round is as long as this, where so many deltas do not make an answer of no real length. */
const ROUND_MS = 4
const DELTAS_MAX = 4_096

const newStore = size => createStore({ schedule: 'sync', transport: 'manual', limits: { window: size } })
const median = values => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]

/** One side at one size: rounds of so many deltas, each checked for what it shows. */
function player(store, groups) {
  const side = streaming(store, groups)
  let [n, count] = [3, FORM.size]
  const play = () => {
    const { wall } = round(side, FORM, deltas(n, count), groups)
    n += count
    return wall / count
  }
  return {
    play,
    /** Warm, and with as many deltas as a round needs. */
    warm() {
      for (let turn = 0; turn < 8; turn += 1) {
        const each = play()
        const wanted = Math.floor((ROUND_MS * 1e6) / Math.max(each, 50) / FORM.size) * FORM.size
        count = Math.max(FORM.size, Math.min(DELTAS_MAX, wanted, count * 4))
      }
    },
    free: () => store.free(),
  }
}

/** All sizes and both sides in turns: what slows the machine down for a while slows all of them. */
function measured(sizes, rounds, tell) {
  const runs = sizes.map(groups => ({ groups, ours: player(newStore(groups * 2 + 100), groups), slice: player(createSlice(), groups), times: { ours: [], slice: [] } }))
  for (const { ours, slice } of runs) {
    ours.warm()
    slice.warm()
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    tell(`round ${turn + 1} of ${rounds}`)
    for (const { ours, slice, times } of runs) {
      times.ours.push(ours.play())
      times.slice.push(slice.play())
    }
  }
  const against = (ones, others) => median(ones.map((time, turn) => time / Math.max(others[turn], 1e-9)))
  const [{ times: small }] = runs
  return runs.map(({ groups, ours, slice, times }) => {
    ours.free()
    slice.free()
    const growth = { ours: against(times.ours, small.ours), slice: against(times.slice, small.slice) }
    return { groups, ours: median(times.ours), slice: median(times.slice), ratio: against(times.ours, times.slice), growth }
  })
}

/** A page of an agent's thread as text, until the groups are there; beside JSON.parse of that text. */
function attach(chunks, rounds) {
  const text = agentThread(chunks)
  const times = { ours: [], parse: [] }
  for (let turn = -1; turn < rounds; turn += 1) {
    const mine = `${text} `.slice(0, -1)
    const begun = performance.now()
    if (JSON.parse(mine).chunks.length !== chunks) throw new Error('chunks are missing')
    const parsed = performance.now()
    const store = newStore(chunks)
    const groups = store.handleMessage(mine) ?? store.renderGroups()
    const done = performance.now()
    if (groups.length === 0) throw new Error('nothing is shown')
    store.free()
    if (turn < 0) continue
    times.parse.push((parsed - begun) * 1e6)
    times.ours.push((done - parsed) * 1e6)
  }
  return { type: 'attach', chunks, bytes: text.length, ours: median(times.ours), parse: median(times.parse) }
}

addEventListener('message', async ({ data: { sizes, rounds, chunks } }) => {
  try {
    await init()
    const rows = measured(sizes, rounds, round => postMessage({ type: 'doing', what: `a delta at ${sizes.length} sizes, ${round}` }))
    postMessage({ type: 'deltas', rows })
    postMessage({ type: 'doing', what: `a page of ${chunks.toLocaleString('en')} chunks` })
    postMessage(attach(chunks, Math.min(rounds, 7)))
    postMessage({ type: 'done' })
  } catch (error) {
    postMessage({ type: 'failed', error: String(error) })
  }
})
