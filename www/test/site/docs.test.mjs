// The documentation as pages: every link of them leads somewhere, the search finds, and everybody can read them.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { PAGES } from '../../site/docs/pages.js'
import { root, startChromium } from '../chromium.mjs'
import { check, fits } from './axe.mjs'
import { serve } from './lib.mjs'

let chromium
before(async () => (chromium = await startChromium()))
after(() => chromium?.close())

/** A page, whose errors fail the test. */
async function read({ url, pages }, path, options = {}) {
  const context = await chromium.newContext({ viewport: { width: 1300, height: 900 }, bypassCSP: true, ...options })
  const page = await context.newPage()
  const errors = []
  pages.push({ context, errors })
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  await page.goto(url + path)
  return page
}

test('each page of docs is a page of the site', () => {
  const sources = PAGES.map(({ source }) => source)
  for (const name of readdirSync(`${root}/docs`).filter(file => file.endsWith('.md'))) assert.ok(sources.includes(`docs/${name}`), name)
})

test('each page is there, and each link of it leads to a page and to an anchor that it has', { timeout: 60_000 }, async t => {
  const { url } = await serve(t)
  const texts = new Map()
  const load = async path => {
    if (!texts.has(path)) texts.set(path, fetch(url + path.slice(1)).then(async response => ({ status: response.status, text: await response.text() })))
    return texts.get(path)
  }
  let looked = 0
  for (const page of PAGES) {
    const { status, text } = await load(page.url)
    assert.equal(status, 200, page.url)
    for (const [, to] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^https:/.test(to)) continue
      const [path, anchor] = to.replaceAll('&amp;', '&').split('#')
      const found = await load(path || page.url)
      assert.equal(found.status, 200, `${page.url}: ${to}`)
      if (anchor) assert.ok(found.text.includes(` id="${anchor}"`), `${page.url}: ${to}`)
      looked += 1
    }
  }
  assert.ok(looked > 300, `${looked} links`)
})

test('the search finds by symptom, by code and by name, with the keyboard alone', { timeout: 60_000 }, async t => {
  const server = await serve(t)
  const { url } = server
  const page = await read(server, 'docs/concepts/')
  const asked = async words => {
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill(words)
    await page.locator(`.found[data-asked="${words}"] li`).first().waitFor()
    return page.locator('.found a').evaluateAll(all => all.map(link => link.getAttribute('href')))
  }
  assert.ok((await asked('shows twice')).includes('/docs/troubleshooting/#a-message-of-the-user-shows-twice'))
  assert.ok((await asked('resync-failed'))[0].startsWith('/docs/diagnostics/#'))
  assert.ok((await asked('dehydrate')).some(to => to.startsWith('/docs/recipes/')))
  assert.ok((await page.locator('.found mark').count()) > 0)
  assert.deepEqual(await asked('zzzzqqqq'), [])
  assert.match(await page.locator('.found').textContent(), /Nothing has/)
  const [first, second] = await asked('approval')
  assert.notEqual(first, second)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(new URL(second, url).href)
  await page.keyboard.press('/')
  await page.getByRole('searchbox').fill('evidence')
  await page.locator('.found a').first().waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.found').isVisible(), false)
  assert.equal(await page.getByRole('searchbox').inputValue(), '')
})

test('the theme of the chat is that of the pages, and their button changes it', async t => {
  const server = await serve(t)
  const page = await read(server, 'docs/')
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  assert.notEqual(await ground(), light)
  await page.goto(`${server.url}docs/concepts/`)
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  assert.notEqual(await ground(), light)
})

for (const [name, options] of [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
]) {
  test(`axe finds no serious fault, and no page is wider than its screen: ${name}`, { timeout: 120_000 }, async t => {
    const server = await serve(t)
    const page = await read(server, 'docs/', options)
    for (const { url: path, slug } of PAGES) {
      await page.goto(server.url + path.slice(1))
      // axe takes seconds for a page; these have all that pages have.
      if (['', 'start', 'concepts', 'diagnostics'].includes(slug)) await check(page, path)
      else await fits(page, path)
    }
    if (name !== 'phone') return
    await page.locator('.menu summary').click()
    await page.locator('.menu').getByRole('link', { name: 'Concepts' }).click()
    await page.getByRole('heading', { name: 'Concepts', level: 1 }).waitFor()
  })
}
