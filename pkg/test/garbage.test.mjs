// Events without sense, in any order, with ids that are used again and again: whatever they say, keys are unique (L6), and
// the view that was patched step by step is the one that is drawn at once from the recording (L14).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chance, createStoreWith, makeCore } from './lib.mjs'

const SEEDS = Number(process.env.SEEDS ?? 150)
const FROM = Number(process.env.SEED ?? 1)
const STEPS = 45

/** Events of all kinds over a handful of ids. */
function events({ next, below, pick }) {
  const turnId = () => pick(['t1', 't2', 't3', 't4'])
  const message = () => pick(['m1', 'm2', 'm3', 'm4', 'm5'])
  // A call belongs to one turn; whether an event of it says so is another matter.
  const call = turn => `${pick(['c1', 'c2'])}-${turn}`
  const ofCall = (odds, make) => {
    const turn = turnId()
    return { ...make(call(turn)), ...maybe(() => ({ turnId: turn }), odds) }
  }
  const client = () => pick(['k1', 'k2', 'k3'])
  const maybe = (fields, odds = 0.5) => (next() < odds ? fields() : {})
  const inTurn = odds => maybe(() => ({ turnId: turnId() }), odds)
  const bodies = [
    () => ({ role: 'user', type: 'text', data: { text: pick(['hi', 'yo']) } }),
    turn => ({ role: 'tool', type: 'tool_result', data: { callId: call(turn), result: pick(['r', { a: 1 }]) } }),
    () => ({ role: 'assistant', type: 'text', data: { text: pick(['A', 'B', 'AB']) } }),
    () => ({ role: 'assistant', type: 'reasoning', data: { text: 'R' } }),
    turn => ({ role: 'assistant', type: 'tool_call', data: { callId: call(turn), name: 'f', arguments: {} } }),
    () => ({ role: 'assistant', type: 'error', data: { message: 'E' } }),
  ]
  const chunk = (seq, turn = turnId()) => ({ seq, turnId: turn, ...maybe(() => ({ messageId: message() })), ...maybe(() => ({ clientIds: [client()] }), 0.2), ...maybe(() => ({ executionId: pick(['e1', 'e2']) }), 0.2), ...maybe(() => ({ step: below(3) }), 0.3), ...pick(bodies)(turn) })
  const chunks = most => [...new Set(Array.from({ length: 1 + below(most) }, () => 1 + below(14)))].sort((a, b) => a - b).map(seq => chunk(seq))
  const row = turn => ({ role: pick(['user', 'assistant']), ...maybe(() => ({ messageId: message() })), ...maybe(() => ({ clientIds: [client()] }), 0.2), parts: pick([[{ type: 'text', text: 'A' }], [{ type: 'text', text: 'A' }, { type: 'tool', callId: call(turn), name: 'f', state: 'running' }], [{ type: 'reasoning', text: 'R' }]]) })
  const items = ids => [...new Set(ids)].map(messageId => ({ messageId, message: 'q' }))
  const kinds = [
    [4, () => ({ type: 'turn-start', turnId: turnId(), ...maybe(() => ({ user: { ...maybe(() => ({ messageId: message() })), ...maybe(() => ({ clientIds: [client()] }), 0.3), text: 'hi' } }), 0.7) })],
    [10, () => ({ type: pick(['text-delta', 'text-delta', 'reasoning-delta']), delta: pick(['a', 'b\n', '\u{1F600}', '']), ...inTurn(0.8), ...maybe(() => ({ messageId: message() }), 0.3), ...maybe(() => ({ executionId: pick(['e1', 'e2']) }), 0.2), ...maybe(() => ({ partId: pick(['p', 'q']) }), 0.1) })],
    [1, () => ({ type: 'reasoning-end', ...inTurn() })],
    [2, () => ofCall(0.5, callId => ({ type: 'tool-input-start', callId, name: 'f' }))],
    [3, () => ofCall(0.5, callId => ({ type: 'tool-input-delta', callId, delta: '{' }))],
    [3, () => ofCall(0.7, id => ({ type: 'tool-call', toolCall: { id, name: 'f', arguments: { x: 1 } } }))],
    [2, () => ofCall(0.5, callId => ({ type: 'tool-output', data: 'o', ...maybe(() => ({ callId })) }))],
    [2, () => ofCall(0.5, toolCallId => ({ type: 'tool-result', toolResult: { toolCallId, result: 'r' } }))],
    [1, () => ofCall(0.5, callId => ({ type: 'approval-request', callId }))],
    [1, () => ofCall(0.5, callId => ({ type: 'approval-resolved', callId, decision: pick(['approved', 'denied', 'expired', 'cancelled']) }))],
    [1, () => ({ type: 'part', part: { type: 'data', ...maybe(() => ({ id: 'd1' })), data: below(3) }, ...inTurn() })],
    [3, () => ({ type: 'message-queued', messageId: message(), message: 'q', ...maybe(() => ({ clientId: client() })), ...maybe(() => ({ intent: 'steer' }), 0.3) })],
    [2, () => ({ type: 'message-consumed', messageIds: [message(), ...(next() < 0.3 ? [message()] : [])], ...maybe(() => ({ reason: 'continuation' })), ...inTurn() })],
    [1, () => ({ type: 'message-cancelled', messageId: message() })],
    [1, () => ({ type: 'message-edited', messageId: message(), message: 'edited' })],
    [1, () => ({ type: 'queue-snapshot', items: items([message(), message()]), held: next() < 0.3, version: below(10) })],
    [3, () => ({ type: 'turn-end', turnId: turnId(), outcome: pick(['done', 'aborted', 'error']), ...maybe(() => ({ error: 'bad' }), 0.3) })],
    [1, () => ({ type: 'status', status: pick(['idle', 'running', 'error']) })],
    [3, () => ({ type: 'turn-sealed', turnId: turnId(), ...maybe(() => ({ firstSeq: 1 + below(8), lastSeq: 8 + below(6) })), ...maybe(() => ({ prevSeq: below(8) }), 0.3), ...maybe(() => ({ chunks: chunks(4) }), 0.4) })],
    [1, () => ({ type: 'notice', message: 'N' })],
    [1, () => ({ type: 'error', message: 'X', ...inTurn() })],
    [2, () => ({ type: 'snapshot', ...maybe(() => ({ lastSeq: below(14) })), turns: [...new Set([turnId(), turnId()])].slice(0, 1 + below(2)).map(id => ({ turnId: id, phase: pick(['pending', 'streaming', 'awaiting-tool', 'ended']), ...maybe(() => ({ sealed: true }), 0.2), rows: Array.from({ length: below(3) }, () => row(id)) })), ...maybe(() => ({ queue: items([message()]) })), ...maybe(() => ({ held: false }), 0.3) })],
    [4, () => ({ type: 'chunks-loaded', chunks: chunks(7), ...maybe(() => ({ oldestSeq: 1 }), 0.3), ...maybe(() => ({ total: 14 }), 0.3) })],
    [1, () => ({ type: 'chunks-updated', chunks: chunks(2) })],
    [0.5, () => ({ type: 'log-truncated', fromSeq: 1 + below(14) })],
    [0.3, () => ({ type: 'log-reset', epoch: pick(['x', 'y']) })],
  ]
  const all = kinds.flatMap(([weight, make]) => Array.from({ length: weight * 10 }, () => make))
  return () => pick(all)()
}

/** What a user does. */
function acts({ next, pick }) {
  const message = () => pick(['m1', 'm2', 'm3'])
  return [
    thread => thread.send('s', { clientId: pick(['k1', 'k2', 'k3']) }),
    thread => thread.stop(),
    thread => thread.cancelQueued(message()),
    thread => thread.editQueued(message(), 'e'),
    thread => thread.moveQueued(message(), 0),
    thread => thread.approve(pick(['c1-t1', 'c2-t2'])),
    thread => thread.retry(pick(['k1', 'k2'])),
    thread => thread.keys().length > 0 && thread.dismiss(pick(thread.keys())),
    thread => thread.setScrolledUp(next() < 0.5),
  ]
}

test(`${SEEDS} threads of events without sense`, () => {
  for (let seed = FROM; seed < FROM + SEEDS; seed++) {
    const dice = chance(seed)
    const { next, pick } = dice
    const [event, user] = [events(dice), acts(dice)]
    const options = { schedule: 'sync', transport: 'manual', ...(next() < 0.5 ? { limits: { window: 6, page: 4 } } : {}) }
    const store = createStoreWith(makeCore, options)
    const thread = store.thread()
    const said = []
    for (let step = 0; step < STEPS; step++) {
      if (next() < 0.15) pick(user)(thread)
      else {
        const told = event()
        said.push(JSON.stringify(told))
        if (next() < 0.5) store.handleMessage(said.at(-1))
        else store.handleEvent(told)
      }
      const keys = store.renderGroups().map(group => group.key)
      assert.equal(new Set(keys).size, keys.length, `seed ${seed}: ${keys}\n${said.join('\n')}`)
      if (step % 9 !== 8) continue
      const again = createStoreWith(makeCore, { schedule: 'sync' }, { recording: store.record() })
      assert.deepEqual(again.thread().getSnapshot(), thread.getSnapshot(), `seed ${seed}\n${said.join('\n')}`)
      again.free()
    }
    store.free()
  }
})
