// axe, and whether a page is wider than its screen.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { root } from '../chromium.mjs'

const axe = readFileSync(`${root}/www/site/node_modules/axe-core/axe.min.js`, 'utf8')

/** Fails where axe finds something serious, or something is cut off. */
export async function check(page, where) {
  const found = await page.evaluate(async source => {
    if (!globalThis.axe) (0, eval)(source)
    const { violations, passes } = await globalThis.axe.run(document)
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    return { passed: passes.length, serious: serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`) }
  }, axe)
  assert.ok(found.passed > 10, `axe looked at ${where}`)
  assert.deepEqual(found.serious, [], where)
  await fits(page, where)
}

/** Fails where a page is wider than its screen. */
export async function fits(page, where) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  assert.equal(wide, 0, `${where} is wider than the screen`)
}
