import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hot_createHotRoute as createHotRoute } from '../dist/kernel.js'
import { chance, createStoreWith, makeCore } from './lib.mjs'

test('a frame that is read without JSON says what JSON says', () => {
  const { pick, next, below } = chance(7)
  const words = ['', ' word', 'n', '"', '\\', '\n', '"n":5', '"delta":"', '{', '}', '[', 'ä', '\u{1F600}', '\uD83D', '\uDE00', 'a'.repeat(40), '\u0007', '","n":3,"x":"']
  const plain = ['', 'x', ' word', 'ä', '{', 'a'.repeat(40), '\n', '"quoted"', 'a\\b']
  const types = { 'text-delta': 'delta', 'tool-input-delta': 'delta', 'tool-output': 'data' }
  // As JSON.stringify writes it, over several lines, and as other languages do.
  const forms = [fields => JSON.stringify(fields), fields => JSON.stringify(fields, null, 1), fields => `{${Object.entries(fields).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')}}`]
  let quick = 0
  for (let round = 0; round < 4000; round++) {
    const type = pick(Object.keys(types))
    const said = types[type]
    const fields = [['type', type], ['turnId', pick(['a', 'a', 'a', 'n', 'delta', 'b"'])], [said, pick(plain)]]
    if (next() < 0.8) fields.push(['n', pick([0, 7, 12, 999999999999999, 10, 55, -1, 1.5, 1e21, '3'])])
    if (next() < 0.2) fields.push([pick(['messageId', 'extra', said === 'data' ? 'delta' : 'data']), pick(['m', 'delta', { delta: 'x' }, [1], null])])
    fields.sort(() => next() - 0.5)
    const form = round % 50 === 0 ? forms[1] : pick([forms[0], forms[2]])
    const frame = (delta, n) => {
      const text = form(Object.fromEntries(fields.map(([key, value]) => [key, key === said ? delta : key === 'n' && n !== undefined ? n : value])))
      return round % 9 === 0 ? `${text}\n` : text
    }
    const route = createHotRoute()
    route.learnFrame(frame(fields.find(([key]) => key === said)[1]))
    const other = frame(next() < 0.5 ? pick(plain) + pick(plain) : pick(words) + pick(words), next() < 0.5 ? undefined : pick([1, 20, 300]))
    const broken = next() < 0.3 ? other.slice(0, below(other.length)) + pick(['', 'x', '"', '0', '}']) + other.slice(below(other.length)) : other
    const read = route.ofFrame(broken)
    if (read === undefined) continue
    quick += 1
    const event = JSON.parse(broken)
    assert.equal(read.text, event[said], broken)
    assert.equal(read.n, event.n ?? -1, broken)
    const first = JSON.parse(frame('x'))
    for (const key of Object.keys(first)) if (key !== said && key !== 'n') assert.deepEqual(event[key], first[key], broken)
    assert.equal(Object.keys(event).length, Object.keys(first).length)
  }
  assert.ok(quick > 500, `only ${quick} frames went the quick way`)
})

test('a field that stands twice is never read the quick way', () => {
  for (const frame of ['{"type":"text-delta","delta":"a","delta":"b"}', '{"type":"text-delta","delta":"a","delta" :"b"}', '{"type":"text-delta","n":1,"delta":"a","n" : 2}', '{"type":"text-delta","n":1,"delta":"a","x":{"n":2}}', '{"type":"text-delta","type":"tool-output","delta":"a"}', '{"type":"ping","delta":"a"}']) {
    const route = createHotRoute()
    route.learnFrame(frame)
    assert.equal(route.ofFrame(frame), undefined, frame)
  }
})

test('an object goes the quick way with the same address only', () => {
  const route = createHotRoute()
  const event = { type: 'text-delta', turnId: 'a', messageId: 'm', delta: 'x', n: 1 }
  route.learnEvent(event)
  assert.deepEqual(route.ofEvent({ ...event, delta: 'y', n: 2 }), { text: 'y', n: 2, count: 1 })
  assert.deepEqual(route.ofEvent({ ...event, n: undefined }), { text: 'x', n: -1, count: 1 })
  for (const change of [{ turnId: 'b' }, { type: 'reasoning-delta' }, { messageId: undefined }, { threadId: 'x' }, { tabId: 'x' }, { executionId: 'e' }, { partId: 'p' }, { callId: 'c' }, { stream: 'stderr' }, { delta: 5 }, { delta: '\uD83D' }, { n: -1 }, { n: 1.5 }, { n: '2' }, { n: null }, { n: 2 ** 53 }, { toJSON: () => 1 }]) {
    assert.equal(route.ofEvent({ ...event, ...change }), undefined, JSON.stringify(change))
  }
  event.turnId = 'b'
  assert.equal(route.ofEvent(event), undefined, 'the route is a copy')
  const output = { type: 'tool-output', callId: 'c', data: 'x', delta: 'y' }
  route.learnEvent(output)
  assert.deepEqual(route.ofEvent(output), { text: 'x', n: -1, count: 1 })
  route.forget()
  assert.equal(route.ofEvent({ ...event, turnId: 'a' }), undefined)
})

test('deltas say the same one by one, in frames, as objects, and however often they are read', () => {
  let joined = 0
  for (let seed = 1; seed <= 60; seed++) {
    const { pick, next, below } = chance(seed)
    const numbered = next() < 0.7
    const maybe = (field, values) => (next() < 0.3 ? { [field]: pick(values) } : {})
    const words = next() < 0.5 ? ['', ' word', ' ä'] : ['', ' word', ' ä', '\n', ' "x"', '\u{1F600}', '\uD83D', '\uDE00']
    const events = [{ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'go' } }]
    let address = { type: 'text-delta', turnId: 'a' }
    while (events.length < 60) {
      if (next() < 0.04) address = { type: pick(['text-delta', 'reasoning-delta', 'tool-input-delta', 'tool-output']), turnId: pick(['a', 'a', 'b']), ...maybe('partId', ['p', 'q']), ...maybe('messageId', ['k', 'l']), ...maybe('executionId', ['e']), ...maybe('stream', ['stdout', 'stderr']) }
      if (address.type.startsWith('tool')) address = { callId: pick(['c', 'c', 'd']), ...address }
      if (next() < 0.02) events.push(pick([{ type: 'turn-end', turnId: 'a', outcome: 'done' }, { type: 'reasoning-end', turnId: 'a' }, { type: 'ping' }, { type: 'notice', message: 'hm' }, { type: 'turn-sealed', turnId: 'a' }, { type: 'what' }, { type: 'text-delta' }, { type: 'tool-input-start', callId: 'c', name: 'look', turnId: 'a' }, { type: 'tool-call', turnId: 'a', toolCall: { id: pick(['c', 'd']), name: 'look', arguments: {} } }, { type: 'tool-result', turnId: 'a', toolResult: { toolCallId: 'c', result: 1 } }]))
      else events.push({ ...address, [address.type === 'tool-output' ? 'data' : 'delta']: pick(words) })
    }
    let n = 0
    const sent = events.map(event => (numbered && event.type !== 'ping' ? { ...event, n: ++n } : event))
    // Some are lost, some come twice, some too early.
    for (let change = 0; change < 3; change++) {
      const at = 1 + below(sent.length - 2)
      pick([() => sent.splice(at, 1), () => sent.splice(at, 0, sent[at - 1]), () => sent.splice(at, 0, ...sent.splice(at + 1, 1))])()
    }
    const stores = Array.from({ length: 4 }, () => createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' }))
    const [plain, framed, objects, lazy] = stores
    for (let from = 0; from < sent.length; ) {
      const batch = sent.slice(from, from + 1 + below(6))
      from += batch.length
      const frame = batch.map(event => JSON.stringify(event)).join('\n')
      // Bytes never go the quick way.
      for (const event of batch) plain.handleMessage(new TextEncoder().encode(JSON.stringify(event)))
      framed.handleMessage(pick([frame, `${frame}\n`]))
      for (const event of batch) objects.handleEvent(event)
      lazy.handleMessage(frame)
      const effects = plain.takeEffects()
      for (const store of [framed, objects]) {
        assert.deepEqual(store.renderGroups(), plain.renderGroups(), `seed ${seed}: ${frame}`)
        assert.deepEqual(store.takeEffects(), effects, `seed ${seed}: ${frame}`)
      }
      if (next() < 0.2) {
        const again = createStoreWith(makeCore, { schedule: 'sync' }, { recording: pick([framed, objects]).record() })
        assert.deepEqual(again.renderGroups(), plain.renderGroups(), `seed ${seed}: the recording`)
      }
    }
    for (const store of stores) assert.deepEqual(store.thread().getSnapshot().groups, plain.renderGroups(), `seed ${seed}`)
    for (const key of plain.thread().keys()) for (const store of stores) assert.equal(store.explain('main', key)?.owner, plain.explain('main', key)?.owner)
    joined += framed.record().inputs.filter(([kind, , , count]) => kind === 'g' && count > 1).length
  }
  assert.ok(joined > 50, `only ${joined} inputs were several deltas`)
})

test('a message that goes on while another one streams grows where it stands', () => {
  for (const feed of [(store, event) => store.handleEvent(event), (store, event) => store.handleMessage(JSON.stringify(event))]) {
    const store = createStoreWith(makeCore, { schedule: 'sync' })
    store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'go' } })
    for (const [messageId, delta] of [['k', 'one'], ['l', 'two'], ['k', ' and'], ['k', ' so'], ['k', ' on']]) {
      feed(store, { type: 'text-delta', turnId: 'a', messageId, delta })
      store.renderGroups()
    }
    assert.deepEqual(store.renderGroups().at(-1).parts.map(part => part.text), ['one and so on', 'two'])
  }
})
