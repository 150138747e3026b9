// A thread of 2,000 messages: to its beginning and back, and what is read does not move.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { root, startChromium } from '../chromium.mjs'
import { VIEWS, open, quiet, rows, serve, write } from './lib.mjs'

const TURNS = 1_000
let chromium
before(async () => (chromium = await startChromium()))
after(() => chromium?.close())

/** A log in which that much was said, as the server writes it. */
async function long(path) {
  const { Database } = await createRequire(`${root}/www/site/package.json`)('sql.js')()
  const db = new Database()
  db.run('CREATE TABLE chunks (thread TEXT NOT NULL, seq INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (thread, seq)) WITHOUT ROWID')
  db.run('CREATE TABLE threads (id TEXT PRIMARY KEY, meta TEXT NOT NULL) WITHOUT ROWID')
  const row = (seq, chunk) => db.run('INSERT INTO chunks VALUES (?, ?, ?)', ['main', seq, JSON.stringify({ seq, type: 'text', createdAt: 1_750_000_000_000 + seq, ...chunk })])
  for (let at = 0; at < TURNS; at++) {
    const turnId = `main:${at + 1}`
    row(2 * at + 1, { turnId, role: 'user', data: { text: `question ${at}` }, messageId: `m-k${at}`, clientIds: [`k${at}`] })
    // Some are long, some have a table: rows are not all of one height.
    const text = [`Answer ${at}.`, 'Some words that go on. '.repeat(1 + (at % 23)), at % 7 ? '' : '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |'].join('\n\n').trim()
    row(2 * at + 2, { turnId, executionId: `${turnId}/0`, role: 'assistant', data: { text }, step: 0 })
  }
  db.run('INSERT INTO threads VALUES (?, ?)', ['main', JSON.stringify({ started: TURNS, n: 0, version: 0, open: [], queue: [], answered: [] })])
  writeFileSync(path, db.export())
}

for (const view of VIEWS) {
  test(`${view}: 2,000 messages are scrolled to the top and back`, { timeout: 90_000 }, async t => {
    const server = await serve(t, { pace: 0, prepare: long })
    const page = await open(chromium, server, view)
    await rows(page).first().waitFor()
    await quiet(page)
    // What stands at the upper edge, and where: it is looked for again after each page.
    const moved = await page.evaluate(async () => {
      const view = document.querySelector('.view')
      const frame = () => new Promise(requestAnimationFrame)
      const top = row => row.getBoundingClientRect().top
      let worst = 0
      for (let rounds = 0; rounds < 60; rounds++) {
        if ([...document.querySelectorAll('.top')].some(line => line.textContent.includes('beginning'))) break
        view.scrollTop = 300
        await frame()
        const edge = view.getBoundingClientRect().top
        const row = [...document.querySelectorAll('.row')].find(each => each.getBoundingClientRect().bottom > edge)
        const [before, count] = [top(row), document.querySelectorAll('.row').length]
        for (let waited = 0; waited < 300 && document.querySelectorAll('.row').length === count; waited++) await frame()
        await frame()
        worst = Math.max(worst, Math.abs(top(row) - before))
      }
      return worst
    })
    assert.ok(moved <= 1, `${view}: what was read moved by ${moved} px`)
    const texts = await page.$$eval('.words', all => all.map(words => words.textContent))
    assert.deepEqual(texts, Array.from({ length: TURNS }, (_, at) => `question ${at}`), 'each message once, in order')
    await page.getByRole('button', { name: 'Latest' }).click()
    await page.waitForFunction(() => {
      const view = document.querySelector('.view')
      return view.scrollHeight - view.clientHeight - view.scrollTop < 2
    })
    await write(page, 'hello')
    await page.getByText('start it again').last().waitFor()
    await page.waitForFunction(() => {
      const view = document.querySelector('.view')
      return view.scrollHeight - view.clientHeight - view.scrollTop < 2
    })
  })
}
