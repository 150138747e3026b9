// React: 5,000 groups on a page, of which one streams. Counts how many rows a delta draws. Runs in a browser alone.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { useGroup, useKeys } from 'turnseal/react'
import { deltas, frames } from '../work.mjs'
import { each, timed } from './clock.mjs'
import { streaming } from './deltas.mjs'

const GROUPS = 5_000
const DELTAS = 64
const ROUNDS = 15

/** Rows drawn for each delta, and the time until the page has it. */
export async function run({ newStore }) {
  const side = streaming(newStore(GROUPS * 2), GROUPS)
  const thread = side.store.thread()
  let drawn = 0
  const Row = ({ id }) => {
    const group = useGroup(thread, id)
    drawn += 1
    return group && createElement('li', null, group.parts.map(part => part.text).join(''))
  }
  const Chat = () => createElement('ol', null, useKeys(thread).map(key => createElement(Row, { key, id: key })))
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  flushSync(() => root.render(createElement(Chat)))
  await new Promise(done => setTimeout(done, 100))
  const rows = place.querySelectorAll('li').length
  if (rows !== GROUPS) throw new Error(`react: ${rows} rows`)
  drawn = 0
  let n = 3
  const times = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const list = frames(deltas(n, DELTAS), 1)
    n += DELTAS
    const took = timed(() => { for (const frame of list) flushSync(() => side.store.handleMessage(frame)) })
    times.push({ wall: took.wall / DELTAS, cpu: took.cpu / DELTAS })
  }
  if (place.querySelector('li:last-child').textContent !== side.store.renderGroups().at(-1).parts[0].text) throw new Error('react: the page lags')
  root.unmount()
  return [{ groups: GROUPS, drawn: drawn / (ROUNDS * DELTAS), cost: each(times) }]
}
