// The chat in headless Chromium over the real server: one suite, played on the page in Svelte and on the one in React.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startChromium } from '../chromium.mjs'
import { VIEWS, field, open, queue, quiet, read, rows, serve, write } from './lib.mjs'

let chromium
before(async () => (chromium = await startChromium()))
after(() => chromium?.close())

for (const view of VIEWS) {
  const play = (name, run, options) => test(`${view}: ${name}`, { timeout: 90_000 }, async t => {
    const server = await serve(t, options)
    await run(t, server, extra => open(chromium, server, view, extra))
  })

  play('two browsers see one thread, and nothing is mounted anew when its turn is sealed', async (t, server, join) => {
    const [a, b] = [await join(), await join()]
    await write(a, 'Which orders are late?')
    const live = rows(b, 'Assistant')
    await live.waitFor()
    await b.evaluate(() => document.querySelectorAll('.row').forEach(row => (row.kept = true)))
    await Promise.all([quiet(a), quiet(b)])
    assert.deepEqual(await b.$$eval('.row', all => all.map(row => row.kept === true)), [true, true])
    assert.deepEqual(await read(a), await read(b))
    assert.equal(await live.locator('.prose td').nth(1).textContent(), 'Ada')
    assert.equal(await a.getByRole('button', { name: 'Which orders are late?' }).count(), 1, 'the list has its title')
  })

  play('a queue is edited, moved and cancelled by keys, and goes on when another browser approves', async (t, server, join) => {
    const [a, b] = [await join(), await join()]
    await write(a, 'Ship the late ones')
    await b.getByRole('group', { name: 'Approval' }).waitFor()
    for (const text of ['one', 'two', 'three']) await write(a, `hello ${text}`)
    await queue(b).nth(2).waitFor()
    await field(a).press('ArrowUp')
    const edit = a.getByRole('textbox', { name: 'Edit the queued message' })
    assert.equal(await edit.inputValue(), 'hello three')
    await edit.fill('late?')
    await edit.press('Enter')
    await b.getByTitle('late?').waitFor()
    assert.equal(await a.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message')
    await a.getByRole('button', { name: 'Move up: late?' }).press('Enter')
    await b.waitForFunction(() => document.querySelectorAll('.what')[1]?.textContent === 'late?')
    await b.getByRole('button', { name: 'Cancel: hello two' }).click()
    await a.waitForFunction(() => document.querySelectorAll('.what').length === 2)
    assert.deepEqual(await queue(a).allTextContents(), ['hello one', 'late?'])
    await a.getByRole('button', { name: 'Send now: late?' }).click()
    await b.waitForFunction(() => document.querySelectorAll('.what')[0]?.textContent === 'late?')
    await b.getByRole('button', { name: 'Approve' }).click()
    await Promise.all([quiet(a), quiet(b)])
    const said = await read(a)
    assert.deepEqual(said.filter(line => line.startsWith('You')), ['You: Ship the late ones', 'You: late?', 'You: hello one'])
    assert.match(said[1], /Change database.*Done$/, 'what was sent now comes before the next step')
    assert.deepEqual(await read(b), said)
  }, { pace: 5 })

  play('a steer is next: the turn that runs yields at its next step', async (t, server, join) => {
    const page = await join()
    await write(page, 'Ship the late ones')
    await page.getByRole('group', { name: 'Approval' }).waitFor()
    await write(page, 'hello', 'Control+Enter')
    await page.locator('.queued .badge', { hasText: 'steer' }).waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await quiet(page)
    const said = await read(page)
    assert.deepEqual(said.map(line => line.split(':')[0]), ['You', 'Assistant', 'You', 'Assistant'])
    assert.match(said[1], /Change database.*Done$/)
    assert.equal(said[2], 'You: hello')
    assert.match(said[3], /I am a demo/)
  }, { pace: 5 })

  play('Escape stops a tool that prints, the queue is held, and resumed', async (t, server, join) => {
    const page = await join()
    await write(page, 'Run something long')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.locator('.terminal', { hasText: 'step 1 of 8' }).waitFor()
    await write(page, 'late?')
    await queue(page).waitFor()
    await field(page).press('Escape')
    await page.getByRole('region', { name: /stopped/i }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await quiet(page)
    assert.match((await read(page)).at(-1), /orders are late/)
  }, { pace: 5 })

  play('a page that is loaded anew in mid-stream goes on, and a draft is there again', async (t, server, join) => {
    const page = await join()
    await write(page, 'hello')
    await rows(page, 'Assistant').locator('.prose').waitFor()
    await field(page).fill('half a thou')
    await page.reload()
    await rows(page, 'Assistant').locator('.prose[data-growing]').waitFor()
    assert.equal(await field(page).inputValue(), 'half a thou')
    await quiet(page)
    assert.deepEqual((await read(page)).map(line => line.split(':')[0]), ['You', 'Assistant'])
    assert.match((await read(page))[1], /start it again\.$/)
  })

  play('what does not arrive says so, and is sent again', async (t, server, join) => {
    const page = await join({ expected: /status of 413/ })
    await page.route('**/messages', route => route.fulfill({ status: 413, json: { code: 'too-large', message: 'a body over 1 MB' } }))
    await write(page, 'late?')
    await rows(page, 'You').getByText('Not delivered').waitFor()
    await page.unroute('**/messages')
    await page.getByRole('button', { name: 'Retry' }).click()
    await quiet(page)
    assert.deepEqual((await read(page)).map(line => line.split(':')[0]), ['You', 'Assistant'])
    await write(page, 'fail')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.trouble').length === 2)
  }, { pace: 5 })

  play('in a storm two browsers still end equal to the log', async (t, server, join) => {
    const [a, b] = [await join(), await join()]
    await a.getByRole('button', { name: 'Bad network' }).click()
    await a.getByRole('button', { name: 'Storm' }).click()
    assert.equal((await server.ask('/chaos')).loss, 12)
    await server.ask('/chaos', 'PUT', { delay: 200, loss: 12, repeat: 12, cut: 2, slow: 200 })
    for (const text of ['late?', 'How many were sold?', 'hello']) await write(a, text)
    await a.waitForFunction(() => document.querySelectorAll('.row.user').length === 3)
    await server.ask('/chaos', 'PUT', {})
    await Promise.all([quiet(a), quiet(b)])
    assert.deepEqual(await read(a), await read(b))
    assert.equal((await read(a)).filter(line => line.startsWith('You')).length, 3)
    assert.equal((await read(a)).length, 6)
  })

  play('Shift+Enter is a new line, and what is typed is never HTML', async (t, server, join) => {
    const page = await join()
    await field(page).fill('a <img src=x onerror=alert(1)>')
    await field(page).press('Shift+Enter')
    await field(page).pressSequentially('b')
    await field(page).press('Enter')
    await quiet(page)
    assert.equal(await page.locator('.words').textContent(), 'a <img src=x onerror=alert(1)>\nb')
    assert.equal(await page.locator('.view img').count(), 0)
  }, { pace: 0 })

  play('threads are made, named, chosen, and kept in the address', async (t, server, join) => {
    const page = await join()
    await write(page, 'late?')
    await quiet(page)
    await page.getByRole('button', { name: 'New chat' }).first().click()
    await page.getByRole('heading', { name: 'What can I do for you?' }).waitFor()
    await page.getByRole('button', { name: 'Write a report' }).click()
    await page.getByRole('group', { name: 'Approval' }).waitFor()
    await page.getByRole('button', { name: 'Rename this chat' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('The report')
    await page.getByRole('textbox', { name: 'Title' }).press('Enter')
    await page.getByRole('button', { name: 'The report' }).waitFor()
    await page.getByRole('button', { name: /^late/ }).click()
    await page.getByText('orders are late').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'The report' }).waitFor()
    await page.reload()
    await page.getByRole('group', { name: 'Approval' }).waitFor()
    assert.equal((await server.ask('/threads')).threads.length, 2)
  }, { pace: 0 })
}
