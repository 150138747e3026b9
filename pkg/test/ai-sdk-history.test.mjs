import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toChunks, toPage, toUIMessages } from '../dist/ai-sdk.js'
import { parsePartial } from '../dist/ai-sdk/partial.js'
import { fed, newer, peerMessage, peers, plain, streams } from './ai-sdk-lib.mjs'
import { chance, createStoreWith, makeCore } from './lib.mjs'

const user = (id, text) => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const loaded = messages => {
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  store.handleEvent({ type: 'chunks-loaded', ...toPage(messages, { limit: 1000 }) })
  return store
}

for (const [name, chunks] of Object.entries({ ...streams, ...Object.fromEntries(Object.entries(newer).map(([key, value]) => [`newer ${key}`, value])) })) {
  test(`the message of "${name}", stored by a server and loaded, is drawn as it was`, async () => {
    const message = await peerMessage(peers[7], chunks)
    const [, loadedMessage] = toUIMessages(loaded([user('u', 'q'), { ...message, id: 'X' }]).renderGroups())
    const { id: _, ...rest } = plain(loadedMessage)
    const { id: __, ...expected } = message
    assert.deepEqual(rest, expected)
  })
  test(`the live form of "${name}" is the loaded one`, async () => {
    const live = fed()
    live.say(chunks, { turnId: 'X' })
    const [message] = live.messages().map(plain)
    const [again] = toUIMessages(loaded([{ ...message, id: 'X' }]).renderGroups()).map(plain)
    assert.deepEqual(again.parts, message.parts)
  })
}

test('a question and its answer are one turn; a new message changes no row before it', () => {
  const messages = [{ id: 's', role: 'system', parts: [{ type: 'text', text: 'be kind' }] }, user('u1', 'a'), { id: 'm1', role: 'assistant', parts: [{ type: 'text', text: 'A' }] }, user('u2', 'b')]
  const chunks = toChunks(messages)
  assert.deepEqual(chunks.map(({ turnId, role }) => [turnId, role]), [['s', 'system'], ['m1', 'user'], ['m1', 'assistant'], ['u2', 'user']])
  assert.deepEqual(toChunks([...messages, { id: 'm2', role: 'assistant', parts: [] }]).slice(0, 3), chunks.slice(0, 3))
  assert.deepEqual(toUIMessages(loaded(messages).renderGroups()).map(message => message.role), ['system', 'user', 'assistant', 'user'])
})

test('pages connect from the newest to the oldest', () => {
  const messages = Array.from({ length: 25 }, (_, index) => user(`u${index}`, `${index}`))
  const seen = []
  for (let before; ; ) {
    const page = toPage(messages, { limit: 7, ...(before === undefined ? {} : { before }) })
    seen.unshift(...page.chunks.map(chunk => chunk.data.text))
    assert.equal(page.total, 25)
    if (page.prevSeq === undefined) break
    before = page.chunks[0].seq
    assert.ok(page.prevSeq < before)
  }
  assert.deepEqual(seen, messages.map((_, index) => `${index}`))
  assert.deepEqual(toPage(messages, { limit: 2, after: toChunks(messages)[3].seq }).chunks.map(chunk => chunk.data.text), ['4', '5'])
  assert.deepEqual(toPage([], { limit: 2 }), { chunks: [], total: 0 })
})

test('half of an input says what it says so far, as the peer reads it', async () => {
  const { parsePartialJson } = peers[7]
  const texts = ['{"a":1,"b":[1,2,{"c":"x\\ny"}],"d":null,"e":true,"f":-1.5e3,"g":"\\u00e4\\ud83d\\ude00"}', '[{"a":"b"},[],{}," "]', '"text \\"quoted\\" \\\\"', '{ "a" : { "b" : [ 1 , 2 ] } }', 'true', '12']
  for (const text of texts) {
    assert.deepEqual(parsePartial(text), JSON.parse(text))
    for (let end = 1; end < text.length; end++) {
      const part = text.slice(0, end)
      const { value } = await parsePartialJson(part)
      const own = parsePartial(part)
      // Where the peer gives nothing yet, more may be known; half a word or number is left out here, guessed there.
      if (value !== undefined && !/(?:[\d.eE+-]|\btr?u?|\bfa?l?s?|\bnu?l?|\\u[0-9a-fA-F]{0,3}|[\ud800-\udbff]|\\u[dD]83[dD])$/.test(part)) assert.deepEqual(own, value, part)
      JSON.stringify(own)
    }
  }
})

test('nothing that a model may write breaks the reading of half an input', () => {
  const dice = chance(7)
  for (let round = 0; round < 3000; round++) parsePartial(Array.from({ length: dice.below(12) }, () => dice.pick(['{', '}', '[', ']', '"', ',', ':', '\\', 'a', '1', ' ', 'true', '-', '\\u12', '__proto__'])).join(''))
  const own = parsePartial('{"__proto__":{"x":1},"a":')
  assert.equal(Object.getPrototypeOf(own), Object.prototype)
  assert.equal(own.x, undefined)
  assert.equal(parsePartial('['.repeat(100_000)) !== null, true)
})
