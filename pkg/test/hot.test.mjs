import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHotRoute } from '../dist/hot.js'
import { chance } from './lib.mjs'

test('a frame that is read without JSON says what JSON says', () => {
  const { pick, next, below } = chance(7)
  const words = ['', ' word', 'n', '"', '\\', '\n', '"n":5', '"delta":"', '{', '}', '[', 'ä', '\u{1F600}', '\uD83D', '\uDE00', 'a'.repeat(40), '\u0007', '","n":3,"x":"']
  const plain = ['', 'x', ' word', 'ä', '{', 'a'.repeat(40)]
  let quick = 0
  for (let round = 0; round < 4000; round++) {
    const fields = [['type', 'text-delta'], ['turnId', pick(['a', 'a', 'a', 'n', 'delta', 'b"'])], ['delta', pick(plain)]]
    if (next() < 0.8) fields.push(['n', pick([0, 7, 12, 999999999999999, 10, 55, -1, 1.5, 1e21, '3'])])
    if (next() < 0.2) fields.push([pick(['messageId', 'extra']), pick(['m', 'delta', { delta: 'x' }, [1], null])])
    fields.sort(() => next() - 0.5)
    const frame = (delta, n) => {
      const text = JSON.stringify(Object.fromEntries(fields.map(([key, value]) => [key, key === 'delta' ? delta : key === 'n' && n !== undefined ? n : value])), null, round % 50 === 0 ? 1 : 0)
      return round % 9 === 0 ? `${text}\n` : text
    }
    const route = createHotRoute()
    route.learnFrame(frame(fields.find(([key]) => key === 'delta')[1]))
    const other = frame(next() < 0.5 ? pick(plain) + pick(plain) : pick(words) + pick(words), next() < 0.5 ? undefined : pick([1, 20, 300]))
    const broken = next() < 0.3 ? other.slice(0, below(other.length)) + pick(['', 'x', '"', '0', '}']) + other.slice(below(other.length)) : other
    const read = route.ofFrame(broken)
    if (read === undefined) continue
    quick += 1
    const said = JSON.parse(broken)
    assert.equal(read.text, said.delta, broken)
    assert.equal(read.n, said.n ?? -1, broken)
    const first = JSON.parse(frame('x'))
    for (const key of Object.keys(first)) if (key !== 'delta' && key !== 'n') assert.deepEqual(said[key], first[key], broken)
    assert.equal(Object.keys(said).length, Object.keys(first).length)
  }
  assert.ok(quick > 300, `only ${quick} frames went the quick way`)
})

test('a field that stands twice is never read the quick way', () => {
  for (const frame of ['{"type":"text-delta","delta":"a","delta":"b"}', '{"type":"text-delta","delta":"a","delta" :"b"}', '{"type":"text-delta","n":1,"delta":"a","n" : 2}', '{"type":"text-delta","n":1,"delta":"a","x":{"n":2}}']) {
    const route = createHotRoute()
    route.learnFrame(frame)
    assert.equal(route.ofFrame(frame), undefined, frame)
  }
})

test('an object goes the quick way with the same address only', () => {
  const route = createHotRoute()
  const event = { type: 'text-delta', turnId: 'a', messageId: 'm', delta: 'x', n: 1 }
  route.learnEvent(event)
  assert.deepEqual(route.ofEvent({ ...event, delta: 'y', n: 2 }), { text: 'y', n: 2 })
  assert.deepEqual(route.ofEvent({ ...event, n: undefined }), { text: 'x', n: -1 })
  for (const change of [{ turnId: 'b' }, { type: 'reasoning-delta' }, { messageId: undefined }, { threadId: 'x' }, { tabId: 'x' }, { executionId: 'e' }, { partId: 'p' }, { delta: 5 }, { delta: '\uD83D' }, { n: -1 }, { n: 1.5 }, { n: '2' }, { n: null }, { n: 2 ** 53 }, { toJSON: () => 1 }]) {
    assert.equal(route.ofEvent({ ...event, ...change }), undefined, JSON.stringify(change))
  }
  event.turnId = 'b'
  assert.equal(route.ofEvent(event), undefined, 'the route is a copy')
  route.forget()
  assert.equal(route.ofEvent({ ...event, turnId: 'a' }), undefined)
})
