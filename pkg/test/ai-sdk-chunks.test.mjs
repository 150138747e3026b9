import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REQUIRED } from '../dist/ai-sdk/chunks.js'
import { groupOf } from '../dist/ai-sdk.js'
import { fed, newer, peerMessage, peers, plain, streams } from './ai-sdk-lib.mjs'
import { chance, drawn } from './lib.mjs'

const clean = said => assert.deepEqual(said, [])

for (const [version, ai] of Object.entries(peers)) {
  const { denied, ...older } = streams
  const newest = Object.fromEntries(Object.entries(newer).map(([name, chunks]) => [`newer ${name}`, chunks]))
  // AI SDK 5 has no titles of tools.
  if (version === '5') older.tools = older.tools.map(({ title: _, ...chunk }) => chunk)
  const known = version === '5' ? older : version === '6' ? streams : { ...older, denied, ...newest }
  for (const [name, chunks] of Object.entries(known)) {
    test(`ai ${version}: the stream "${name}" gives the message that the peer's own client makes of it`, async () => {
      const { say, said, messages } = fed()
      say(chunks)
      const peer = await peerMessage(ai, chunks)
      const [message] = messages()
      assert.deepEqual(plain(message).parts, peer.parts)
      assert.deepEqual(plain(message).metadata, peer.metadata)
      clean(said)
    })
    test(`ai ${version}: each state on the way of "${name}" passes the peer's validator`, async () => {
      const { store, reader, messages } = fed()
      const one = reader.open()
      for (const chunk of chunks) {
        store.handleEvents(one.read(chunk))
        const full = messages().filter(message => message.parts.length > 0)
        if (full.length > 0) await ai.validateUIMessages({ messages: JSON.parse(JSON.stringify(full)) })
      }
    })
  }
  // AI SDK 5 has no approvals.
  if (version === '5') continue
  test(`ai ${version}: after an approval the next response goes on in the same message`, async () => {
    const first = [
      { type: 'start', messageId: 'X' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'rm', input: { path: '/' } },
      { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'ap' },
      { type: 'finish', finishReason: 'tool-calls' },
    ]
    const second = [
      { type: 'start', messageId: 'X' },
      { type: 'tool-output-available', toolCallId: 'c', output: 'done' },
      { type: 'start-step' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'It is gone.' },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop' },
    ]
    const { store, say, said, messages } = fed()
    say(first)
    assert.equal(store.thread().getSnapshot().status, 'awaiting-approval')
    const [open] = store.thread().getSnapshot().approvals
    assert.deepEqual([open.callId, open.options], ['c', { approvalId: 'ap' }])
    assert.deepEqual(plain(messages()[0]).parts, (await peerMessage(ai, first)).parts)
    store.handleEvent({ type: 'approval-resolved', callId: 'c', decision: 'approved', reason: 'fine' })
    assert.deepEqual(messages()[0].parts[0].approval, { id: 'ap', approved: true, reason: 'fine' })
    say(second)
    assert.equal(messages().length, 1)
    const [call, ...rest] = plain(messages()[0]).parts
    assert.deepEqual([call.state, call.output, rest.at(-1).text], ['output-available', 'done', 'It is gone.'])
    assert.equal(store.thread().getSnapshot().status, 'idle')
    clean(said)
  })
}

test('every chunk type is in one of the streams that are tested', () => {
  const tested = new Set([...Object.values(streams), ...Object.values(newer)].flat().map(chunk => chunk.type.replace(/^data-.*/, 'data-*')))
  const elsewhere = ['abort', 'error', 'steering-message']
  assert.deepEqual([...Object.keys(REQUIRED), 'data-*'].filter(type => !tested.has(type)).sort(), elsewhere)
})

test('a turn waits for a person, also where the provider runs the tool', () => {
  const { say, store, messages } = fed()
  say([
    { type: 'start', messageId: 'X' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'mcp', input: {}, providerExecuted: true },
    { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'ap' },
    { type: 'finish' },
  ])
  assert.equal(store.thread().getSnapshot().status, 'awaiting-approval')
  assert.equal(messages()[0].parts[0].state, 'approval-requested')
})

test('abort and error end the turn, and keep what was said', () => {
  const start = [{ type: 'start', messageId: 'X' }, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'half' }]
  const stopped = fed()
  stopped.say([...start, { type: 'abort', reason: 'user' }])
  assert.deepEqual(drawn(stopped.store.renderGroups()), ['assistant live half'])
  assert.equal(stopped.store.thread().getSnapshot().status, 'idle')
  assert.equal(stopped.messages()[0].parts[0].state, 'done')
  const broken = fed()
  broken.say([...start, { type: 'error', errorText: 'overloaded' }])
  assert.equal(broken.store.thread().getSnapshot().status, 'error')
  assert.deepEqual(broken.messages()[0].parts.at(-1), { type: 'data-error', data: { text: 'overloaded' } })
})

test('a steering message becomes a message of the user inside the turn, and leaves the queue', () => {
  const { store, say, said } = fed()
  store.handleEvent({ type: 'message-queued', messageId: 'k1', message: 'be brief', intent: 'steer' })
  say([
    { type: 'start', messageId: 'X' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'one' },
    { type: 'text-end', id: 't' },
    { type: 'steering-message', id: 'k1', parts: [{ type: 'text', text: 'be brief' }] },
    { type: 'steering-message', id: 'k2', parts: [{ type: 'text', text: 'see' }, { type: 'file', url: 'data:,z', mediaType: 'text/plain' }] },
    { type: 'text-start', id: 'u' },
    { type: 'text-delta', id: 'u', delta: 'two' },
    { type: 'finish' },
  ])
  assert.deepEqual(store.thread().getSnapshot().queue, [])
  assert.deepEqual(store.renderGroups().map(group => [group.role, group.messageId, group.parts[0].text]), [['assistant', undefined, 'one'], ['user', 'k1', 'be brief'], ['user', 'k2', 'see'], ['assistant', undefined, 'two']])
  clean(said)
})

test('data goes to onData, once each, also what is transient', () => {
  const { say, data } = fed()
  say(streams.parts, { turnId: 'T' })
  say(streams.parts, { turnId: 'T', resume: true })
  assert.deepEqual(data.map(({ type, data: value }) => [type, value]), [['data-w', { v: 1 }], ['data-w', { v: 2 }], ['data-w', { v: 3 }], ['data-t', 1]])
})

test('data-turnseal carries events of the store', () => {
  const { store, say, said } = fed({ threadId: 't' })
  store.handleEvent({ type: 'chunks-loaded', threadId: 't', chunks: [], total: 0 })
  say([
    { type: 'start', messageId: 'X' },
    { type: 'text-start', id: 'a' },
    { type: 'text-delta', id: 'a', delta: 'hello' },
    { type: 'finish' },
    { type: 'data-turnseal', transient: true, data: [{ type: 'message-queued', messageId: 'q', message: 'next' }, { type: 'turn-sealed', turnId: 'X', chunks: [{ seq: 1, turnId: 'X', role: 'assistant', type: 'text', data: { text: 'hello' } }] }] },
  ])
  assert.deepEqual(drawn(store.renderGroups('t')), ['assistant sealed hello', 'user queued next'])
  clean(said)
})

test('what is unknown or not whole is ignored with a diagnostic, never thrown', () => {
  const { say, said, messages } = fed()
  say([{ type: 'start', messageId: 'X' }, { type: 'of-a-later-version' }, { type: 'text-delta', id: 't' }, null, 5, { type: 'text-delta', id: 'late', delta: 'without a start' }, {}, { type: 'toString' }, { type: 'finish' }])
  assert.deepEqual(said.map(({ code, type }) => [code, type]), [['unknown-chunk', 'of-a-later-version'], ['unknown-chunk', 'text-delta'], ['unknown-chunk', undefined], ['unknown-chunk', undefined], ['unknown-chunk', undefined], ['unknown-chunk', 'toString']])
  assert.deepEqual(messages()[0].parts, [{ type: 'text', text: 'without a start', state: 'done' }])
})

test('a stream that closes without a finish ends its turn; one that broke does not', () => {
  const open = [{ type: 'start', messageId: 'X' }, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'x' }]
  for (const [reason, status] of [[undefined, 'idle'], ['aborted', 'idle'], [{ error: 'gone' }, 'error'], ['lost', 'streaming']]) {
    const { store, say } = fed()
    store.handleEvents(say(open).end(reason))
    assert.equal(store.thread().getSnapshot().status, status)
  }
})

/** A random stream that keeps the peer's rules. */
function randomStream({ below, pick }) {
  const chunks = [{ type: 'start', messageId: 'X' }]
  for (let step = 0; step <= below(3); step++) {
    chunks.push({ type: 'start-step' })
    for (let part = 0; part <= below(4); part++) {
      const id = pick(['0', '1', `m${part}`])
      const call = `c${step}.${part}`
      const words = Array.from({ length: below(4) + 1 }, () => pick(['a', 'b ', '😀', '\ud83d', '\ude00', 'längere Wörter']))
      const kind = pick(['text', 'reasoning', 'tool', 'data', 'source'])
      if (kind === 'text' || kind === 'reasoning') {
        const whole = words.join('').isWellFormed?.() === false ? ['plain'] : words
        chunks.push({ type: `${kind}-start`, id }, ...whole.map(delta => ({ type: `${kind}-delta`, id, delta })), { type: `${kind}-end`, id })
      } else if (kind === 'tool') {
        chunks.push({ type: 'tool-input-start', toolCallId: call, toolName: 'f' }, { type: 'tool-input-delta', toolCallId: call, inputTextDelta: '{"x"' }, { type: 'tool-input-delta', toolCallId: call, inputTextDelta: ':1}' })
        chunks.push({ type: 'tool-input-available', toolCallId: call, toolName: 'f', input: { x: 1 } })
        chunks.push(pick([{ type: 'tool-output-available', toolCallId: call, output: words }, { type: 'tool-output-error', toolCallId: call, errorText: 'no' }]))
      } else if (kind === 'data') chunks.push({ type: 'data-d', id, data: words })
      else chunks.push({ type: 'source-url', sourceId: id, url: `http://${id}/${step}${part}` })
    }
    chunks.push({ type: 'finish-step' })
  }
  return [...chunks, { type: 'finish', finishReason: 'stop' }]
}

test('random streams: as the peer draws them, and the same when they break anywhere and are read anew, twice at once', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const dice = chance(seed)
    const chunks = randomStream(dice)
    const whole = fed()
    whole.say(chunks)
    const expected = plain(whole.messages()[0])
    const peer = await peerMessage(peers[7], chunks)
    // Where the peer keeps two sources of one id apart, the store keeps the last: an id names one part.
    const sources = chunks.filter(({ type }) => type === 'source-url').map(({ sourceId }) => sourceId)
    if (new Set(sources).size === sources.length) assert.deepEqual(expected.parts, peer.parts, `seed ${seed}`)
    const { store, reader, say, said, messages } = fed()
    for (let tries = dice.below(3); tries >= 0; tries--) store.handleEvents(say(chunks.slice(0, dice.below(chunks.length)), { resume: true }).end('lost'))
    const [one, other] = [reader.open({ resume: true }), reader.open({ resume: true })]
    for (const chunk of chunks) for (const each of [one, other]) store.handleEvents(each.read(chunk))
    assert.deepEqual(messages().map(plain), [expected], `seed ${seed}`)
    assert.equal(groupOf(messages()[0]).turnId, 'X')
    assert.deepEqual(said, [], `seed ${seed}`)
  }
})
