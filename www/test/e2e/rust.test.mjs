// A page in Rust alone (`examples/page.rs`), in a Chromium, over the reference server.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { must, tool } from '../../../scripts/lib.mjs'
import { root, startChromium } from '../chromium.mjs'
import { startScene } from './world.mjs'

const out = `${root}/target/rust-page`
const site = {
  'index.html': '<!doctype html><meta charset="utf-8"><title>chat</title><link rel="icon" href="data:,"><textarea></textarea><ol></ol><script type="module" src="/page.js"></script>',
  'page.js': `import init, { Page } from '/page/page.js'
await init()
window.page = new Page()
document.querySelector('textarea').oninput = ({ target }) => page.typed(target.value)`,
}

let chrome
before(async () => {
  await must('cargo build --quiet --example page --target wasm32-unknown-unknown --no-default-features --features browser')
  await must(`'${tool('wasm-bindgen')}' target/wasm32-unknown-unknown/debug/examples/page.wasm --target web --no-typescript --out-name page --out-dir '${out}'`)
  assert.ok(existsSync(`${out}/page_bg.wasm`))
  chrome = await startChromium()
}, { timeout: 600_000 })
after(() => chrome?.close())

const scene = (t, options) => startScene(t, chrome, ready, { ...options, site, folders: { page: out } })

const ready = page => page.waitForFunction(() => globalThis.page?.is_open())
const send = async (page, text) => {
  await page.fill('textarea', text)
  await page.evaluate(() => globalThis.page.send())
}
const users = page => page.locator('li.user').evaluateAll(rows => rows.map(row => [row.textContent, row.className.split(' ')[1]]))
const shows = (page, text, state) => page.locator(`li.user.${state}`, { hasText: text }).waitFor()
const MESSAGES = '**/threads/main/messages'

test('Rust: what is typed and sent outlives a reload in mid-send and in mid-stream, and arrives once', { timeout: 90_000 }, async t => {
  const { world, page, thrown } = await scene(t)
  await page.route(MESSAGES, () => {})
  await send(page, 'hello from Rust')
  await page.type('textarea', 'and half a th')
  await shows(page, 'hello from Rust', 'sending')
  await page.reload()
  await ready(page)
  await shows(page, 'hello from Rust', 'failed')
  assert.equal(await page.inputValue('textarea'), 'and half a th')
  await page.unroute(MESSAGES)
  await page.evaluate(() => globalThis.page.retry())
  await page.locator('li.other.live').waitFor()
  await page.reload()
  await ready(page)
  await shows(page, 'hello from Rust', 'sealed')
  assert.deepEqual([await users(page), await world.users(), thrown], [[['hello from Rust', 'sealed']], ['hello from Rust'], []])
  assert.equal(await page.inputValue('textarea'), 'and half a th')
})

test('Rust: killed, started again, without a network: the page comes back by itself', { timeout: 90_000 }, async t => {
  const { world, context, page, thrown } = await scene(t)
  await world.kill()
  await send(page, 'hello one')
  await shows(page, 'hello one', 'sending')
  await world.start()
  await shows(page, 'hello one', 'sealed')
  await context.setOffline(true)
  await page.waitForFunction(() => !globalThis.page.is_open())
  await send(page, 'hello two')
  await context.setOffline(false)
  await shows(page, 'hello two', 'sealed')
  assert.deepEqual([await world.users(), thrown], [['hello one', 'hello two'], []])
})

test('Rust: two tabs share drafts and what is on its way', { timeout: 90_000 }, async t => {
  const { world, open, page, thrown } = await scene(t)
  const other = await open()
  await page.type('textarea', 'half')
  await other.waitForFunction(() => document.querySelector('textarea').value === 'half')
  const posts = []
  let release
  const held = new Promise(done => (release = done))
  for (const one of [page, other]) await one.route(MESSAGES, async route => {
    posts.push(one === page ? 'first' : 'second')
    await held
    await route.continue()
  })
  await send(page, 'hello both')
  await shows(other, 'hello both', 'sending')
  release()
  for (const one of [page, other]) await shows(one, 'hello both', 'sealed')
  assert.deepEqual([posts, await world.users(), thrown], [['first'], ['hello both'], []])
})

test('Rust: nonsense in the storage is put aside and told', { timeout: 90_000 }, async t => {
  const { page, thrown } = await scene(t)
  await page.type('textarea', 'typed')
  await page.evaluate(() => localStorage.setItem(Object.keys(localStorage)[0], '{"text":'))
  await page.reload()
  await ready(page)
  assert.equal(await page.inputValue('textarea'), '')
  assert.equal(await page.evaluate(() => globalThis.page.reports()), 'storage-corrupt')
  assert.deepEqual([await page.evaluate(() => Object.entries(localStorage).map(([key, text]) => [key.includes('corrupt'), text])), thrown], [[[true, '{"text":']], []])
})
