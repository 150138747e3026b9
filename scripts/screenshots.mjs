// make screenshots: plays the demo as a person would, and keeps pictures of it in www/site/screenshots.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { at } from './lib.mjs'

const { chromium } = createRequire(at('pkg/package.json'))('playwright-core')
const UPNG = createRequire(at('www/site/package.json'))('upng-js')
/** The interface has few colours: with so many no eye sees a difference, and a picture has a third of its bytes. */
const COLOURS = 256

const folder = mkdtempSync(join(tmpdir(), 'turnseal-shots-'))
const out = at('www/site/screenshots')
mkdirSync(out, { recursive: true })

const demo = spawn(at('www/demo'), { env: { ...process.env, PORT: '0', DB: join(folder, 'log.db'), PACE: '12' }, stdio: ['ignore', 'pipe', 'inherit'] })
const url = await new Promise((done, failed) => {
  createInterface(demo.stdout).once('line', done)
  demo.once('exit', code => failed(new Error(`www/demo ended: ${code}`)))
})
const browser = await chromium.launch({ executablePath: process.env.CHROME || '/usr/bin/chromium', args: ['--no-sandbox'] })

const field = page => page.getByRole('textbox', { name: 'Message' })
const say = async (page, text) => {
  await field(page).fill(text)
  await field(page).press('Enter')
}
const idle = page => page.waitForFunction(() => document.querySelector('.view')?.getAttribute('aria-busy') === 'false')

async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1180, height: 800 }, deviceScaleFactor: 2, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  await page.goto(url + path)
  return page
}

async function shoot(page, name) {
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  const image = UPNG.decode(await page.screenshot())
  const png = UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, COLOURS)
  writeFileSync(join(out, `${name}.png`), Buffer.from(png))
  console.log(`${name}.png ${image.width} x ${image.height}, ${Math.round(png.byteLength / 1024)} KB`)
}

/** A list that looks lived in. */
async function before() {
  const threads = [['t-stock', 'How many lamps were sold?'], ['t-files', 'Which files are in the folder?'], ['t-hello', 'hello']]
  for (const [thread, text] of threads)
    await fetch(`${url}threads/${thread}/messages`, { method: 'POST', body: JSON.stringify({ clientId: thread, text }) })
  const page = await open('svelte/#t-hello')
  await page.getByText('start it again').waitFor()
  return page
}

const first = await before()
await shoot(await open('svelte/#t-new'), 'empty')
await first.context().close()

const tall = { viewport: { width: 1180, height: 930 } }
const page = await open('svelte/', { colorScheme: 'light', ...tall })
await field(page).waitFor()
await say(page, 'Which orders are late?')
await page.locator('.prose td').first().waitFor()
await idle(page)
await say(page, 'Ship the late ones')
await page.getByRole('group', { name: 'Approval' }).waitFor()
await say(page, 'Then write a report of this month')
await page.getByRole('region', { name: 'Queue' }).waitFor()
await say(page, 'And list the files')
await page.locator('.queued').nth(1).waitFor()
await shoot(page, 'light')

const dark = await open('react/', { colorScheme: 'dark', ...tall })
await dark.getByRole('group', { name: 'Approval' }).waitFor()
await shoot(dark, 'dark')

const phone = await open('svelte/', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
await phone.getByRole('group', { name: 'Approval' }).waitFor()
await shoot(phone, 'phone')
await phone.getByRole('button', { name: 'Open the list of threads' }).click()
await shoot(phone, 'phone-threads')

await dark.goto(`${url}react/#t-run`)
await say(dark, 'Run something long')
await dark.getByRole('button', { name: 'Approve' }).click()
await dark.locator('.terminal', { hasText: 'step 3' }).waitFor()
await field(dark).fill('What did it print?')
await shoot(dark, 'terminal')

const bad = await open('react/#t-run', { colorScheme: 'light' })
await bad.getByRole('article', { name: 'Assistant' }).waitFor()
await bad.getByRole('button', { name: 'Bad network' }).click()
await bad.getByRole('button', { name: 'Storm' }).click()
await shoot(bad, 'network')
await bad.getByRole('button', { name: 'Calm' }).click()

/** The story up to where the message is gone, the page for client 2 still on its way, and more behind it. */
async function lab(options) {
  const page = await open('lab/?speed=50', { viewport: { width: 1440, height: 900 }, ...options })
  const press = name => page.getByRole('button', { name, exact: true }).click()
  await press('A message vanishes at the seal')
  await page.waitForFunction(() => document.querySelector('.transport .primary')?.textContent === 'Run')
  await page.locator('.script summary').click()
  await page.locator('.script button', { hasText: /^\s*1: load\s*$/ }).last().click()
  await page.locator('.script summary').click()
  for (const name of ['Start next', 'Say', 'Say']) await press(name)
  await page.getByRole('textbox', { name: 'Message of client 2' }).fill('And thank you.')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('1')
  await page.evaluate(() => document.activeElement?.blur())
  return page
}
await shoot(await lab({ colorScheme: 'light' }), 'lab')
await shoot(await lab({ colorScheme: 'dark' }), 'lab-dark')

const bench = await open('bench/', { colorScheme: 'light', viewport: { width: 1180, height: 1240 } })
await bench.getByRole('button', { name: 'Measure' }).click()
await bench.getByRole('button', { name: 'Measure again' }).waitFor({ timeout: 180_000 })
await shoot(bench, 'bench')

await browser.close()
demo.kill('SIGINT')
await new Promise(done => demo.once('exit', done))
rmSync(folder, { recursive: true, force: true })
