// The three front ends of www/examples, each in a Chromium: what a user does, a reload, and a second page that comes late.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startChromium } from '../chromium.mjs'
import { PATIENCE_MS, startExample } from './lib.mjs'

let chromium
before(async () => (chromium = await startChromium(['--disable-gpu', '--disable-dev-shm-usage'])))
after(() => chromium.close())

/** A page in a browser of its own: another storage. What it complains of fails the test. */
async function open(t, url) {
  const context = await chromium.newContext({ viewport: { width: 800, height: 900 } })
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => ['error', 'warning'].includes(message.type()) && errors.push(message.text()))
  page.setDefaultTimeout(PATIENCE_MS)
  t.after(() => context.close())
  // Before the back end goes: that it is gone is an error to a page.
  page.done = async () => {
    await context.close()
    assert.deepEqual(errors, [])
  }
  await page.goto(url)
  await isOpen(page)
  return page
}
const isOpen = page => page.getByText('open', { exact: true }).waitFor()
const button = (page, name) => page.getByRole('button', { name, exact: true })
const field = page => page.getByRole('textbox', { name: 'Message' })
const row = (page, state, text) => page.locator(`li[data-state="${state}"]`, { hasText: text })
async function write(page, text) {
  await field(page).fill(text)
  await field(page).press('Enter')
}
/** Nothing runs, and so many rows are written. */
const quiet = (page, count) =>
  page.waitForFunction(
    wanted => document.querySelector('ol')?.ariaBusy === 'false' && document.querySelectorAll('li').length === wanted && document.querySelectorAll('li[data-state="sealed"]').length === wanted,
    count,
  )
const read = page => page.$$eval('li', all => all.map(one => `${one.dataset.role}: ${[...one.querySelectorAll('p')].map(part => part.textContent).join(' / ')}`))
/** The first row of a user as an object of the page: what is drawn anew is another one. */
const mark = page => page.$eval('li', first => (first.dataset.mark = 'first'))

for (const name of ['plain', 'react', 'sveltekit']) {
  test(`${name}: a conversation, a queue, a stop, a reload, a second page`, async t => {
    const url = await startExample(t, name)
    const page = await open(t, url)
    await write(page, 'hello')
    await quiet(page, 2)
    await mark(page)
    if (name !== 'plain') await tools(page)
    const told = name === 'plain' ? 2 : 6

    await write(page, 'count')
    await row(page, 'live', '1 2 3 ').waitFor()
    await write(page, 'and then?')
    await write(page, 'never mind')
    await row(page, 'queued', 'never mind').getByRole('button', { name: 'Cancel' }).click()
    await row(page, 'queued', 'never mind').waitFor({ state: 'detached' })
    await field(page).fill('half a tho')

    // The page is read anew in the middle of it: what runs, what waits and what is typed is there.
    await page.reload()
    await isOpen(page)
    await row(page, 'live', '1 2 3 ').waitFor()
    await row(page, 'queued', 'and then?').waitFor()
    assert.equal(await field(page).inputValue(), 'half a tho')
    const late = await open(t, url)
    await row(late, 'live', '1 2 3 ').waitFor()
    await row(late, 'queued', 'and then?').waitFor()
    assert.equal(await field(late).inputValue(), '')

    await mark(page)
    await button(page, 'Stop').click()
    await button(late, 'Resume').click()
    await quiet(page, told + 4)
    await quiet(late, told + 4)
    const rows = await read(page)
    assert.equal(rows[0], 'user: hello')
    assert.match(rows.slice(-4).join('\n'), /^user: count\nassistant: 1 2 3 [\d ]*\nuser: and then\?\nassistant: .*You said “and then\?”/)
    assert.deepEqual(await read(late), rows)
    // No row was drawn anew when its turn was written.
    assert.equal(await page.$eval('li', first => first.dataset.mark), 'first')
    await page.reload()
    await quiet(page, told + 4)
    assert.deepEqual(await read(page), rows)
    if (name === 'sveltekit') assert.match(await (await fetch(url)).text(), /<li data-role="user" data-state="sealed">/, 'rows before any script has run')
    await page.done()
    await late.done()
  })
}

/** A tool that is asked for first, and is denied; then one that is allowed. */
async function tools(page) {
  for (const [act, at] of [['Deny', 4], ['Approve', 6]]) {
    await write(page, `delete it: ${act}`)
    await button(page, act).click()
    await quiet(page, at)
  }
  assert.match((await read(page)).join('\n'), /delete_file: .*did not allow[\s\S]*delete_file: done: "notes.txt would be gone now"/)
}
