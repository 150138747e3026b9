// What is done with the log: turns seal and fold, pages merge, a window is attached, a snapshot is told.
import { deltas, frames, opening, talk } from '../work.mjs'
import { collect, timed } from './clock.mjs'
import { expect, feedAndRead, fresh, growing, lasting } from './sides.mjs'

const json = event => JSON.stringify(event)
const prose = JSON.parse(talk(2)).chunks[1].data.text

/** Turns, of which each ends and is sealed with its chunks: what came before that is not timed. */
const SEALS = 8
export const seal = growing(({ store: make, groups }) => {
  const store = make(groups * 2 + 100)
  store.handleMessage(talk(groups))
  store.renderGroups()
  return { store, groups, turns: 0, n: 0 }
}, state => {
  const { store } = state
  const turn = () => {
    const at = { threadId: 'main', turnId: `new-${state.turns}` }
    const seq = state.groups + 2 * state.turns++
    const start = [{ type: 'turn-start', ...at, user: { messageId: `asks-${seq}`, text: 'And now?' } }, ...deltas(0, 16).map(({ type, delta }) => ({ type, ...at, delta }))]
    const ends = [{ type: 'turn-end', ...at, outcome: 'done' }, { type: 'turn-sealed', ...at, prevSeq: seq, firstSeq: seq + 1, lastSeq: seq + 2, chunks: [
      { seq: seq + 1, turnId: at.turnId, messageId: `asks-${seq}`, role: 'user', type: 'text', data: { text: 'And now?' } },
      { seq: seq + 2, turnId: at.turnId, messageId: `says-${seq}`, role: 'assistant', type: 'text', data: { text: prose } },
    ] }]
    const frame = list => frames(list.map(event => ({ ...event, n: ++state.n })), list.length)
    return { start: frame(start), ends: frame(ends) }
  }
  const turns = Array.from({ length: SEALS }, turn)
  const time = () => {
    const total = { wall: 0, cpu: 0 }
    for (const { start, ends } of turns) {
      feedAndRead(store, start)()
      const { wall, cpu } = timed(feedAndRead(store, ends))
      total.wall += wall
      total.cpu += cpu
    }
    return total
  }
  const check = () => {
    const shown = store.renderGroups()
    expect('seal', shown.length, state.groups + state.turns * 2)
    expect('seal', shown.at(-1).state, 'sealed')
    expect('seal', shown.at(-1).parts[0].text, prose)
  }
  return { count: SEALS, time, check }
})

/** Two older pages of 50 before a window. */
const FIRST_SEQ = 1_000_000
const older = (from, count) => json({
  type: 'chunks-loaded', threadId: 'main', total: 2 * FIRST_SEQ, oldestSeq: 1,
  chunks: Array.from({ length: count }, (_, index) => {
    const seq = from + index
    return { seq, turnId: `t${seq >> 1}`, messageId: `m${seq}`, role: seq % 2 === 0 ? 'user' : 'assistant', type: 'text', data: { text: seq % 2 === 0 ? `Question ${seq}?` : prose } }
  }),
})
export const page = growing(({ store: make, groups }) => {
  const store = make(groups * 3 + 400)
  store.handleMessage(older(FIRST_SEQ, groups))
  store.renderGroups()
  return { store, groups, first: FIRST_SEQ }
}, state => {
  // A page touches the window with one chunk that both have, so that it connects.
  const pages = [older(state.first - 50, 51), older(state.first - 100, 51)]
  state.first -= 100
  const check = () => {
    const shown = state.store.renderGroups()
    expect('page', shown.length, state.groups + FIRST_SEQ - state.first)
    expect('page', shown[0].seq, state.first)
    expect('page', shown[1].parts[0].text, prose)
  }
  return { count: pages.length, time: () => timed(feedAndRead(state.store, pages)), check }
})

/** The newest page of so many groups, given as text, until the groups are there; `isRead`: and each was looked at. */
export const attach = isRead => fresh(({ store: make, groups }) => {
  const store = make(groups * 2 + 100)
  // A text of its own: nobody may find it again.
  const text = `${talk(groups)} `.slice(0, -1)
  collect()
  let parts = 0
  const run = () => {
    store.handleMessage(text)
    const shown = store.renderGroups()
    if (isRead) for (const group of shown) parts += group.parts.length
  }
  const check = () => {
    expect('attach', store.renderGroups().length, groups)
    if (isRead) expect('attach', parts, groups)
    store.free()
  }
  return { count: 1, time: () => timed(run), check }
})

/** The whole live state told anew, each time a word longer: one turn that streams, two messages that wait. */
export const snapshot = lasting(
  ({ store: make, groups }) => {
    const store = make(groups * 2 + 100)
    store.handleMessage(talk(groups - 4))
    store.handleMessage(json(opening()))
    store.takeEffects()
    return { store, groups, n: 1, text: prose.repeat(8) }
  },
  state => {
    const count = state.groups > 10_000 ? 8 : 32
    const list = deltas(state.n, count).map(({ delta }) => {
      state.text += delta
      return json({ type: 'snapshot', threadId: 'main', n: ++state.n, lastSeq: state.groups - 4, held: false, turns: [{ turnId: 'turn-live', phase: 'streaming', rows: [
        { role: 'user', messageId: 'message-live', text: 'And now?' },
        { role: 'assistant', parts: [{ type: 'text', text: state.text }] },
      ] }], queue: [{ messageId: 'q1', message: 'first' }, { messageId: 'q2', message: 'second' }] })
    })
    const check = () => {
      const shown = state.store.renderGroups()
      expect('snapshot', shown.length, state.groups)
      expect('snapshot', shown.at(-3).parts[0].text, state.text)
      state.store.takeEffects()
    }
    return { count, time: () => timed(feedAndRead(state.store, list)), check }
  },
)
