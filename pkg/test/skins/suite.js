// What every skin has to pass. A driver draws a thread in its framework, as
//   <p>status, queue</p> <ol> <li data-key data-state>text</li> ... </ol>
// and counts: `tally.row(key)` with each draw of a row, `tally.head()` of the line above, `tally.came(key)`, `tally.went(key)`.
import { createStore } from '../../dist/inline.js'

/** Counts what a driver draws. */
function createTally() {
  const [rows, came, went] = [new Map(), new Map(), new Map()]
  const more = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)
  let heads = 0
  return {
    row: key => more(rows, key),
    came: key => more(came, key),
    went: key => more(went, key),
    head: () => { heads += 1 },
    rows: () => Object.fromEntries(rows),
    heads: () => heads,
    lives: () => ({ came: Object.fromEntries(came), went: Object.fromEntries(went) }),
    forget: () => { rows.clear(); heads = 0 },
  }
}

export const chunk = (seq, turnId, role, text, more = {}) => ({ seq, turnId, role, type: 'text', data: { text }, ...more })
/** So many questions with their answers, as the log has them. */
export const log = turns => Array.from({ length: turns }, (_, at) => [
  chunk(at * 2 + 1, `t${at}`, 'user', `question ${at}`, { messageId: `m${at}` }),
  chunk(at * 2 + 2, `t${at}`, 'assistant', `answer ${at}`),
]).flat()

export const start = { type: 'turn-start', turnId: 'a', user: { messageId: 'ma', text: 'go' } }
export const delta = text => ({ type: 'text-delta', turnId: 'a', delta: text })
export const seal = seq => [
  { type: 'turn-end', turnId: 'a', outcome: 'done' },
  { type: 'turn-sealed', turnId: 'a', lastSeq: seq + 1, chunks: [chunk(seq, 'a', 'user', 'go', { messageId: 'ma' }), chunk(seq + 1, 'a', 'assistant', 'one two')] },
]

export const same = (got, wanted, what) => {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)]
  if (a !== b) throw new Error(`${what}: got ${a.slice(0, 400)}, wanted ${b.slice(0, 400)}`)
}
export const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))

/** A store, drawn by a driver, with what a test asks of the page. */
export async function drawn(driver, { chunks = [], by = 'key', options = {}, threadId = 'main', html, early = [] } = {}) {
  const store = createStore({ schedule: 'sync', transport: { loadChunks: () => ({ chunks, oldestSeq: 1 }), send: () => new Promise(() => {}) }, limits: { window: 20_000 }, ...options })
  if (chunks.length > 0) store.handleEvent({ type: 'chunks-loaded', threadId, chunks, oldestSeq: 1 })
  const place = document.createElement('div')
  document.body.append(place)
  if (html !== undefined) place.innerHTML = html
  store.thread(threadId)
  store.handleEvents(early)
  const tally = createTally()
  const nodes = html === undefined ? undefined : [...place.querySelectorAll('li')]
  const view = driver({ store, threadId, by, place, tally, isHydrated: html !== undefined })
  await view.settle()
  let isUp = true
  const items = () => [...place.querySelectorAll('li')]
  return {
    ...view,
    store, tally, place, items, nodes,
    thread: store.thread(threadId),
    shows: () => items().map(item => [item.dataset.state, item.textContent]),
    head: () => place.querySelector('p')?.textContent,
    async say(...events) {
      for (const event of events) store.handleEvent(event)
      await view.settle()
    },
    unmount() {
      if (isUp) view.unmount()
      isUp = false
    },
    end() {
      this.unmount()
      place.remove()
      store.free()
    },
  }
}

const thousands = by => async driver => {
  const it = await drawn(driver, { chunks: log(2500), by })
  await it.say(start, delta('one'))
  same(it.items().length, 5002, 'rows on the page')
  it.tally.forget()
  await it.say(delta(' two'))
  const key = it.thread.keys().at(-1)
  same(it.tally.rows(), { [key]: 1 }, 'rows drawn by a delta')
  same(it.tally.heads(), 0, 'heads drawn by a delta')
  same(it.shows().at(-1), ['live', 'one two'], 'the growing row')
  it.tally.forget()
  await it.say(...seal(5001))
  same(Object.keys(it.tally.rows()), it.thread.keys().slice(-2), 'rows drawn by the seal')
  const { came, went } = it.tally.lives()
  same([Object.keys(came).length, Object.values(came).every(times => times === 1), went], [5002, true, {}], 'rows that came and went')
  it.end()
}

export const cases = {
  'draws a thread, and what comes': async driver => {
    const it = await drawn(driver, { chunks: log(1) })
    same(it.shows(), [['sealed', 'question 0'], ['sealed', 'answer 0']], 'at first')
    await it.say(start, delta('one'))
    same(it.shows().slice(2), [['live', 'go'], ['live', 'one']], 'live')
    same(it.head(), 'streaming, 0', 'the head')
    await it.say({ type: 'message-queued', messageId: 'q', message: 'later' })
    same([it.shows().at(-1), it.head()], [['queued', 'later'], 'streaming, 1'], 'queued')
    await it.say({ type: 'message-cancelled', messageId: 'q' })
    same([it.items().length, it.head()], [4, 'streaming, 0'], 'cancelled')
    it.end()
  },
  'of 5,000 rows a delta draws the one that grows, and a seal remounts none; rows by key': thousands('key'),
  'of 5,000 rows a delta draws the one that grows, and a seal remounts none; rows by group': thousands('group'),
  'from typed to sealed a message is one row': async driver => {
    const it = await drawn(driver)
    const clientId = it.thread.send('go')
    await it.settle()
    const [node] = it.items()
    const states = [node.dataset.state]
    const user = { messageId: 'ma', clientIds: [clientId], text: 'go' }
    for (const event of [{ ...start, user }, delta('one'), delta(' two'), ...seal(1)]) {
      await it.say(event)
      states.push(node.dataset.state)
    }
    same(states, ['sending', 'live', 'live', 'live', 'live', 'sealed'], 'states')
    same([it.items()[0] === node, it.items().length], [true, 2], 'the row')
    same(Object.values(it.tally.lives().came), [1, 1], 'rows that came')
    same(it.tally.lives().went, {}, 'rows that went')
    it.end()
  },
  'a row that goes is taken away alone': async driver => {
    const it = await drawn(driver, { chunks: log(2) })
    await it.say({ type: 'message-queued', messageId: 'q1', message: 'one' }, { type: 'message-queued', messageId: 'q2', message: 'two' })
    const nodes = it.items()
    const gone = it.thread.keys()[4]
    await it.say({ type: 'message-cancelled', messageId: 'q1' })
    same(it.tally.lives().went, { [gone]: 1 }, 'rows that went')
    same(it.items().map(node => nodes.indexOf(node)), [0, 1, 2, 3, 5], 'the other rows')
    it.end()
  },
  'rows that change places stay what they are': async driver => {
    const it = await drawn(driver)
    const queue = ids => ({ type: 'queue-snapshot', held: false, version: ids.length * 10 + Number(ids[0]), items: ids.map(id => ({ messageId: id, message: id })) })
    await it.say(queue(['1', '2', '3']))
    const nodes = it.items()
    await it.say(queue(['3', '1', '2']))
    same(it.shows().map(([, text]) => text), ['3', '1', '2'], 'the order')
    same(it.items().map(node => nodes.indexOf(node)), [2, 0, 1], 'the nodes')
    same(it.tally.lives().went, {}, 'rows that went')
    it.end()
  },
  'deltas of one frame are one draw': async driver => {
    const it = await drawn(driver, { options: { schedule: 'frame' } })
    await it.say(start, delta('one'))
    await frame()
    await it.settle()
    it.tally.forget()
    for (const text of [' two', ' three', ' four']) it.store.handleEvent(delta(text))
    await frame()
    await it.settle()
    same(it.tally.rows(), { [it.thread.keys().at(-1)]: 1 }, 'rows drawn')
    same(it.shows().at(-1), ['live', 'one two three four'], 'the row')
    it.end()
  },
  'what comes between a draw and its frame is in the next one, wherever it was seen first': async driver => {
    const it = await drawn(driver, { options: { schedule: 'frame' } })
    await frame()
    it.store.handleEvent(start)
    await it.settle()
    // Its first draw sees what nobody was told of yet.
    const late = document.createElement('div')
    const other = driver({ store: it.store, threadId: 'main', by: 'key', place: late, tally: createTally() })
    await other.settle()
    it.store.handleEvent({ type: 'status', status: 'idle' })
    await frame()
    await it.settle()
    await other.settle()
    same(late.querySelector('p').textContent, it.head(), 'both heads')
    same(it.head(), `${it.thread.getSnapshot().status}, 0`, 'the head')
    other.unmount()
    it.end()
  },
  'another thread takes the place of the first': async driver => {
    const it = await drawn(driver, { chunks: log(1) })
    it.store.handleEvent({ type: 'chunks-loaded', threadId: 'other', chunks: [chunk(1, 'o', 'user', 'elsewhere')], oldestSeq: 1 })
    await it.show('other')
    same(it.shows(), [['sealed', 'elsewhere']], 'the other thread')
    it.tally.forget()
    await it.say({ ...start, threadId: 'main' })
    same([it.tally.rows(), it.tally.heads()], [{}, 0], 'draws for the first thread')
    await it.say({ ...start, threadId: 'other' })
    same(it.shows().at(-1), ['live', 'go'], 'the other thread goes on')
    it.end()
  },
  'a thread that gets its name stays on the screen': async driver => {
    const it = await drawn(driver, { threadId: 'temporary' })
    it.thread.send('hello')
    await it.settle()
    const [node] = it.items()
    await it.say({ type: 'thread-renamed', from: 'temporary', to: 'real' }, { ...start, threadId: 'real' })
    same([it.items().includes(node), it.items().length], [true, 2], 'rows')
    same(it.tally.lives().went, {}, 'rows that went')
    it.end()
  },
  'what is taken down hears no more, and the store has nobody left to tell': async driver => {
    const it = await drawn(driver, { chunks: log(1), options: { schedule: 'frame' } })
    const frames = []
    const real = globalThis.requestAnimationFrame
    globalThis.requestAnimationFrame = call => (frames.push(call), real(call))
    await it.say(start)
    same(frames.length, 1, 'frames while somebody listens')
    await frame()
    it.unmount()
    await it.settle()
    await frame()
    it.tally.forget()
    frames.length = 0
    await it.say(delta('one'))
    same([frames.length, it.tally.rows(), it.tally.heads()], [0, {}, 0], 'frames and draws')
    globalThis.requestAnimationFrame = real
    it.end()
  },
  'drawn again from nothing, it shows what came meanwhile': async driver => {
    const it = await drawn(driver, { chunks: log(1) })
    it.unmount()
    await it.settle()
    it.store.handleEvents([start, delta('one')])
    const place = document.createElement('div')
    const again = driver({ store: it.store, threadId: 'main', by: 'key', place, tally: createTally() })
    await again.settle()
    same(place.querySelectorAll('li').length, 4, 'rows')
    it.store.handleEvent(delta(' two'))
    await again.settle()
    same([...place.querySelectorAll('li')].at(-1).textContent, 'one two', 'the growing row')
    again.unmount()
    it.end()
  },
  'a page of the server is taken over as it stands, also where a delta came before': async (driver, { html, from }) => {
    const it = await drawn(driver, { html, options: { from }, early: [delta('e')] })
    same(it.items().map((node, at) => node === it.nodes[at]), Array(6).fill(true), 'nodes of the server')
    same([it.nodes.at(-1).textContent, it.shows().at(-1)], ['one', ['live', 'one']], 'the growing row')
    await it.say(delta(' two'))
    same(it.shows().at(-1), ['live', 'one two'], 'the growing row goes on')
    it.end()
  },
}

/** The store whose page a server renders for the last case. */
export function servedStore(create) {
  const store = create({ schedule: 'sync' })
  store.handleEvent({ type: 'chunks-loaded', chunks: log(2), oldestSeq: 1 })
  store.handleEvents([start, delta('on')])
  return store
}
