import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExpander } from '../dist/ag-ui/expand.js'
import { createOrder } from '../dist/ag-ui/order.js'
import { Scripted, heardBy, ofPeer, ofStore, peerVerified, user } from './ag-ui-lib.mjs'
import { chance } from './lib.mjs'

/** A random stream by the rules, with everything interleaved. */
function randomRun({ below, pick }, runId) {
  const events = []
  const open = []
  let count = 0
  for (let step = 0; step < 25; step++) {
    const kind = below(10)
    if (kind < 4 && open.length > 0) {
      const one = pick(open)
      events.push({ type: `${one.kind}_${one.kind === 'TOOL_CALL' ? 'ARGS' : 'CONTENT'}`, ...one.id, ...one.tag, delta: pick(['a', 'b ', '😀', '"', '1']) })
    } else if (kind < 6 && open.length > 0) {
      const [one] = open.splice(below(open.length), 1)
      events.push({ type: `${one.kind}_END`, ...one.id, ...one.tag })
    } else if (kind === 6) {
      const id = `k${runId}${count++}`
      events.push(...(below(2) ? [{ type: 'TEXT_MESSAGE_CHUNK', messageId: id, delta: 'x' }, { type: 'TEXT_MESSAGE_CHUNK', delta: 'y' }] : [{ type: 'TOOL_CALL_CHUNK', toolCallId: id, toolCallName: 'g', delta: '{' }, { type: 'TOOL_CALL_CHUNK', delta: '}' }]))
    } else {
      const id = `${runId}${count++}`
      const what = pick(['TEXT_MESSAGE', 'TOOL_CALL', 'REASONING_MESSAGE'])
      const one = { kind: what, id: what === 'TOOL_CALL' ? { toolCallId: id } : { messageId: id }, tag: {} }
      open.push(one)
      events.push({ type: `${what}_START`, ...one.id, ...(what === 'TOOL_CALL' ? { toolCallName: 'f' } : what === 'REASONING_MESSAGE' ? { role: 'reasoning' } : { role: 'assistant' }) })
    }
  }
  for (const one of open) events.push({ type: `${one.kind}_END`, ...one.id })
  for (const { toolCallId } of events.filter(({ type, toolCallId }) => toolCallId && /START|CHUNK/.test(type))) events.push({ type: 'TOOL_CALL_RESULT', messageId: `x${toolCallId}`, toolCallId, content: 'r' })
  return [{ type: 'RUN_STARTED', threadId: 't', runId }, ...events, { type: 'RUN_FINISHED', threadId: 't', runId }]
}

test('random runs: the real client and the store hold the same', async () => {
  for (let seed = 1; seed <= 120; seed++) {
    const dice = chance(seed)
    const agent = new Scripted({ threadId: 't' })
    const { thread, said } = heardBy(agent, { mode: 'strict' })
    agent.addMessage(user('u', 'q'))
    agent.runs = [randomRun(dice, 'r')]
    await agent.runAgent({ runId: 'r' })
    const [peer, own] = [ofPeer(agent.messages), ofStore(thread().renderGroups())]
    for (const name of ['users', 'texts', 'thoughts', 'calls']) assert.deepEqual([...own[name]].filter(one => one !== '').map(String).sort(), [...peer[name]].map(String).sort(), `seed ${seed}: ${name}`)
    assert.deepEqual(said, [], `seed ${seed}`)
  }
})

test('random disorder: strict refuses exactly what the real client refuses', async () => {
  let refused = 0
  for (let seed = 1; seed <= 400; seed++) {
    const dice = chance(seed)
    const tag = event => (seed % 2 === 0 && dice.below(60) === 0 && event.type !== 'RUN_STARTED' ? { ...event, subagentRunId: dice.pick(['s1', 's2']) } : event)
    const events = [...randomRun(dice, 'a'), ...randomRun(dice, 'b')].map(tag)
    const extra = () => dice.pick([{ type: 'STEP_STARTED', stepName: 'p' }, { type: 'STEP_FINISHED', stepName: 'p' }, { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'n' }, { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' }, { type: 'SUBAGENT_STARTED', subagentRunId: 's2', name: 'n', parentSubagentRunId: 's1' }, { type: 'SUBAGENT_ERROR', subagentRunId: 's2', message: 'm' }, { type: 'REASONING_START', messageId: 'z' }, { type: 'REASONING_END', messageId: 'z' }, { type: 'RUN_ERROR', message: 'x' }, { type: 'ACTIVITY_SNAPSHOT', messageId: 'v', activityType: 'P', content: {}, subagentRunId: 's1' }, { type: 'ACTIVITY_DELTA', messageId: 'v', activityType: 'P', patch: [], subagentRunId: 's2' }, { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'a0', role: 'assistant', content: '', subagentRunId: 's1' }] }])
    for (let times = dice.below(4); times > 0; times--) {
      const at = dice.below(events.length)
      const act = dice.below(4)
      if (act === 0) events.splice(at, 1)
      else if (act === 1) events.splice(at, 0, events[dice.below(events.length)])
      else if (act === 2) events.splice(at, 2, ...events.slice(at, at + 2).reverse())
      else events.splice(at, 0, extra())
    }
    const order = createOrder()
    const { expand } = createExpander()
    let passed = 0
    let isRefused = false
    for (const event of events) {
      const expanded = expand(event)
      if (typeof expanded === 'string') isRefused = true
      for (const one of typeof expanded === 'string' ? [] : expanded) {
        if (isRefused) break
        if (order.check(one) !== undefined) isRefused = true
        else passed += 1
      }
      if (isRefused) break
    }
    assert.equal(passed, await peerVerified(events), `seed ${seed}`)
    if (isRefused) refused += 1
  }
  assert.ok(refused > 100 && refused < 390, `${refused} of 400 were refused`)
})
