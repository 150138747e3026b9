// The two back ends of www/examples, each through a whole conversation; what they sent breaks no rule.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { overEvents, overSocket } from './clients.mjs'
import { drawn, isQuiet, packagesOf, startExample, until } from './lib.mjs'

const textOf = ({ parts }) => parts.map(({ text = '' }) => text).join('')

/** What turnseal-check says of what came, line for line. */
function check(lines) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${packagesOf('node-server')}/turnseal/dist/testing-cli.js`, '-'], { input: lines.join('\n'), encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
  return stdout
}

async function conversation(t, url, open) {
  const clients = []
  const join = () => {
    clients.push(open(url))
    return clients.at(-1)
  }
  t.after(() => clients.forEach(({ close }) => close()))
  const first = join()
  const { thread } = first

  await first.begun
  thread.send('hello')
  await until(thread, isQuiet, 'an answer is written')
  assert.match(drawn(thread).join('\n'), /^user sealed hello\nassistant sealed .*You said “hello”/)

  // It counts until it is stopped: what is said meanwhile waits.
  thread.send('count')
  await until(thread, ({ groups }) => textOf(groups.at(-1)).startsWith('1 2 3 '), 'it counts')
  thread.send('and then?')
  await until(thread, ({ queue }) => queue.length === 1, 'one message waits')
  thread.send('never mind')
  await until(thread, ({ queue }) => queue.length === 2, 'two messages wait')
  thread.cancelQueued(thread.getSnapshot().queue[1].messageId)
  await until(thread, ({ queue, groups }) => queue.length === 1 && groups.length === 5, 'one is cancelled')

  // Who comes now sees the same; and a line that is cut loses nothing.
  const late = join()
  await until(late.thread, ({ groups, queue }) => groups.length === 5 && queue.length === 1 && textOf(groups[3]).startsWith('1 2 3 '), 'who comes late sees it')
  const seen = textOf(thread.getSnapshot().groups[3]).length
  first.cut()
  await until(thread, ({ groups, connection }) => connection === 'online' && textOf(groups[3]).length > seen, 'the line is back')

  thread.stop()
  for (const one of [first, late]) await until(one.thread, ({ held, status, groups }) => held && status === 'idle' && groups[3].state === 'sealed', 'it is stopped, and the queue held')
  late.thread.resumeQueue()
  for (const one of [first, late]) await until(one.thread, state => isQuiet(state) && state.groups.length === 6, 'what waited is answered')
  const rows = drawn(thread)
  assert.match(rows.join('\n'), /\nuser sealed count\nassistant sealed 1 2 3 [\d ]*\nuser sealed and then\?\nassistant sealed .*You said “and then\?”/)
  assert.deepEqual(drawn(late.thread), rows)

  // From the log alone it is the same.
  const reload = join()
  await until(reload.thread, state => isQuiet(state) && state.groups.length === 6, 'the log is read')
  assert.deepEqual(drawn(reload.thread), rows)

  // The same clientId is the same message.
  const post = async body => (await fetch(`${url}/threads/main/messages`, { method: 'POST', body: JSON.stringify(body) })).json()
  const answer = await post({ clientId: 'twice', text: 'once' })
  assert.deepEqual([answer.status, await post({ clientId: 'twice', text: 'once' })], ['ok', answer])
  await until(thread, state => isQuiet(state) && state.groups.length === 8, 'it is answered once')

  const foreign = await fetch(`${url}/threads/main/messages`, { method: 'POST', headers: { origin: 'https://elsewhere.example' }, body: '{"clientId":"x","text":"x"}' })
  assert.equal(foreign.status, 403)
  return { first, post }
}

test('node-server: engine, socket, queue, stop, tools and approvals', async t => {
  const url = await startExample(t, 'node-server')
  const { first, post } = await conversation(t, url, overSocket)
  const { thread } = first
  thread.send('What time is it?')
  await until(thread, state => isQuiet(state) && state.groups.length === 10, 'the clock was read')
  assert.match(drawn(thread).at(-1), /^assistant sealed \[clock done\] \/ The tool says: .*\d\d:\d\d/)
  for (const [act, state, words] of [['approve', 'done', 'would be gone now'], ['deny', 'error', 'The user did not allow']]) {
    thread.send(`Please delete it (${act})`)
    await until(thread, ({ approvals }) => approvals.length === 1, 'a person is asked')
    thread[act](thread.getSnapshot().approvals[0].callId)
    await until(thread, isQuiet, 'the decision is carried out')
    assert.match(drawn(thread).at(-1), new RegExp(`^assistant sealed \\[delete_file ${state}\\] .*${words}`))
  }
  assert.equal((await post({ clientId: 'k' })).code, 'bad-body')
  assert.deepEqual(first.said, [])
  assert.match(check(first.lines), /, 7 turns, .* 7 turns compared live and sealed: no rule is broken/)
})

test('python: log, events over SSE, queue and stop', async t => {
  const url = await startExample(t, 'python')
  const { first, post } = await conversation(t, url, overEvents)
  assert.match((await post({ clientId: 'k' })).message, /not what this path wants/)
  assert.deepEqual(first.said, [])
  assert.match(check(first.lines), /, 4 turns, .* 4 turns compared live and sealed: no rule is broken/)
})
