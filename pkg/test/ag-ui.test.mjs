import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { REQUIRED } from '../dist/ag-ui/events.js'
import { Scripted, calls, data, fed, finished, heardBy, httpAgent, ofPeer, ofStore, says, started, user } from './ag-ui-lib.mjs'
import { drawn } from './lib.mjs'

const tested = new Set()
const note = events => {
  for (const { type } of events) tested.add(type)
  return events
}
test('a run of the real client over HTTP: what it holds is what the store shows', async () => {
  const run = note([started(), { type: 'REASONING_START', messageId: 'r' }, { type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' }, { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' }, { type: 'REASONING_MESSAGE_END', messageId: 'r' }, { type: 'REASONING_END', messageId: 'r' }, ...calls('c', 'add', '{"a":', '2}'), { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'c', content: '4' }, ...says('m1', 'It ', 'is 4.'), finished('r1', { usage: [{ inputTokens: 3 }], result: { ok: true } })])
  const { agent } = httpAgent([run])
  const { store, said, thread } = heardBy(agent)
  agent.addMessage(user('u1', '2+2?'))
  await agent.runAgent({ runId: 'r1' })
  const groups = thread().renderGroups()
  assert.deepEqual(ofStore(groups), ofPeer(agent.messages))
  assert.deepEqual(groups.map(group => [group.role, group.turnId, group.clientId]), [['user', 'r1', 'u1'], ['assistant', 'r1', undefined]])
  assert.equal(groups[1].parts[0].sealed, true)
  assert.equal(thread().getSnapshot().status, 'idle')
  assert.deepEqual(thread().getSnapshot().meta.usage.usage, [{ inputTokens: 3 }])
  assert.deepEqual(data(groups, 'result'), [{ ok: true }])
  assert.deepEqual(said, [])
  store.free()
})

test('several runs of the real client: each question and answer once, in order', async () => {
  const agent = new Scripted({ threadId: 't' })
  const { thread, said } = heardBy(agent)
  for (const number of [1, 2, 3]) {
    agent.runs = [[started(`r${number}`), ...says(`m${number}`, 'answer ', `${number}`), finished(`r${number}`)]]
    agent.addMessage(user(`u${number}`, `question ${number}`))
    await agent.runAgent({ runId: `r${number}` })
  }
  assert.deepEqual(drawn(thread().renderGroups()), [1, 2, 3].flatMap(number => [`user live question ${number}`, `assistant live answer ${number}`]))
  assert.deepEqual(ofStore(thread().renderGroups()), ofPeer(agent.messages))
  assert.deepEqual(said, [])
})

test('a run that fails, and one that is aborted, end their turns', async () => {
  const agent = new Scripted({ threadId: 't' })
  const { thread } = heardBy(agent)
  agent.runs = [[started('r1'), ...says('m1', 'half'), { type: 'RUN_ERROR', message: 'overloaded', code: '529' }]]
  note(agent.runs[0])
  await agent.runAgent({ runId: 'r1' }).catch(() => {})
  assert.equal(thread().getSnapshot().status, 'error')
  assert.deepEqual(thread().renderGroups().at(-1).parts.map(part => [part.type, part.text, part.code]), [['text', 'half', undefined], ['error', 'overloaded', '529']])
  agent.runs = [[started('r2'), ...says('m2', 'x').slice(0, 2)]]
  await agent.runAgent({ runId: 'r2' })
  assert.equal(thread().getSnapshot().status, 'idle')
  agent.runs = [[started('r3'), { type: 'TEXT_MESSAGE_CONTENT', messageId: 'never', delta: 'y' }]]
  await agent.runAgent({ runId: 'r3' }).catch(() => {})
  assert.equal(thread().getSnapshot().status, 'error', 'what the peer refuses fails the run')
})

test('an interrupt keeps the turn open as an approval; the run that resumes it goes on in it', async () => {
  const agent = new Scripted({ threadId: 't' })
  const { thread, said } = heardBy(agent)
  agent.addMessage(user('u1', 'delete it'))
  const interrupt = { id: 'i1', reason: 'tool_call', message: 'Really?', toolCallId: 'c' }
  agent.runs = [[started('r1'), ...calls('c', 'delete', '{"f":1}'), finished('r1', { outcome: { type: 'interrupt', interrupts: [interrupt] } })]]
  await agent.runAgent({ runId: 'r1' })
  const { approvals, status } = thread().getSnapshot()
  assert.deepEqual([status, approvals.map(one => [one.callId, one.prompt, one.options])], ['awaiting-approval', [['c', 'Really?', interrupt]]])
  agent.runs = [[started('r2'), ...calls('c', 'delete', '{"f":1}'), { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'c', content: 'gone' }, ...says('m', 'Done.'), finished('r2')]]
  await agent.runAgent({ runId: 'r2', resume: [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }] })
  assert.deepEqual(drawn(thread().renderGroups()), ['user live delete it', 'assistant live delete:done|Done.'])
  assert.equal(thread().getSnapshot().status, 'idle')
  assert.deepEqual(said, [])
})

test('a no, and an interrupt without a call', () => {
  const no = fed()
  no.say([started('r1'), ...calls('c', 'delete', '{}'), finished('r1', { outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'x', toolCallId: 'c' }] } })])
  no.say([started('r2')], { messages: [], resume: [{ interruptId: 'i', status: 'resolved', payload: { approved: false } }] })
  assert.equal(no.groups()[0].parts[0].state, 'denied')
  const asks = fed()
  asks.say([started('r1'), finished('r1', { outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'input', message: 'Your name?' }] } })])
  assert.deepEqual(data(asks.groups(), 'interrupt'), [{ id: 'i', reason: 'input', message: 'Your name?' }])
  assert.equal(asks.thread.getSnapshot().status, 'idle')
})

test('a tool of the client: the turn waits, and takes its result from the next run', async () => {
  const agent = new Scripted({ threadId: 't' })
  const { thread, said } = heardBy(agent)
  agent.addMessage(user('u1', 'where am I?'))
  agent.runs = [[started('r1'), ...calls('c', 'locate', ''), finished('r1')]]
  await agent.runAgent({ runId: 'r1' })
  assert.equal(thread().getSnapshot().status, 'awaiting-tool')
  agent.addMessage({ id: 'x', role: 'tool', toolCallId: 'c', content: 'Bern' })
  agent.runs = [[started('r2'), ...says('m', 'In Bern.'), finished('r2')]]
  await agent.runAgent({ runId: 'r2' })
  assert.deepEqual(ofStore(thread().renderGroups()), ofPeer(agent.messages))
  assert.equal(thread().renderGroups().length, 2)
  assert.deepEqual(said, [])
})

test('a new question ends a turn that waited', () => {
  const { say, groups, thread } = fed()
  say([started('r1'), ...calls('c', 'locate', '{}'), finished('r1', { outcome: { type: 'success', pendingToolCallIds: ['c'] } })], { messages: [user('u1', 'a')] })
  say([started('r2'), ...says('m', 'hello'), finished('r2')], { messages: [user('u1', 'a'), user('u2', 'b')] })
  assert.deepEqual(drawn(groups()), ['user live a', 'assistant live locate:interrupted', 'user live b', 'assistant live hello'])
  assert.equal(thread.getSnapshot().status, 'idle')
})

test('chunk events are what they stand for', async () => {
  const events = note([started(), { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r', delta: 'h' }, { type: 'REASONING_MESSAGE_CHUNK', delta: 'm' }, { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', delta: '{"a"' }, { type: 'TOOL_CALL_CHUNK', delta: ':1}' }, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Hel' }, { type: 'TEXT_MESSAGE_CHUNK', delta: 'lo' }, finished()])
  const agent = new Scripted({ threadId: 't' })
  agent.runs = [events]
  const real = heardBy(agent)
  await agent.runAgent({ runId: 'r1' })
  const own = fed()
  own.say(events)
  assert.deepEqual(ofStore(own.groups()), ofPeer(agent.messages))
  assert.deepEqual(ofStore(real.thread().renderGroups()), ofPeer(agent.messages))
  assert.deepEqual([own.said, real.said], [[], []])
})

test('shared state: a snapshot and patches, as the peer applies them', async () => {
  const events = note([started(), { type: 'STATE_SNAPSHOT', snapshot: { list: [1, 2], 'a/b': { '~': 1 } } }, { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/list/1', value: 9 }, { op: 'add', path: '/list/-', value: 3 }, { op: 'remove', path: '/list/0' }, { op: 'replace', path: '/a~1b/~0', value: 2 }, { op: 'copy', from: '/list/0', path: '/first' }, { op: 'move', from: '/list', path: '/moved' }, { op: 'test', path: '/first', value: 9 }] }, { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/nothing' }] }, finished()])
  const agent = new Scripted({ threadId: 't' })
  agent.runs = [events]
  const warn = console.warn
  console.warn = () => {}
  await agent.runAgent({ runId: 'r1' })
  console.warn = warn
  const { say, reader, groups, said } = fed()
  say(events)
  assert.deepEqual(reader.state(), agent.state)
  assert.deepEqual(data(groups(), 'state'), [agent.state])
  assert.deepEqual(said.map(({ code, type }) => [code, type]), [['ag-ui-ignored', 'STATE_DELTA']])
})

test('activities, steps, subagents, custom and encrypted values become parts that their next state replaces', () => {
  const { say, groups, said } = fed()
  say(note([
    started(),
    { type: 'STEP_STARTED', stepName: 'plan' },
    { type: 'STEP_FINISHED', stepName: 'plan' },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'PLAN', content: { done: [] } },
    { type: 'ACTIVITY_DELTA', messageId: 'a', activityType: 'PLAN', patch: [{ op: 'add', path: '/done/-', value: 'x' }] },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'PLAN', content: {}, replace: false },
    { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'researcher' },
    { type: 'TEXT_MESSAGE_START', messageId: 'sm', role: 'assistant', subagentRunId: 's' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'sm', delta: 'found', subagentRunId: 's' },
    { type: 'TEXT_MESSAGE_END', messageId: 'sm', subagentRunId: 's' },
    { type: 'SUBAGENT_FINISHED', subagentRunId: 's', result: 1 },
    { type: 'SUBAGENT_STARTED', subagentRunId: 's2', name: 'writer' },
    { type: 'SUBAGENT_ERROR', subagentRunId: 's2', message: 'no' },
    { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'sm', encryptedValue: 'zzz' },
    { type: 'RAW', event: { any: 1 }, source: 'x' },
    { type: 'CUSTOM', name: 'chart', value: { v: 1 } },
    finished(),
  ]))
  assert.deepEqual(said, [])
  assert.deepEqual(data(groups(), 'step'), [{ name: 'plan', state: 'done' }])
  assert.deepEqual(data(groups(), 'PLAN'), [{ done: ['x'] }])
  assert.deepEqual(data(groups(), 'subagent'), [{ state: 'done', subagentRunId: 's', result: 1 }, { state: 'error', subagentRunId: 's2', message: 'no' }])
  assert.deepEqual(data(groups(), 'encrypted'), [{ subtype: 'message', entityId: 'sm', encryptedValue: 'zzz' }])
  assert.deepEqual(data(groups(), 'chart'), [{ v: 1 }])
  assert.deepEqual(groups().filter(group => group.executionId === 's').map(group => group.parts[0].text), ['found'])
})

test('messages of a user and of the system that come in a stream are told whole', () => {
  const { say, groups } = fed()
  say([started(), ...says('m', 'one'), { type: 'TEXT_MESSAGE_START', messageId: 's', role: 'user' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 's', delta: 'be ' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 's', delta: 'brief' }, { type: 'TEXT_MESSAGE_END', messageId: 's' }, ...says('n', 'two'), { type: 'TEXT_MESSAGE_START', messageId: 'd', role: 'developer' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'd', delta: 'noted' }, { type: 'TEXT_MESSAGE_END', messageId: 'd' }, finished()])
  assert.deepEqual(drawn(groups()), ['assistant live one', 'user live be brief', 'assistant live two', 'system live noted'])
})

test('several runs at once, and late events of an ended one, touch only their own turn', () => {
  const { store, reader, groups, said } = fed()
  const [a, b] = [reader.open(), reader.open()]
  const tell = (stream, ...events) => events.forEach(event => store.handleEvents(stream.readUnknown(event)))
  tell(a, started('a'), says('ma', '')[0], { type: 'TEXT_MESSAGE_CONTENT', messageId: 'ma', delta: 'A' })
  tell(b, started('b'), says('mb', '')[0], { type: 'TEXT_MESSAGE_CONTENT', messageId: 'mb', delta: 'B' })
  tell(a, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'ma', delta: 'a' }, { type: 'TEXT_MESSAGE_END', messageId: 'ma' }, finished('a'))
  tell(b, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'mb', delta: 'b' }, { type: 'TEXT_MESSAGE_END', messageId: 'mb' }, finished('b'))
  tell(a, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'ma', delta: ' late' })
  assert.deepEqual(groups().filter(group => group.turnId === 'b').map(group => group.parts[0].text), ['Bb'])
  assert.ok(said.some(({ code }) => code === 'ag-ui-order'))
})

test('a run that is read again from its beginning is not told twice', () => {
  const events = [started(), ...says('m', 'Hel', 'lo ', 'you'), ...calls('c', 'f', '{"a"', ':1}'), { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'c', content: 'r' }, { type: 'CUSTOM', name: 'n', value: 1 }, finished()]
  const once = fed()
  once.say(events)
  for (let cut = 1; cut < events.length; cut++) {
    const { say, groups, said } = fed()
    say(events.slice(0, cut))
    say(events)
    say(events)
    assert.deepEqual(groups(), once.groups(), `cut at ${cut}`)
    assert.deepEqual(said, [])
  }
})

test('CUSTOM turnseal carries events of the store', () => {
  const { say, thread } = fed()
  say([started(), { type: 'CUSTOM', name: 'turnseal', value: [{ type: 'message-queued', messageId: 'q', message: 'next' }] }])
  assert.deepEqual(thread.getSnapshot().queue.map(item => item.text), ['next'])
})

test('bad and unknown events are told and ignored', () => {
  const { say, said, groups } = fed()
  say([started(), { type: 'THINKING_START' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm' }, { type: 'STATE_DELTA', delta: 5 }, { type: 'ACTIVITY_DELTA', messageId: 'nobody', activityType: 'P', patch: [] }, null, 'x', { type: 'toString' }, { type: 'TOOL_CALL_CHUNK', delta: 'x' }])
  assert.deepEqual(said.map(({ code, type }) => [code, type]), [['unknown-event', 'THINKING_START'], ['unknown-event', 'TEXT_MESSAGE_CONTENT'], ['unknown-event', 'STATE_DELTA'], ['ag-ui-ignored', 'ACTIVITY_DELTA'], ['unknown-event', undefined], ['unknown-event', undefined], ['unknown-event', 'toString'], ['ag-ui-order', 'TOOL_CALL_CHUNK']])
  assert.deepEqual(groups(), [])
})

test('lenient reads what is out of order as well as it can, strict refuses it to the end of the run', () => {
  const events = [started(), { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'without a start' }, ...says('n', 'after'), finished(), started('r2'), ...says('o', 'next'), finished('r2')]
  const lenient = fed()
  lenient.say(events)
  assert.deepEqual(drawn(lenient.groups()), ['assistant live without a start|after', 'assistant live next'])
  assert.deepEqual(lenient.said.map(({ code }) => code), ['ag-ui-order'])
  const strict = fed({ mode: 'strict' })
  strict.say(events.slice(0, 6))
  assert.equal(strict.thread.getSnapshot().status, 'error')
  strict.say(events.slice(6))
  assert.deepEqual(drawn(strict.groups()), ['assistant live next'])
})

const recordings = new URL('../../../shared/traces/ag-ui/', import.meta.url)
test('recorded runs of real models, through the real client', async context => {
  if (!existsSync(recordings)) return context.diagnostic('no recordings here')
  const read = name => JSON.parse(readFileSync(new URL(name, recordings), 'utf8').replace(/^\ufeff/, ''))
  let events = 0
  for (const name of readdirSync(recordings).filter(file => file.includes('Response.Server'))) {
    const run = read(name)
    const { agent } = httpAgent([run])
    const { thread, said } = heardBy(agent, { threadId: 't' })
    await agent.runAgent({ runId: run[0].runId })
    assert.deepEqual(ofStore(thread().renderGroups()), ofPeer(agent.messages), name)
    assert.deepEqual(said, [], name)
    events += run.length
  }
  context.diagnostic(`${events} recorded events`)
  assert.ok(events > 500)
})

tested.add('MESSAGES_SNAPSHOT') // in ag-ui-history.test.mjs
test('every event type has a test', () => {
  assert.deepEqual(Object.keys(REQUIRED).filter(type => !tested.has(type)), [])
})
