// The bench page: it measures in this browser, with small numbers here, and shows figures and plots. No time is looked at.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startChromium } from '../chromium.mjs'
import { check } from './axe.mjs'
import { serve } from './lib.mjs'

let chromium
before(async () => (chromium = await startChromium()))
after(() => chromium?.close())

async function open(t, options = {}) {
  const server = await serve(t)
  const context = await chromium.newContext({ viewport: { width: 1100, height: 900 }, bypassCSP: options.bypassCSP ?? false, ...options })
  const page = await context.newPage()
  const errors = []
  server.pages.push({ context, errors })
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  page.setDefaultTimeout(30_000)
  await page.goto(`${server.url}bench/?sizes=10,100&rounds=3&chunks=140`)
  await page.getByRole('heading', { name: 'What it costs' }).waitFor()
  return page
}
const plots = page => page.locator('svg.plot').evaluateAll(all => all.map(svg => ({ said: svg.getAttribute('aria-label'), marks: svg.querySelectorAll('rect, circle').length })))
const here = page => page.getByRole('region', { name: 'In this browser' })
const measured = page => page.getByRole('button', { name: 'Measure again' }).waitFor()

test('it measures in a worker while the page stays free, and shows figures, growth and plots', { timeout: 90_000 }, async t => {
  const page = await open(t)
  assert.equal((await plots(page)).length, 2, 'what was recorded is there before anything is measured')
  await here(page).getByRole('button', { name: 'Measure' }).click()
  // The page answers while the worker works.
  await page.getByRole('button', { name: /^Theme/ }).click()
  await measured(page)
  const rows = await here(page).locator('tbody tr').evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)))
  assert.deepEqual(rows.map(([name]) => name), ['10', '100', 'growth'])
  for (const [, ours, slice] of rows.slice(0, 2)) for (const figure of [ours, slice]) assert.match(figure, /^[\d.,]+ (ns|µs|ms)$/)
  const [lines, bars, peers, long] = await plots(page)
  assert.match(lines.said, /turnseal: .+ at 10 groups, .+ at 100 groups; hand-written slice: /)
  assert.equal(lines.marks, 4)
  assert.match(bars.said, /turnseal .+; JSON\.parse alone /)
  assert.equal(bars.marks, 2)
  for (const name of ['turnseal', 'AI SDK AbstractChat', 'TanStack ChatClient', 'AG-UI AbstractAgent', 'assistant-ui external store', 'zustand with immer']) assert.ok(peers.said.includes(name), name)
  assert.equal(peers.marks, 7)
  assert.ok(long.said.includes('at 100,000 groups'))
  assert.ok(await page.getByRole('row').filter({ hasText: 'missed' }).count() > 0, 'what was missed is said')
})

test('a run can be stopped, and begun again', { timeout: 90_000 }, async t => {
  const page = await open(t)
  await page.evaluate(() => history.replaceState(null, '', '?sizes=10,100&rounds=3&chunks=140'))
  await here(page).getByRole('button', { name: 'Measure' }).click()
  await here(page).getByRole('button', { name: 'Stop' }).click().catch(() => {})
  await here(page).getByRole('button', { name: /^Measure/ }).click()
  await measured(page)
  assert.equal(await here(page).locator('tbody tr').count(), 3)
})

for (const [name, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]) {
  test(`axe finds no serious fault on the bench page: ${name}`, { timeout: 60_000 }, async t => {
    const page = await open(t, { ...options, bypassCSP: true })
    await here(page).getByRole('button', { name: 'Measure' }).click()
    await measured(page)
    await check(page, 'the bench page')
  })
}
