// The line to the Redux DevTools: inputs are actions, a jump is a replay, a recording goes out and comes in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectDevtools, defineInspector } from '../dist/devtools.js'
import { replay } from '../dist/node.js'
import { createStoreWith, drawn, makeCore, soon, textChunk } from './lib.mjs'

/** An extension on paper: what it was sent, and its buttons. */
function extension() {
  const it = { options: undefined, states: [], actions: [], press: undefined, ended: 0 }
  it.connect = options => {
    it.options = options
    return {
      init: state => { it.states = [state]; it.actions = [{ type: '@@INIT' }] },
      send: (action, state) => { it.actions.push(action); it.states.push(state) },
      subscribe: listener => { it.press = listener; return () => (it.press = undefined) },
      unsubscribe: () => (it.ended += 1),
    }
  }
  it.dispatch = payload => it.press({ type: 'DISPATCH', payload })
  it.types = () => it.actions.map(({ type }) => type)
  return it
}

const turn = [
  { type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } },
  { type: 'text-delta', turnId: 'a', delta: 'one' },
  { type: 'text-delta', turnId: 'a', delta: ' two' },
  { type: 'turn-end', turnId: 'a', outcome: 'done' },
]

function open(options = {}) {
  const live = createStoreWith(makeCore, { schedule: 'sync', transport: { loadChunks: () => ({ chunks: [textChunk(1, 'z', 'user', 'before')], oldestSeq: 1 }) }, ...options })
  const tool = extension()
  const devtools = connectDevtools(live, { replay, extension: tool, name: 'chat' })
  return { live, tool, devtools, store: devtools.store, thread: devtools.store.thread() }
}

test('each input is an action, with the state behind it', async () => {
  const { tool, store, thread } = open()
  await soon()
  thread.send('typed', { clientId: 'k' })
  await soon()
  for (const event of turn) store.handleEvent(event)
  assert.equal(tool.options.name, 'chat')
  assert.deepEqual(tool.types().slice(0, 2), ['@@INIT', 'start'])
  for (const type of ['do open', 'answer', 'do send', 'turn-start', 'text-delta', 'turn-end']) assert.ok(tool.types().includes(type), `${type} in ${tool.types()}`)
  assert.deepEqual(drawn(tool.states.at(-1).main.groups), drawn(thread.renderGroups()))
})

test('a jump shows what was, for every reader, and what comes meanwhile is not lost', async () => {
  const { tool, store, thread, devtools } = open()
  await soon()
  const heard = []
  thread.subscribe((now, before) => heard.push([before.groups.length, now.groups.length]))
  let all = 0
  store.subscribe(() => (all += 1))
  for (const event of turn) store.handleEvent(event)
  const key = thread.keys().at(-1)
  let group = 0
  thread.subscribeGroup(key, () => (group += 1))
  const now = drawn(thread.renderGroups())
  heard.length = all = 0
  tool.dispatch({ type: 'JUMP_TO_ACTION', actionId: tool.types().indexOf('turn-start') })
  assert.deepEqual(drawn(thread.renderGroups()), ['user sealed before', 'user live q'])
  assert.deepEqual([heard, all, group, thread.group(key)], [[[3, 2]], 1, 1, undefined])
  assert.equal(thread.getSnapshot(), thread.getState())
  assert.deepEqual([thread.keys().length, store.renderGroups().length], [2, 2])
  assert.equal(store.explain('main', thread.keys()[1]).owner, 'turn')
  store.handleEvent({ type: 'message-queued', messageId: 'x', message: 'later' })
  assert.equal(thread.renderGroups().length, 2, 'the past stays')
  const sent = tool.actions.length
  tool.dispatch({ type: 'JUMP_TO_STATE', actionId: sent - 1 })
  assert.deepEqual(drawn(thread.renderGroups()), [...now, 'user queued later'])
  assert.equal(tool.types().at(-1), 'message-queued', 'what came meanwhile is told')
  for (let count = 0; count <= devtools.length(); count++) devtools.travel(count)
  assert.deepEqual(drawn(thread.renderGroups()), [...now, 'user queued later'])
  devtools.travel(0)
  assert.deepEqual(thread.renderGroups(), [])
  tool.dispatch({ type: 'ROLLBACK' })
  assert.deepEqual(drawn(thread.renderGroups()), [...now, 'user queued later'])
})

test('a recording goes out and comes in, by file and by the extension', async () => {
  const first = open()
  await soon()
  for (const event of turn) first.store.handleEvent(event)
  const wanted = drawn(first.thread.renderGroups())
  const second = open()
  second.devtools.importRecording(first.devtools.exportRecording())
  assert.deepEqual(drawn(second.thread.renderGroups()), wanted)
  assert.equal(second.devtools.length(), first.devtools.length())
  second.store.handleEvent({ type: 'notice', message: 'live goes on' })
  assert.deepEqual(drawn(second.thread.renderGroups()), wanted)
  second.devtools.travel()
  assert.ok(drawn(second.thread.renderGroups()).includes('system live live goes on'))
  const third = open()
  const actionsById = Object.fromEntries(first.tool.actions.map((action, id) => [id, { action }]))
  third.tool.dispatch({ type: 'IMPORT_STATE', nextLiftedState: { actionsById, stagedActionIds: first.tool.actions.map((_, id) => id) } })
  assert.deepEqual(drawn(third.thread.renderGroups()), wanted)
  third.tool.dispatch({ type: 'COMMIT' })
  assert.notDeepEqual(drawn(third.thread.renderGroups()), wanted)
  for (const bad of ['', '{}', '{"v":1,"limits":"{}","inputs":[1]}']) assert.throws(() => third.devtools.importRecording(bad), { code: 'bad-argument' })
})

test('a long journal begins anew, a pause holds actions back, unknown messages do nothing', async () => {
  const { live, tool, store } = open()
  await soon()
  tool.dispatch({ type: 'PAUSE_RECORDING', status: true })
  const before = tool.actions.length
  for (const event of turn) store.handleEvent(event)
  assert.equal(tool.actions.length, before)
  tool.dispatch({ type: 'PAUSE_RECORDING', status: false })
  assert.ok(tool.actions.length > before)
  for (const message of [undefined, 1, {}, { type: 'DISPATCH' }, { type: 'DISPATCH', payload: { type: 'TOGGLE_ACTION', id: 1 } }, { type: 'ACTION', payload: '{}' }]) tool.press(message)
  for (let round = 0; round < 30; round++) store.handleEvent({ type: 'notice', message: 'x'.repeat(40_000) })
  assert.ok(live.record().base !== undefined)
  assert.ok(tool.actions[1].base !== undefined)
  tool.dispatch({ type: 'JUMP_TO_ACTION', actionId: 1 })
  assert.ok(store.renderGroups().flatMap(({ parts }) => parts).some(({ text }) => text.length === 40_000), 'the base has what came before it')
})

test('without an extension it travels too; the end leaves nothing behind', async () => {
  const live = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  const devtools = connectDevtools(live, { replay })
  devtools.store.handleEvents(turn)
  devtools.travel(0)
  assert.deepEqual(devtools.store.renderGroups(), [])
  devtools.store.free()
  assert.throws(() => live.renderGroups(), { code: 'freed' })
  const { tool, devtools: other, store } = open()
  other.disconnect()
  const count = tool.actions.length
  store.handleEvents(turn)
  assert.deepEqual([tool.actions.length, tool.press, tool.ended], [count, undefined, 1])
  defineInspector()
})
