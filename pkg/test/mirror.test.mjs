import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { mirror_createMirror as createMirror, share_share as share } from '../dist/kernel.js'
import { chance } from './lib.mjs'

const copy = value => JSON.parse(JSON.stringify(value))

/** A world of groups that changes at random, with the ops that tell of it. */
function world(seed) {
  const random = chance(seed)
  const { below, next, pick } = random
  let made = 0
  const part = () =>
    pick([
      () => ({ type: 'text', text: `t${below(5)}` }),
      () => ({ type: 'reasoning', text: 'r', sealed: next() < 0.5, metadata: { __proto__x: [1, { a: below(2) }] } }),
      () => ({ type: 'tool', callId: `c${below(9)}`, name: 'run', step: 0, state: 'running', arguments: JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') }),
    ])()
  const group = key => ({ key: key ?? `k${++made}`, role: 'user', state: pick(['live', 'sealed']), streaming: false, parts: Array.from({ length: below(3) }, part) })
  let groups = []
  const change = () => {
    const kind = below(6)
    const at = below(Math.max(groups.length, 1))
    const here = groups[at]
    if (kind <= 1 || here === undefined) {
      const from = below(groups.length + 1)
      const removed = groups.slice(from, from + below(3))
      // Some come back as they were, some changed, some never.
      const added = removed.flatMap(old => pick([[copy(old)], [{ ...group(old.key) }], []]))
      for (let more = below(3); more > 0; more--) added.push(group())
      groups = [...groups.slice(0, from), ...added, ...groups.slice(from + removed.length)]
      return [0, from, removed.length, copy(added)]
    }
    if (kind === 2) {
      const index = below(here.parts.length + 1)
      const value = part()
      here.parts[index] = value
      return [1, at, index, copy(value)]
    }
    if (kind === 3 && here.parts.length > 0) {
      const index = below(here.parts.length)
      const target = here.parts[index]
      const text = `+${below(10)}`
      if (target.type !== 'tool') {
        target.text += text
        return [2, at, index, 0, text]
      }
      const field = 1 + below(3)
      if (field === 1) target.argumentsText = (target.argumentsText ?? '') + text
      else {
        target.output ??= { stdout: '', stderr: '' }
        target.output[field === 2 ? 'stdout' : 'stderr'] += text
      }
      return [2, at, index, field, text]
    }
    const meta = { role: 'assistant', state: pick(['live', 'sealed']), streaming: next() < 0.5, ...(next() < 0.5 ? { turnId: 'a' } : {}) }
    groups[at] = { key: here.key, ...meta, parts: here.parts }
    return [3, at, copy(meta)]
  }
  return { random, change, groups: () => copy(groups) }
}

test('random patches give what they say; what is equal stays the same object', () => {
  for (let seed = 1; seed <= 80; seed++) {
    const { random, change, groups } = world(seed)
    const mirror = createMirror('t', seed % 2 === 0)
    for (let step = 0; step < 60; step++) {
      const before = mirror.groups()
      const text = JSON.stringify(before)
      const ops = Array.from({ length: 1 + random.below(4) }, change)
      mirror.apply({ ops })
      const after = mirror.groups()
      assert.deepEqual(after, groups())
      assert.equal(JSON.stringify(before), text, 'an old version changed')
      const old = new Map(before.map(group => [group.key, group]))
      for (const group of after) {
        const was = old.get(group.key)
        if (was === undefined) continue
        const isSame = isDeepStrictEqual(was, group)
        // Several ops may lead away and back; one may not.
        if (!isSame || ops.length === 1) assert.equal(was === group, isSame, `seed ${seed} step ${step} ${group.key}`)
        assert.equal(mirror.group(group.key), group)
      }
      assert.deepEqual(mirror.keys(), after.map(group => group.key))
      assert.equal(mirror.keys(), mirror.keys())
    }
    const known = new Set(mirror.keys())
    for (let key = 1; key < 300; key++) assert.equal(mirror.group(`k${key}`) !== undefined, known.has(`k${key}`))
  }
})

test('the snapshot and the head keep identity until they change', () => {
  const mirror = createMirror('t', true)
  const head = { status: 'idle', held: false, approvals: [], hasOlder: false, loadingOlder: false, connection: 'online', meta: { usage: { a: [1] } } }
  const waits = (messageId, ...texts) => ({ key: `q:${messageId}`, role: 'user', state: 'queued', messageId, streaming: false, intent: 'queue', parts: texts.map(text => ({ type: 'text', text })) })
  mirror.apply({ ops: [[0, 0, 0, [waits('1', 'a'), waits('2', 'b', 'c')], 0]], head: copy(head) })
  const first = mirror.snapshot()
  assert.equal(mirror.snapshot(), first)
  mirror.apply({ ops: [], head: copy({ ...head, status: 'pending', turnId: 'a' }) })
  assert.deepEqual(mirror.snapshot().queue, first.queue)
  assert.equal(mirror.snapshot().queue, first.queue)
  const groups = mirror.groups()
  mirror.apply({ ops: [[0, 0, 1, [], 0]] })
  const second = mirror.snapshot()
  assert.notEqual(second, first)
  assert.deepEqual(first.queue[0], { key: 'q:1', messageId: '1', text: 'a', intent: 'queue' })
  assert.deepEqual(second.queue, [{ key: 'q:2', messageId: '2', text: 'b\n\nc', parts: waits('2', 'b', 'c').parts, intent: 'queue' }])
  assert.equal(second.queue[0], first.queue[1], 'the message that moved up is the same object')
  assert.equal(second.approvals, first.approvals)
  assert.equal(second.meta, first.meta)
  assert.equal(groups, first.groups)
  assert.equal(second.turnId, 'a')
  assert.ok(Object.isFrozen(second) && Object.isFrozen(second.queue[0]) && Object.isFrozen(second.meta))
})

test('a delta changes its own part and nothing else', () => {
  const mirror = createMirror('t', false)
  const text = key => ({ key, role: 'assistant', state: 'live', streaming: true, parts: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] })
  mirror.apply({ ops: [[0, 0, 0, [text('1'), text('2')]]] })
  const before = mirror.groups()
  mirror.grow(1, 0, 0, '!')
  const after = mirror.groups()
  assert.equal(after[0], before[0])
  assert.equal(after[1].parts[1], before[1].parts[1])
  assert.equal(after[1].parts[0].text, 'a!')
  assert.equal(before[1].parts[0].text, 'a')
  assert.deepEqual(mirror.keys(), ['1', '2'])
})

test('what comes back after a restart is the same object', () => {
  const mirror = createMirror('t', false)
  const group = key => ({ key, role: 'user', state: 'live', streaming: false, parts: [{ type: 'text', text: key }] })
  mirror.apply({ ops: [[0, 0, 0, [group('1'), group('2')]]] })
  const before = mirror.groups()
  mirror.restart()
  mirror.apply({ ops: [[0, 0, 0, [group('2'), group('3')]]] })
  assert.deepEqual(mirror.keys(), ['2', '3'])
  assert.equal(mirror.groups()[0], before[1])
  assert.equal(mirror.group('1'), undefined)
})

test('a field called __proto__ is a field', () => {
  const old = JSON.parse('{"a": {"__proto__": {"x": 1}}}')
  const same = share(old, JSON.parse('{"a": {"__proto__": {"x": 1}}}'))
  assert.equal(same, old)
  const next = JSON.parse('{"a": {"__proto__": {"x": 2}}, "b": 1}')
  const mixed = share(old, next)
  assert.equal(Object.getPrototypeOf(mixed.a), Object.prototype)
  assert.equal(Object.hasOwn(mixed.a, '__proto__'), true)
  assert.equal({}.x, undefined)
  assert.deepEqual(share({}, JSON.parse('{"__proto__": {}}')), JSON.parse('{"__proto__": {}}'))
})
