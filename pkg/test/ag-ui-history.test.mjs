import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calls, fed, finished, says, started, user } from './ag-ui-lib.mjs'
import { drawn } from './lib.mjs'

test('a history seals the turns that stand whole in it, and no other; nothing is shown twice', () => {
  const { say, groups, said } = fed()
  const history = [user('u1', 'q1'), { id: 'm1', role: 'assistant', content: 'a1', toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }, { id: 'x', role: 'tool', toolCallId: 'c', content: 'r' }]
  say([started('r1'), ...says('m1', 'a1'), ...calls('c', 'f', '{}'), { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'c', content: 'r' }], { messages: [user('u1', 'q1')] })
  const keys = groups().map(group => group.key)
  const stream = say([{ type: 'MESSAGES_SNAPSHOT', messages: history }])
  assert.deepEqual(groups().map(group => group.state), ['sealed', 'live'], 'the run has not ended')
  say([started('r1'), finished('r1')], undefined, stream)
  assert.deepEqual(groups().map(group => group.state), ['sealed', 'sealed'])
  assert.deepEqual(groups().map(group => group.key), keys)
  say([started('r2'), ...says('m2', 'half'), { type: 'MESSAGES_SNAPSHOT', messages: [...history, user('u2', 'q2'), { id: 'm2', role: 'assistant', content: 'half' }] }, { type: 'TEXT_MESSAGE_START', messageId: 'm2' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: ' and more' }, { type: 'TEXT_MESSAGE_END', messageId: 'm2' }, finished('r2')], { messages: [user('u2', 'q2')] })
  assert.deepEqual(drawn(groups()).slice(-2), ['user sealed q2', 'assistant live half and more'], 'a history that is older than the end proves nothing')
  say([{ type: 'MESSAGES_SNAPSHOT', messages: [...history, user('u2', 'q2'), { id: 'm2', role: 'assistant', content: 'half and more' }] }])
  assert.deepEqual(drawn(groups()).slice(-2), ['user sealed q2', 'assistant sealed half and more'])
  assert.deepEqual(said.filter(({ code }) => code !== 'ag-ui-order'), [])
})

test('a history under other ids leaves what was streamed, once', () => {
  const { say, groups } = fed()
  say([started('r1'), ...says('m1', 'answer'), finished('r1'), ], { messages: [user('u1', 'q')] })
  say([{ type: 'MESSAGES_SNAPSHOT', messages: [user('u1', 'q'), { id: 'snapshot_r1_0', role: 'assistant', content: 'answer' }] }])
  assert.equal(drawn(groups()).filter(line => line.endsWith('answer')).length >= 1, true)
  assert.equal(groups().filter(group => group.role === 'user').length, 1)
})

test('a history that a server changed replaces the log', () => {
  const { say, groups } = fed()
  const messages = [user('u1', 'q1'), { id: 'm1', role: 'assistant', content: 'a1' }, user('u2', 'q2'), { id: 'm2', role: 'assistant', content: 'a2' }, { id: 's', role: 'system', content: 'hi' }, { id: 'th', role: 'reasoning', content: 'hm', encryptedValue: 'z' }, { id: 'act', role: 'activity', activityType: 'PLAN', content: { x: 1 } }]
  say([{ type: 'MESSAGES_SNAPSHOT', messages }])
  assert.deepEqual(groups().map(group => group.role), ['user', 'assistant', 'user', 'assistant', 'system', 'assistant'])
  say([{ type: 'MESSAGES_SNAPSHOT', messages: messages.slice(2, 4) }])
  assert.deepEqual(drawn(groups()), ['user sealed q2', 'assistant sealed a2'])
})
