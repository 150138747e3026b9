// The checks of turnseal/testing find what is wrong with a stream, and nothing where nothing is.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createStore } from '../dist/node.js'
import { RULES, checkRecording, createPaperServer, formatReport, readRecording } from '../dist/testing.js'
import { createStoreWith, makeCore, textChunk } from './lib.mjs'

const program = fileURLToPath(new URL('../dist/testing-cli.js', import.meta.url))
const lines = values => values.map(value => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')
const check = values => checkRecording(lines(values), { createStore })
const rules = values => check(values).findings.map(({ law, rule, line }) => [law, rule, line])

const start = (turnId, more = {}) => ({ type: 'turn-start', turnId, user: { text: 'q', messageId: `m-${turnId}` }, ...more })
const delta = (turnId, text, more = {}) => ({ type: 'text-delta', turnId, delta: text, ...more })
const call = (turnId, id) => ({ type: 'tool-call', turnId, toolCall: { id, name: 'ls', arguments: {} } })
const result = (turnId, id) => ({ type: 'tool-result', turnId, toolResult: { toolCallId: id, result: 'ok' } })
const end = (turnId, outcome = 'done') => ({ type: 'turn-end', turnId, outcome })
const seal = (turnId, more = {}) => ({ type: 'turn-sealed', turnId, ...more })
const rows = (turnId, seq = 1, text = 'r') => [textChunk(seq, turnId, 'user', 'q'), textChunk(seq + 1, turnId, 'assistant', text)]
const queue = (messageId, message = messageId) => ({ type: 'message-queued', messageId, message })
const consume = (...messageIds) => ({ type: 'message-consumed', messageIds })
const good = turnId => [start(turnId), delta(turnId, 'r'), end(turnId), seal(turnId)]

/** For each rule a stream that breaks it, and the line at which that shows. */
const broken = {
  'bad-line': [[start('a'), '{'], 2],
  refused: [[start('a'), { type: 'text-delta', turnId: 'a' }], 2],
  'n-gap': [[start('a', { n: 1 }), delta('a', 'x', { n: 3 })], 2],
  'n-reused': [[start('a', { n: 1 }), delta('a', 'x', { n: 2 }), delta('a', 'y', { n: 2 })], 3],
  'turn-reused': [[...good('a'), start('a')], 5],
  'second-end': [[start('a'), end('a'), end('a', 'aborted'), seal('a')], 3],
  'turn-without-end': [[start('a'), delta('a', 'r'), seal('a'), ...good('b')], 3],
  'overlapping-turns': [[...good('a'), start('b'), start('c')], 6],
  'late-event': [[start('a'), end('a'), delta('a', 'x'), seal('a')], 3],
  'no-turn': [[...good('a'), { type: 'text-delta', delta: 'x' }], 5],
  'result-without-call': [[start('a'), result('a', 'c'), end('a'), seal('a')], 2],
  'second-result': [[start('a'), call('a', 'c'), result('a', 'c'), result('a', 'c'), end('a'), seal('a')], 4],
  'call-without-result': [[start('a'), call('a', 'c'), end('a'), seal('a')], 3],
  'call-reused': [[start('a'), call('a', 'c'), call('a', 'c'), result('a', 'c'), end('a'), seal('a')], 3],
  'chunk-without-seal': [[start('a'), delta('a', 'r'), end('a'), { chunks: rows('a') }], 3],
  'end-without-seal': [[start('a'), end('a'), ...good('b')], 2],
  'seal-changed': [[start('a'), end('a'), seal('a', { lastSeq: 2 }), seal('a', { lastSeq: 3 })], 4],
  'seal-without-chunk': [[start('a'), delta('a', 'r'), end('a'), seal('a', { lastSeq: 2 }), { chunks: [textChunk(1, 'a', 'user', 'q'), textChunk(3, 'b', 'user', 'x')] }], 5],
  'row-behind-seal': [[start('a'), end('a', 'aborted'), seal('a', { lastSeq: 1 }), { chunks: rows('a') }], 3],
  'seq-reused': [[{ chunks: rows('a') }, { chunks: rows('a', 1, 'another') }], 2],
  'seq-order': [[{ chunks: rows('a').reverse() }], 1],
  'message-reused': [[queue('q'), consume('q'), queue('q')], 3],
  'consumed-unknown': [[start('a'), consume('q')], 2],
  'consumed-twice': [[start('a'), queue('q'), consume('q'), consume('q')], 4],
  'cancelled-consumed': [[start('a'), queue('q'), consume('q'), { type: 'message-cancelled', messageId: 'q' }], 4],
  'shape-differs': [[start('a'), delta('a', 'live'), end('a'), seal('a', { chunks: rows('a', 1, 'sealed') })], 4],
}

test('each rule has a stream that breaks it, and it alone', () => {
  assert.deepEqual(Object.keys(broken).sort(), Object.keys(RULES).sort())
  for (const [rule, [stream, line]] of Object.entries(broken)) assert.deepEqual(rules(stream), [[RULES[rule][0], rule, line]], rule)
})

test('what is allowed is not found', () => {
  const allowed = {
    'a whole turn, its rows inline': [start('a'), delta('a', 'r'), end('a'), seal('a', { chunks: rows('a') })],
    'a turn that the recording leaves open': [start('a'), delta('a', 'r')],
    'an ended turn at the end of the recording': [start('a'), end('a')],
    'events given twice': [start('a', { n: 1 }), delta('a', 'r', { n: 2 }), delta('a', 'r', { n: 2 }), end('a'), seal('a')],
    'a stream without ends and ids': [start('a'), { type: 'status', status: 'running' }, { type: 'text-delta', delta: 'r' }, { type: 'status', status: 'idle' }, seal('a'), start('b'), { type: 'text-delta', delta: 's' }, { type: 'status', status: 'idle' }, seal('b')],
    'a result before its call': [start('a'), result('a', 'c'), call('a', 'c'), end('a'), seal('a')],
    'an open call of a turn that was stopped': [start('a'), call('a', 'c'), end('a', 'aborted'), seal('a')],
    'a call id that comes again after its result': [start('a'), call('a', 'c'), result('a', 'c'), call('a', 'c'), result('a', 'c'), end('a'), seal('a')],
    'rows that were changed and told': [{ chunks: rows('a') }, { type: 'chunks-updated', chunks: [textChunk(2, 'a', 'assistant', 'edited')] }],
    'a log that began anew': [{ chunks: rows('a') }, { type: 'log-reset', epoch: 2 }, { chunks: rows('b') }],
    'two threads': [start('a', { threadId: 'x', n: 1 }), start('b', { threadId: 'y', n: 1 }), delta('a', 'r', { threadId: 'x', n: 2 })],
    'an unknown type': [{ type: 'of-a-later-version' }],
    'a message that waits, is taken and answered': [...good('a'), queue('q'), consume('q'), start('b', { user: { text: 'q', messageId: 'q' } }), end('b'), seal('b')],
    'a turn whose beginning only a snapshot told': [{ type: 'snapshot', turns: [{ turnId: 'a', phase: 'awaiting-tool', rows: [{ role: 'assistant', parts: [{ type: 'text', text: 'be' }, { type: 'tool', callId: 'c', name: 'ls', state: 'running' }] }] }] }, result('a', 'c'), delta('a', 'gun'), end('a'), seal('a', { chunks: rows('a', 1, 'begun') })],
    'a turn whose end only a snapshot hides': [start('a'), delta('a', 'r'), { type: 'snapshot', turns: [] }, seal('a'), ...good('b')],
    'a snapshot that sets the number': [start('a', { n: 1 }), { type: 'snapshot', n: 9, turns: [{ turnId: 'a', phase: 'streaming', rows: [] }] }, delta('a', 'r', { n: 10 }), end('a'), seal('a', { chunks: rows('a') })],
  }
  for (const [title, stream] of Object.entries(allowed)) assert.deepEqual(rules(stream), [], title)
})

test('a turn without an end is found sealed, or followed; the last one may still run, which is told', () => {
  const found = stream => rules(stream).map(([, rule, line]) => [rule, line])
  assert.deepEqual(found([start('a'), delta('a', 'r'), seal('a')]), [['turn-without-end', 3]])
  assert.deepEqual(found([start('a'), delta('a', 'r'), start('b'), delta('b', 'r'), seal('b')]), [['turn-without-end', 2], ['turn-without-end', 5]])
  const running = check([...good('a'), start('b'), delta('b', 'r')])
  assert.deepEqual([running.findings, running.running], [[], 1])
  assert.match(formatReport('x', running), /, 1 still running at the end: no rule is broken$/)
  assert.doesNotMatch(formatReport('x', check(good('a'))), /running/)
})

test('live and sealed are compared by their pieces, not by what only one side can know', () => {
  const events = [start('a'), { type: 'reasoning-delta', turnId: 'a', delta: 'hm' }, { type: 'tool-input-start', turnId: 'a', callId: 'c', name: 'ls' }, call('a', 'c'), { type: 'approval-request', turnId: 'a', callId: 'c' }, { type: 'approval-resolved', turnId: 'a', callId: 'c', decision: 'approved' }, { type: 'tool-output', turnId: 'a', callId: 'c', data: 'o' }, result('a', 'c'), { type: 'notice', turnId: 'a', message: 'n' }, delta('a', 'r'), end('a')]
  const chunk = (seq, role, type, data) => ({ seq, turnId: 'a', role, type, data })
  const answer = { callId: 'c', name: 'ls', result: 'ok', isError: false, output: { stdout: 'o', stderr: '' } }
  const log = [chunk(1, 'user', 'text', { text: 'with a prefix: q' }), chunk(2, 'assistant', 'thinking', { text: 'hm' }), chunk(3, 'assistant', 'tool_call', { callId: 'c', name: 'ls', arguments: {} }), chunk(4, 'tool', 'tool_result', answer), chunk(5, 'system', 'system', { kind: 'notice', text: 'n' }), chunk(6, 'assistant', 'text', { text: 'r' })]
  const report = check([...events, seal('a', { chunks: log })])
  assert.deepEqual([report.findings, report.compared, report.turns, report.chunks], [[], 1, 1, 6])
  const { output: _, ...silent } = answer
  for (const [at, data] of [[3, silent], [3, { ...answer, isError: true }], [1, { text: 'other' }], [4, { kind: 'notice', text: 'm' }]]) {
    const changed = log.map((row, index) => (index === at ? { ...row, data } : row))
    assert.deepEqual(rules([...events, seal('a', { chunks: changed })]), [['L2', 'shape-differs', events.length + 1]], JSON.stringify(data))
  }
  assert.deepEqual(rules([...events, seal('a', { chunks: log.toSpliced?.(4, 1) ?? log.filter((_, at) => at !== 4) })]).length, 1)
})

test('what a store recorded is read too: frames, bytes, deltas on the quick way, and answers', async () => {
  const paper = createPaperServer()
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: paper.transport })
  let count = 0
  paper.subscribe(event => {
    const text = JSON.stringify(event)
    const way = count++ % 3
    if (way === 0) store.handleMessage(text)
    else if (way === 1) store.handleMessage(new TextEncoder().encode(text))
    else store.handleEvent(event)
  })
  store.thread()
  paper.start('q')
  for (let round = 0; round < 20; round++) paper.tell({ type: 'text-delta', delta: `${round} ` })
  paper.end()
  paper.seal('a')
  await new Promise(done => setTimeout(done, 5))
  const recording = JSON.stringify(store.record())
  const report = checkRecording(recording, { createStore })
  assert.deepEqual(report.findings, [])
  assert.deepEqual([report.turns, report.chunks, report.compared], [1, 2, 1])
  const quick = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
  for (const event of [start('a', { n: 1 }), ...Array.from({ length: 9 }, (_, at) => delta('a', `${at}`, { n: at + 2 }))]) quick.handleEvent(event)
  assert.ok(quick.record().inputs.some(([kind]) => kind === 'g'))
  const read = readRecording(JSON.stringify(quick.record()))
  assert.equal(read.filter(({ value }) => value.type === 'text-delta').map(({ value }) => value.delta).join(''), '012345678')
  assert.deepEqual(checkRecording(read, { createStore }).findings, [])
})

test('turnseal-check says law, line and event, and ends with 1 where a rule is broken', () => {
  const run = (input, ...args) => spawnSync(process.execPath, [program, ...args], { input, encoding: 'utf8' })
  const bad = run(lines([...broken['second-end'][0]]), '-')
  assert.equal(bad.status, 1)
  assert.match(bad.stdout, /^-:3: L9 second-end: a turn has two ends: the first wins \(a\)\n {4}\{"type":"turn-end","turnId":"a","outcome":"aborted"\}\n-: 4 lines, .*: 1 broken\n$/)
  const fine = run(lines(good('a')), '-')
  assert.deepEqual([fine.status, fine.stdout], [0, '-: 4 lines, 1 turns, 0 rows of the log, 0 turns compared live and sealed: no rule is broken\n'])
  assert.deepEqual([run('', '-').status, run('', 'no-such-file').status, run('').status], [2, 2, 2])
  const help = execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' })
  for (const rule of Object.keys(RULES)) assert.ok(help.includes(rule))
})

test('a report is cut where an event is long', () => {
  const report = check([start('a'), end('a'), delta('a', 'x'.repeat(1000)), seal('a')])
  assert.ok(formatReport('f', report).split('\n').every(line => line.length < 260))
})
