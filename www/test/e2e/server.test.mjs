// The store and the server, as users have both: a bad network, SIGKILL, and in the end each message once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createStore } from '../../../pkg/dist/node.js'
import { startServer } from '../server.mjs'

const wait = ms => new Promise(done => setTimeout(done, ms))

/** Chance that comes out the same for the same seed. */
function dice(seed) {
  let state = seed
  return end => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
}

/** The server as a process that can be killed and started again, at one address. */
async function start(db, port = 0, pace = 3) {
  const server = await startServer('--db', db, '--port', String(port), '--pace', String(pace))
  return { ...server, url: server.url.replace(/\/$/, '') }
}

/** A store that is connected to the server, and a hand on its socket. */
function connect(url) {
  let socket
  class Held extends WebSocket {
    constructor(...given) {
      super(...given)
      socket = this
    }
  }
  const diagnostics = []
  const store = createStore({ schedule: 'sync', onDiagnostic: diagnostic => diagnostics.push(diagnostic), connect: { url, WebSocket: Held } })
  return { store, thread: store.thread('main'), drop: () => socket?.close(), end: store.free, diagnostics }
}

/** What is on the screen, without keys and places. */
const drawn = thread => thread.getSnapshot().groups.map(({ role, state, turnId, parts }) => [
  role, state, turnId, ...parts.map(part => part.text ?? `${part.name} ${part.state} ${JSON.stringify(part.result)}`),
])

async function until(what, check) {
  for (let round = 0; round < 1_000; round++) {
    if (check()) return
    await wait(20)
  }
  assert.fail(`never: ${what()}`)
}

/** Nothing runs, nothing waits, nothing is on its way. */
const isQuiet = ({ groups, status, queue, connection }) =>
  connection === 'online' && queue.length === 0 && !['pending', 'streaming', 'awaiting-tool', 'awaiting-approval', 'stopping'].includes(status) &&
  groups.every(group => group.state === 'sealed' || group.state === 'failed')

/** One random act of a user, a network or a machine. */
async function act(roll, client, sent, world) {
  const { thread } = client
  const what = roll(10)
  if (what < 5) {
    const text = `${['late?', 'Ship them', 'hello', 'which files?'][roll(4)]} (${sent.length})`
    thread.send(text, { intent: roll(4) === 0 ? 'steer' : 'queue' })
    sent.push(text)
  } else if (what === 5) thread.stop()
  else if (what === 6) for (const { callId } of thread.getSnapshot().approvals) thread.approve(callId)
  else if (what === 7) client.drop()
  else if (what === 8) thread.resumeQueue()
  else {
    await world.server.kill()
    await wait(roll(60))
    world.server = await start(world.db, world.server.port)
  }
  await wait(roll(80))
}

for (const seed of (process.env.SEEDS ?? '1,2,3').split(',').map(Number)) {
  test(`each message is there once in the end, whatever the network and the machine do (${seed})`, { timeout: 120_000 }, async t => {
    const folder = mkdtempSync(`${tmpdir()}/turnseal-e2e-`)
    const db = `${folder}/log.db`
    const world = { db, server: await start(db) }
    t.after(async () => {
      await world.server.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    const clients = []
    const join = () => {
      clients.push(connect(world.server.url))
      return clients.at(-1)
    }
    t.after(() => clients.forEach(client => client.end()))
    const client = join()
    const other = join()
    const { thread } = client
    const roll = dice(seed)
    const sent = []
    for (let round = 0; round < 60; round++) await act(roll, client, sent, world)
    // The user tidies up: decides what is open, resumes what is held, sends again what failed.
    await until(() => JSON.stringify([thread.getSnapshot(), client.diagnostics.slice(-5)], null, 1), () => {
      const { approvals, held, queue, groups } = thread.getSnapshot()
      for (const { callId, state } of approvals) if (state === 'open') thread.deny(callId)
      if (held && queue.length > 0) thread.resumeQueue()
      for (const group of groups) if (group.state === 'failed') thread.retry(group.clientId)
      return isQuiet(thread.getSnapshot()) && groups.every(group => group.state === 'sealed')
    })
    await until(() => JSON.stringify(drawn(other.thread)), () => isQuiet(other.thread.getSnapshot()))
    thread.setScrolledUp(true)
    other.thread.setScrolledUp(true)
    for (const one of [thread, other.thread]) while (one.getSnapshot().hasOlder) await one.loadOlder()
    const users = drawn(thread).filter(([role]) => role === 'user').flatMap(([, , , text]) => text.split('\n\n'))
    assert.deepEqual(users.toSorted(), sent.toSorted(), 'L1, L2: each message once')
    // L8: who listened all the time, who listened beside it, and who comes anew see the same.
    assert.deepEqual(drawn(other.thread), drawn(thread))
    const anew = join()
    anew.thread.setScrolledUp(true)
    await until(() => JSON.stringify(anew.thread.getSnapshot()), () => anew.thread.getSnapshot().connection === 'online' && anew.thread.getSnapshot().groups.length > 0)
    while (anew.thread.getSnapshot().hasOlder) await anew.thread.loadOlder()
    assert.deepEqual(drawn(anew.thread), drawn(thread))
  })
}
