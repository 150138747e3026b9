// What the tests of the site share: a server with the site, a Chromium, and pages that report what goes wrong in them.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { root } from '../chromium.mjs'
import { startServer } from '../server.mjs'

/** A log that is gone with its test has nothing to survive: where there is a folder in memory it is there. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export const VIEWS = ['svelte', 'react']

/** A server with the site, on a free port; ended with the test that `t` is. `prepare` makes its log, if there is to be one. */
export async function serve(t, { pace = 20, args = [], prepare } = {}) {
  const folder = mkdtempSync(`${memory}/turnseal-site-`)
  await prepare?.(`${folder}/log.db`)
  const options = ['--db', `${folder}/log.db`, '--site', `${root}/www/site/dist`, '--pace', String(pace), '--chaos', 'off', ...args]
  const { url, kill } = await startServer(...options)
  const pages = []
  // The pages go first: a server that is gone is an error to them.
  t.after(async () => {
    const errors = pages.flatMap(page => page.errors)
    for (const { context } of pages) await context.close()
    assert.deepEqual(errors, [], 'errors of the pages')
  })
  t.after(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = async (path, method = 'GET', body) => {
    const response = await fetch(url + path.slice(1), { method, body: body && JSON.stringify(body) })
    return response.json()
  }
  return { url, ask, pages, say: (text, clientId, thread = 'main') => ask(`/threads/${thread}/messages`, 'POST', { clientId, text }) }
}

/** A page of one view, in a browser of its own: another storage, another socket. Its errors fail the test, but for what is expected. */
export async function open(chromium, { url, pages }, view, { thread = 'main', expected, ...options } = {}) {
  const context = await chromium.newContext({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const errors = []
  pages.push({ context, errors })
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => message.type() === 'error' && !expected?.test(message.text()) && errors.push(message.text()))
  page.setDefaultTimeout(20_000)
  await page.goto(`${url}${view}/#${thread}`)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.getByTestId('connection').waitFor({ state: 'detached' })
  return page
}

export const field = page => page.getByRole('textbox', { name: 'Message' })
export const rows = (page, name) => page.getByRole('article', { name })
export const queue = page => page.getByRole('region', { name: 'Queue' }).locator('.what')

/** Types a message and sends it with Enter. */
export async function write(page, text, keys = 'Enter') {
  await field(page).fill(text)
  await field(page).press(keys)
}

/** Waits until nothing runs and nothing waits. */
export const quiet = page => page.waitForFunction(() =>
  document.querySelector('.view')?.getAttribute('aria-busy') === 'false' && !document.querySelector('.queue') &&
  [...document.querySelectorAll('.row')].every(row => row.dataset.state === 'sealed'))

/** What is read on a page, top to bottom. */
export const read = page => page.$$eval('.row', all => all.map(row =>
  `${row.getAttribute('aria-label')}: ${[...row.querySelectorAll('.words, .prose, .tool > .bar, .trouble .text')].map(part => part.textContent.replace(/\s+/g, ' ').trim()).join(' / ')}`))

