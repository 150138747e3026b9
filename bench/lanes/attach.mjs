// Attach: 10,000 chunks of an agent's thread, as text, until the first groups are there; beside JSON.parse of that text.
import { agentThread } from '../work.mjs'
import { collect, each, ratio, timed } from './clock.mjs'

const ROUNDS = 9
const CHUNKS = 10_000

/** Both, in turns, each round on a text of its own: nobody may find it again. */
export function run({ newStore }) {
  const text = agentThread(CHUNKS)
  const times = { ours: [], parse: [], feed: [], read: [] }
  for (let round = -2; round < ROUNDS; round++) {
    const mine = `${text} `.slice(0, -1)
    collect()
    let parsed
    const parse = timed(() => { parsed = JSON.parse(mine) })
    if (parsed.chunks.length !== CHUNKS) throw new Error('chunks are missing')
    parsed = undefined
    collect()
    const store = newStore(CHUNKS)
    let groups
    const feed = timed(() => store.handleMessage(mine))
    const drawn = timed(() => { groups = store.renderGroups() })
    let parts = 0
    const looked = timed(() => { parts = groups.reduce((sum, group) => sum + group.parts.length, 0) })
    if (parts !== CHUNKS - Math.floor(CHUNKS / 7) * 2 - 1) throw new Error(`attach: ${parts} parts`)
    store.free()
    if (round < 0) continue
    const sum = (...list) => list.reduce((one, other) => ({ wall: one.wall + other.wall, cpu: one.cpu + other.cpu }))
    times.ours.push(sum(feed, drawn))
    times.parse.push(parse)
    times.feed.push(feed)
    times.read.push(sum(feed, drawn, looked))
  }
  return [{
    bytes: text.length,
    ...Object.fromEntries(Object.entries(times).map(([name, list]) => [name, each(list)])),
    ratio: ratio(times.ours, times.parse), readRatio: ratio(times.read, times.parse),
  }]
}
