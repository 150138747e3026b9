// What is typed is lost by nothing: pages in a Chromium, and the reference server as users have it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startChromium } from '../chromium.mjs'
import { startScene } from './world.mjs'

let chrome
before(async () => {
  chrome = await startChromium()
})
after(() => chrome?.close())

/** A world with one page in it; what a page throws fails the test. */
const scene = (t, options) => startScene(t, chrome, ready, options)

/** The page has its store, and its store a socket. */
const ready = page => page.waitForFunction(() => globalThis.store?.connection.getSnapshot().state === 'open')

/** The users' rows as they stand: text and state. */
const users = page => page.evaluate(() => thread.renderGroups().filter(({ role }) => role === 'user').map(({ state, parts }) => [parts[0].text, state]))
const send = (page, text) => page.evaluate(text => thread.send(text), text)
const idle = page => page.waitForFunction(() => ['idle', 'error'].includes(thread.getSnapshot().status) && thread.renderGroups().every(({ state }) => state === 'sealed' || state === 'failed'), undefined, { timeout: 20_000 })
const shows = (page, text, states) => page.waitForFunction(
  ([text, states]) => thread.renderGroups().some(one => one.role === 'user' && one.parts[0].text.includes(text) && states.includes(one.state)), [text, states])
const codes = page => page.evaluate(() => said.map(({ code }) => code))
const MESSAGES = '**/threads/main/messages'

test('a reload in mid-send, before the server has it: the text is there, and goes out once', { timeout: 60_000 }, async t => {
  const { world, page, thrown } = await scene(t)
  await page.route(MESSAGES, () => {})
  await send(page, 'hello from before')
  await page.type('textarea', 'and half a th')
  await shows(page, 'hello from before', ['sending'])
  await page.reload()
  await ready(page)
  assert.deepEqual(await users(page), [['hello from before', 'failed']])
  assert.equal(await page.inputValue('textarea'), 'and half a th')
  await page.unroute(MESSAGES)
  await page.evaluate(() => thread.retry(thread.renderGroups()[0].clientId))
  await shows(page, 'hello from before', ['sealed'])
  await idle(page)
  assert.deepEqual(await world.users(), ['hello from before'])
  assert.deepEqual([await users(page), thrown], [[['hello from before', 'sealed']], []])
})

test('a reload in mid-send, when the server has it and the page does not know: it is there once, and did not fail', { timeout: 60_000 }, async t => {
  const { world, page } = await scene(t)
  const arrived = new Promise(done => page.route(MESSAGES, async route => done(await route.fetch())))
  await send(page, 'hello in flight')
  await arrived
  await page.unroute(MESSAGES)
  await page.reload()
  await ready(page)
  await shows(page, 'hello in flight', ['live', 'starting', 'sealed'])
  await idle(page)
  assert.deepEqual([await users(page), await world.users()], [[['hello in flight', 'sealed']], ['hello in flight']])
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), [])
})

test('a reload in the same breath as a send: the request outlives its page', { timeout: 60_000 }, async t => {
  const { world, page } = await scene(t)
  await Promise.all([page.waitForNavigation(), page.evaluate(() => {
    thread.send('hello and away')
    location.reload()
  })])
  await ready(page)
  await shows(page, 'hello and away', ['live', 'sealed', 'failed'])
  await page.evaluate(() => thread.renderGroups().filter(({ state }) => state === 'failed').forEach(({ clientId }) => thread.retry(clientId)))
  await shows(page, 'hello and away', ['sealed'])
  assert.deepEqual(await world.users(), ['hello and away'])
})

test('a reload in mid-queue and in mid-stream: all of it is there, each once', { timeout: 60_000 }, async t => {
  const { world, page, thrown } = await scene(t, { pace: 60 })
  await send(page, 'hello one')
  await page.waitForFunction(() => thread.getSnapshot().status === 'streaming')
  await send(page, 'hello two')
  await send(page, 'hello three')
  await page.waitForFunction(() => thread.getSnapshot().queue.length === 2)
  await page.type('textarea', 'and fou')
  await page.reload()
  await ready(page)
  await page.waitForFunction(() => thread.renderGroups().length >= 4)
  assert.deepEqual((await users(page)).map(([text]) => text), ['hello one', 'hello two', 'hello three'])
  assert.equal(await page.evaluate(() => thread.getSnapshot().status), 'streaming')
  assert.equal(await page.inputValue('textarea'), 'and fou')
  await idle(page)
  const texts = await page.evaluate(() => thread.renderGroups().map(({ role, parts }) => [role, parts.filter(({ type }) => type === 'text').length]))
  assert.equal(texts.filter(([role]) => role === 'assistant').length, texts.filter(([role]) => role === 'user').length)
  assert.deepEqual((await users(page)).flatMap(([text]) => text.split('\n\n')), ['hello one', 'hello two', 'hello three'])
  assert.deepEqual([(await world.users()).flatMap(text => text.split('\n\n')), thrown], [['hello one', 'hello two', 'hello three'], []])
})

test('without a network it says so; what is sent meanwhile goes out when it is back', { timeout: 60_000 }, async t => {
  const { world, context, page } = await scene(t)
  await context.setOffline(true)
  await page.waitForFunction(() => store.connection.getSnapshot().state === 'offline')
  assert.equal(await page.evaluate(() => thread.getSnapshot().connection !== 'online' && store.connection.getSnapshot().retryAt > Date.now()), true)
  await send(page, 'hello from the train')
  await shows(page, 'hello from the train', ['sending'])
  await context.setOffline(false)
  await shows(page, 'hello from the train', ['sealed'])
  assert.deepEqual(await world.users(), ['hello from the train'])
  assert.equal(await page.evaluate(() => store.connection.getSnapshot().state), 'open')
})

test('the server is killed in mid-stream and started again: the page comes back by itself, and misses nothing', { timeout: 60_000 }, async t => {
  const { world, page, thrown } = await scene(t, { pace: 60 })
  await send(page, 'hello one')
  await page.waitForFunction(() => thread.getSnapshot().status === 'streaming')
  await world.kill()
  await page.waitForFunction(() => store.connection.getSnapshot().state === 'waiting')
  await send(page, 'hello two')
  await world.start()
  await ready(page)
  await shows(page, 'hello two', ['sealed', 'queued', 'live'])
  await page.evaluate(() => thread.resumeQueue())
  await shows(page, 'hello two', ['sealed'])
  await idle(page)
  assert.deepEqual([(await users(page)).map(([text]) => text), await world.users(), thrown], [['hello one', 'hello two'], ['hello one', 'hello two'], []])
})

test('two tabs share drafts and what is on its way, and double nothing', { timeout: 60_000 }, async t => {
  const { world, open, page, thrown } = await scene(t)
  const other = await open()
  await page.type('textarea', 'half')
  await other.waitForFunction(() => document.querySelector('textarea').value === 'half')
  let release
  const held = new Promise(done => (release = done))
  const posts = []
  for (const one of [page, other]) await one.route(MESSAGES, async route => {
    posts.push(one === page ? 'first' : 'second')
    await held
    await route.continue()
  })
  await send(page, 'hello both')
  await shows(other, 'hello both', ['sending'])
  // Who comes now hears of it as well.
  const third = await open()
  await shows(third, 'hello both', ['sending'])
  release()
  for (const one of [page, other, third]) {
    await shows(one, 'hello both', ['sealed'])
    await idle(one)
    assert.deepEqual(await users(one), [['hello both', 'sealed']])
  }
  assert.deepEqual([posts, await world.users(), thrown], [['first'], ['hello both'], []])
})

test('a message that failed is given up in both tabs; a tab that is closed in mid-send leaves it to the other', { timeout: 60_000 }, async t => {
  const { world, open, page } = await scene(t)
  const other = await open()
  await page.route(MESSAGES, route => route.fulfill({ status: 400, json: { code: 'empty', message: 'no' } }))
  await send(page, 'refused')
  for (const one of [page, other]) await shows(one, 'refused', ['failed'])
  await page.evaluate(() => thread.dismiss(thread.renderGroups()[0].key))
  await other.waitForFunction(() => thread.renderGroups().length === 0)
  assert.deepEqual(await other.evaluate(() => Object.keys(localStorage)), [])
  await page.unroute(MESSAGES)
  await page.route(MESSAGES, () => {})
  await send(page, 'hello from the closed one')
  await shows(other, 'hello from the closed one', ['sending'])
  await page.close()
  await shows(other, 'hello from the closed one', ['sealed'])
  assert.deepEqual(await world.users(), ['hello from the closed one'])
})

test('a storage with nonsense in it is put aside and told, and the page works', { timeout: 60_000 }, async t => {
  const { page, thrown } = await scene(t)
  await page.evaluate(() => {
    thread.draft.set('typed')
    const [key] = Object.keys(localStorage)
    localStorage.setItem(key, '{"text":')
    localStorage.setItem(key.replace('draft:', ''), '[{"clientId":"k","intent":"queue","text":"kept"},{"clientId":7}]')
  })
  await page.reload()
  await ready(page)
  assert.deepEqual(await users(page), [['kept', 'failed']])
  assert.equal(await page.evaluate(() => thread.draft.get()), '')
  assert.deepEqual((await codes(page)).filter(code => code.startsWith('storage')), ['storage-corrupt', 'storage-corrupt'])
  const aside = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes('corrupt')).map(([, text]) => text))
  assert.deepEqual([aside.length, aside.some(text => text === '{"text":'), aside.some(text => text.includes('"clientId":7')), thrown], [2, true, true, []])
})

test('a full storage is told once, and the message is sent all the same', { timeout: 60_000 }, async t => {
  const { world, page, thrown } = await scene(t)
  await page.evaluate(() => {
    for (let size = 1 << 22; size >= 1; size >>= 1) {
      for (let at = 0; ; at++) {
        try { localStorage.setItem(`fill ${size} ${at}`, 'x'.repeat(size)) } catch { break }
      }
    }
  })
  await page.type('textarea', 'much too much')
  await send(page, 'hello without a place')
  await shows(page, 'hello without a place', ['sealed'])
  assert.deepEqual((await codes(page)).filter(code => code === 'storage-failed').length, 2, 'the draft once, the message once')
  assert.deepEqual([await page.evaluate(() => thread.draft.get()), await world.users(), thrown], ['much too much', ['hello without a place'], []])
})
