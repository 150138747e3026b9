// Who cannot see, has no mouse, or has a small screen: axe finds nothing serious, keys reach everything, nothing is cut off.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startChromium } from '../chromium.mjs'
import { check } from './axe.mjs'
import { VIEWS, open, quiet, serve, write } from './lib.mjs'

let chromium
before(async () => (chromium = await startChromium()))
after(() => chromium?.close())

for (const view of VIEWS) {
  for (const [name, options] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ]) {
    test(`${view}: axe finds no serious fault: ${name}`, { timeout: 60_000 }, async t => {
      const server = await serve(t, { pace: 5 })
      // axe is not of the page; its policy would not let it in.
      const page = await open(chromium, server, view, { ...options, bypassCSP: true })
      await check(page, 'an empty thread')
      await write(page, 'Which orders are late?')
      await quiet(page)
      await page.locator('.tool .bar').click()
      await write(page, 'Ship the late ones')
      await page.getByRole('group', { name: 'Approval' }).waitFor()
      await write(page, 'hello')
      await page.getByRole('region', { name: 'Queue' }).waitFor()
      await check(page, 'a result, a question and a queue')
      await page.getByRole('button', { name: 'Edit: hello' }).click()
      await page.getByRole('button', { name: 'Bad network' }).click()
      await check(page, 'an edit and the panel')
      if (name !== 'phone') return
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Open the list of threads' }).click()
      await check(page, 'the list of threads')
    })
  }

  test(`${view}: an answer is heard in sentences, and a question at once`, { timeout: 60_000 }, async t => {
    const server = await serve(t, { pace: 20 })
    const page = await open(chromium, server, view)
    await page.evaluate(() => {
      globalThis.heard = []
      const region = document.querySelector('[role=status][aria-live=polite]')
      new MutationObserver(() => globalThis.heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true })
    })
    await write(page, 'hello')
    await quiet(page)
    await write(page, 'Ship them')
    await page.getByRole('group', { name: 'Approval' }).waitFor()
    const heard = await page.evaluate(() => globalThis.heard)
    assert.ok(heard.length >= 3, JSON.stringify(heard))
    assert.ok(heard.some(words => /^Change database needs your approval\./.test(words)), JSON.stringify(heard))
    const said = heard.join(' ')
    assert.match(said, /Nothing that you type is lost/)
    assert.equal(said.match(/I am a demo/g).length, 1, 'once')
  })

  test(`${view}: all that a mouse reaches, a keyboard reaches`, { timeout: 60_000 }, async t => {
    const server = await serve(t, { pace: 5 })
    const page = await open(chromium, server, view)
    await write(page, 'Ship the late ones')
    await page.getByRole('group', { name: 'Approval' }).waitFor()
    await write(page, 'hello')
    await page.getByRole('region', { name: 'Queue' }).waitFor()
    const reached = new Set()
    await page.evaluate(() => document.activeElement?.blur())
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim()))
    }
    const wanted = await page.$$eval('button, a[href], textarea, summary', all => all
      .filter(node => node.checkVisibility() && !node.disabled)
      .map(node => node.getAttribute('aria-label') ?? node.textContent.trim()))
    assert.deepEqual(wanted.filter(name => !reached.has(name)), [])
    // The button of an approval goes away with its question: the focus goes to the field, not to nowhere.
    await page.getByRole('button', { name: 'Deny' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Approval' }).waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message')
  })
}
