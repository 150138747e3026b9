// The demo as a user starts it: the chat at its door, and in the storm a network that loses, delays and breaks.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { root, startChromium, startDemo } from './chromium.mjs'

const shots = `${root}/target/screenshots`
const db = `${root}/target/screenshots/demo.db`
let demo
let chromium
before(async () => {
  mkdirSync(shots, { recursive: true })
  rmSync(db, { force: true })
  ;[demo, chromium] = await Promise.all([startDemo(db), startChromium()])
})
after(async () => {
  await chromium?.close()
  assert.equal(await demo?.stop(), 0)
})

/** A page whose errors, and failed requests, fail the test. */
async function open(query, options = {}) {
  const page = await chromium.newPage({ viewport: { width: 1440, height: 900 }, ...options })
  const errors = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  await page.goto(`${demo.url}lab/storm/${query}`)
  await page.waitForSelector('[data-client=B] .row')
  return { page, errors }
}
const light = page => page.evaluate(() => ({ ...document.getElementById('light').dataset }))
const played = page => page.waitForFunction(() => document.documentElement.dataset.play === 'done' && document.getElementById('light').dataset.state !== 'busy', null, { timeout: 60_000 })
const textOf = (page, client) => page.$$eval(`[data-client=${client}] .row > :is(.text, .tool, .reasoning)`, nodes => nodes.map(node => node.textContent))

test('a person opens the one URL and can chat at once, in both views', async () => {
  for (const path of ['', 'svelte/', 'react/']) {
    const page = await chromium.newPage()
    const errors = []
    page.on('pageerror', error => errors.push(String(error)))
    await page.goto(demo.url + path)
    const answers = await page.getByRole('article', { name: 'Assistant' }).count()
    await page.getByRole('textbox', { name: 'Message' }).fill('Which orders are late?')
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'Assistant' }).nth(answers).getByText('orders are late').waitFor()
    await page.waitForFunction(() => document.querySelector('.view')?.getAttribute('aria-busy') === 'false')
    assert.deepEqual(errors, [])
    await page.close()
  }
})

test('two clients over a bad network end equal to the log, and nothing on the page fails', async () => {
  const { page, errors } = await open('?seed=11&auto=1&speed=20&delay=200&loss=12&skew=80')
  await page.locator('[data-client=A] header button').click()
  await page.waitForTimeout(500)
  await page.locator('[data-client=B] header button').click()
  await played(page)
  const { state, faults, checks } = await light(page)
  assert.equal(state, 'equal', await page.textContent('#words'))
  assert.equal(faults, '0')
  assert.ok(Number(checks) > 0)
  assert.ok((await page.$$('.log .chunk')).length > 50)
  const lost = Number((await page.textContent('#air')).match(/(\d+) lost/)[1])
  assert.ok(lost > 20, `${lost} messages were lost`)
  assert.match(await page.textContent('#watch'), /rows twice: 0, out of order: 0, messages gone: 0$/)
  const [a, b] = [await textOf(page, 'A'), await textOf(page, 'B')]
  assert.ok(a.length > 10)
  assert.deepEqual(a.slice(-10), b.slice(-10))
  assert.deepEqual(errors, [])
  await page.close()
})

test('a click, or a key, on a row explains it and marks its chunks', async () => {
  const { page, errors } = await open('?seed=3')
  await page.locator('[data-client=A] .row.assistant .text').last().click()
  const why = page.locator('[data-client=A] .why')
  assert.match(await why.textContent(), /Owner chunk, state sealed.*drawn from chunks of the log/)
  assert.equal(await page.locator('.log .looked').count(), 2)
  await page.keyboard.press('Enter')
  assert.equal(await why.count(), 0)
  await page.keyboard.press('Space')
  assert.equal(await why.count(), 1)
  assert.deepEqual(errors, [])
  await page.close()
})

test('a click on a row that streams explains it, though the row is drawn anew under the pointer', async () => {
  const { page, errors } = await open('?seed=5&speed=1&loss=0&delay=20')
  await page.fill('[data-client=A] form input', 'A long report please')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-client=A] .row.streaming .text')
  const { words, x, y } = await page.evaluate(() => {
    const text = [...document.querySelectorAll('[data-client=A] .row.streaming .text')].at(-1)
    const { left, bottom } = text.closest('.row').getBoundingClientRect()
    return { words: text.textContent, x: left + 30, y: bottom - 14 }
  })
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.waitForFunction(known => [...document.querySelectorAll('[data-client=A] .row.streaming .text')].at(-1)?.textContent !== known, words)
  await page.mouse.up()
  assert.match(await page.locator('[data-client=A] .why').textContent(), /Owner turn, state live.*its turn runs/)
  assert.deepEqual(errors, [])
  await page.close()
})

test('what a user types is queued, can be cancelled, is answered, and is text and never HTML', async () => {
  const { page, errors } = await open('?seed=5&speed=2&loss=0&delay=40')
  const write = async (client, text) => {
    await page.fill(`[data-client=${client}] form input`, text)
    await page.keyboard.press('Enter')
  }
  await write('A', 'A long report please <img src=x onerror=alert(1)>')
  await page.waitForSelector('[data-client=B] .row.streaming')
  await write('B', 'take this back')
  const queued = page.locator('[data-client=A] .row[data-state=queued]')
  assert.match(await queued.textContent(), /take this back/)
  await queued.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForFunction(() => document.querySelectorAll('.row[data-state=queued]').length === 0)
  await page.locator('[data-client=A] form').getByRole('button', { name: 'Stop' }).click()
  await page.waitForFunction(() => document.getElementById('light').dataset.state === 'equal')
  assert.match(await page.textContent('.server .log'), /<img src=x onerror=alert\(1\)>/)
  assert.equal(await page.locator('main img').count(), 0)
  assert.deepEqual(errors, [])
  await page.close()
})

test('older rows load, and while they are read the light says why the clients wait', async () => {
  const { page, errors } = await open('?seed=2&auto=1&speed=20&loss=0')
  await played(page)
  const [row] = [page.locator('[data-client=A] .row')]
  const before = await row.count()
  await page.locator('[data-client=A]').getByRole('button', { name: 'Load older' }).click()
  await page.waitForFunction(count => document.querySelectorAll('[data-client=A] .row').length > count, before)
  assert.equal((await light(page)).state, 'locked')
  await page.locator('[data-client=A] .strip input').uncheck()
  await page.waitForFunction(() => document.getElementById('light').dataset.state === 'equal')
  assert.deepEqual(errors, [])
  await page.close()
})

test('a saved recording loads again, and a broken one is refused with words', async () => {
  const { page, errors } = await open('?seed=4&auto=1&speed=20&loss=3')
  await played(page)
  const chunks = () => page.$$eval('.log .chunk', nodes => nodes.map(node => node.textContent))
  const log = await chunks()
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()])
  const path = `${root}/target/screenshots/recording.jsonl`
  await download.saveAs(path)
  await page.setInputFiles('#load', path)
  await page.waitForFunction(() => document.documentElement.dataset.play === 'playing')
  await played(page)
  assert.deepEqual(await light(page).then(({ state, faults }) => [state, faults]), ['equal', '0'])
  assert.deepEqual(await chunks(), log)
  writeFileSync(path, 'no json\n{"neither":1}\n')
  await page.setInputFiles('#load', path)
  await page.waitForSelector('#notice:not([hidden])')
  assert.match(await page.textContent('#notice'), /no events and no chunks/)
  assert.deepEqual(errors, [])
  await page.close()
})

for (const [name, query, options] of [
  ['light', '?seed=7&auto=1&speed=4', {}],
  ['dark', '?seed=7&auto=1&speed=4&loss=12', { colorScheme: 'dark' }],
  ['narrow', '?seed=7&auto=1&speed=4', { viewport: { width: 390, height: 844 } }],
]) {
  test(`nothing is cut off or wider than the screen: ${name}`, async () => {
    const { page, errors } = await open(query, options)
    await page.waitForSelector('[data-client=A] .tool')
    await page.locator('[data-client=A] .row.assistant .head').last().click()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
    assert.equal(wide, 0)
    assert.deepEqual(errors, [])
    await page.close()
  })
}

test('the server gives no file outside of the page and the package', async () => {
  const status = async path => (await fetch(demo.url.replace(/\/$/, '') + path)).status
  assert.equal(await status('/'), 200)
  assert.equal(await status('/lab/storm/'), 200)
  assert.equal(await status('/turnseal/wasm/store/turnseal.wasm'), 200)
  for (const path of ['/..%2fserve.mjs', '/turnseal/..%2f..%2fpackage.json', '/%2e%2e/serve.mjs', '/turnseal', '/nothing.js', '/%zz', '/%00'])
    assert.equal(await status(path), 404, path)
})
