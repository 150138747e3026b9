// The lab: each message is held, moved, lost and stepped by hand; what was played is rewound, saved, and plays natively.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { root, startChromium } from '../chromium.mjs'
import { check } from './axe.mjs'
import { serve } from './lib.mjs'

const folder = mkdtempSync(`${tmpdir()}/turnseal-lab-`)
const run = promisify(execFile)
let chromium
before(async () => (chromium = await startChromium()))
after(async () => {
  await chromium?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(t, options = {}, query = '?speed=50') {
  const server = await serve(t)
  const context = await chromium.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true, ...options })
  const page = await context.newPage()
  const errors = []
  server.pages.push({ context, errors })
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  page.setDefaultTimeout(20_000)
  await page.goto(`${server.url}lab/${query}`)
  await page.getByRole('heading', { name: 'turnseal lab' }).waitFor()
  return page
}

const client = (page, number) => page.getByRole('region', { name: `Client ${number}`, exact: true })
const rows = (page, number, store) => page.getByRole('list', { name: `Rows of client ${number}, ${store}` }).locator('.row .line .text').allTextContents()
const wire = (page, number) => page.getByRole('region', { name: `On its way: client ${number}` })
const cards = (page, number) => wire(page, number).locator('.go').allInnerTexts().then(all => all.map(text => text.replace('\n', ' ')))
const button = (page, name) => page.getByRole('button', { name, exact: true })
const step = async (page, count = 1) => {
  for (let at = 0; at < count; at += 1) await button(page, 'Step').click()
}
/** All that can be read of the lanes. */
const all = page => page.locator('.lanes').innerText()
const say = async (page, number, text) => {
  await page.getByRole('textbox', { name: `Message of client ${number}` }).fill(text)
  await page.keyboard.press('Enter')
}
async function story(page, name) {
  await button(page, name).click()
  await page.waitForFunction(() => document.querySelector('.transport .primary').textContent === 'Run')
}
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  const path = `${folder}/${download.suggestedFilename()}`
  await download.saveAs(path)
  return path
}
/** Plays files as the project's scenarios are played: natively, with every law looked at behind every line. */
async function natively(...paths) {
  const { stdout } = await run('cargo', ['test', '--quiet', '--all-features', '--test', 'scenarios', '--', ...paths], { cwd: root }).catch(({ stdout: out, stderr }) => assert.fail(`${out}${stderr}`))
  assert.match(stdout, new RegExp(`test result: ok\\. ${paths.length} passed`))
}

test('messages are stepped, reordered and lost, by buttons and by keys; going back and forth gives the same again', { timeout: 120_000 }, async t => {
  const page = await open(t)
  await say(page, 1, 'Why?')
  assert.deepEqual(await cards(page, 1), ['send “Why?”'])
  await step(page)
  assert.deepEqual(await cards(page, 1), ['turn-start t-k1', 'send: ok “Why?”'])
  assert.deepEqual(await cards(page, 2), ['turn-start t-k1'])
  // The answer overtakes the event.
  await button(page, 'Later: turn-start t-k1').first().click()
  assert.deepEqual(await cards(page, 1), ['send: ok “Why?”', 'turn-start t-k1'])
  await step(page, 1)
  assert.deepEqual(await rows(page, 2, 'turnseal'), [], 'the event to client 1 was moved behind that to client 2')
  const badge = () => client(page, 1).locator('.ours .badge').first().innerText()
  assert.equal(await badge(), 'starting')
  // By keys: the first of two words is lost, the second arrives, and ours asks for what it missed.
  await step(page, 2)
  assert.equal(await badge(), 'turn · live')
  await button(page, 'Go on').click()
  await button(page, 'Go on').click()
  const words = wire(page, 2).locator('.go')
  await words.nth(1).focus()
  await page.keyboard.press('Alt+ArrowUp')
  assert.deepEqual(await cards(page, 2), ['text-delta t-k1 “The test compares a date”', 'text-delta t-k1 “Let me look.”'])
  await words.nth(0).focus()
  await page.keyboard.press('Delete')
  assert.equal((await cards(page, 2)).length, 1)
  const here = await all(page)
  const cardsHere = [await cards(page, 1), await cards(page, 2)]
  await button(page, 'Back').click()
  assert.notEqual(await all(page), here)
  await button(page, 'Step').click()
  assert.equal(await all(page), here)
  await button(page, 'Rewind').click()
  assert.deepEqual(await rows(page, 1, 'turnseal'), [])
  await page.getByRole('slider', { name: 'Place in time' }).focus()
  await page.keyboard.press('End')
  assert.equal(await all(page), here)
  assert.deepEqual([await cards(page, 1), await cards(page, 2)], cardsHere)
  await natively(await saved(page, 'Save scenario'))
})

test('a message is dragged to another place, and onto the bin', { timeout: 60_000 }, async t => {
  const page = await open(t)
  await say(page, 1, 'Why?')
  await step(page)
  const drag = async (card, to) => {
    const from = await wire(page, 1).locator('.flight', { hasText: card }).locator('.grip').boundingBox()
    await page.mouse.move(from.x + 6, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 6, from.y + 20, { steps: 3 })
    await to()
    await page.mouse.up()
  }
  await drag('turn-start', async () => {
    const last = await wire(page, 1).locator('.flight').last().boundingBox()
    await page.mouse.move(last.x + 20, last.y + last.height + 4, { steps: 5 })
  })
  assert.deepEqual(await cards(page, 1), ['send: ok “Why?”', 'turn-start t-k1'])
  await drag('turn-start', async () => {
    const bin = await page.locator('.bin').boundingBox()
    await page.mouse.move(bin.x + 30, bin.y + 15, { steps: 5 })
  })
  assert.deepEqual(await cards(page, 1), ['send: ok “Why?”'])
  const lines = readFileSync(await saved(page, 'Save scenario'), 'utf8')
  assert.match(lines, /^1: miss$/m)
})

test('the naive store shows each bug, and ours does not; the stories play natively', { timeout: 240_000 }, async t => {
  const page = await open(t)
  const verdict = (number, store) => client(page, number).locator(`.${store} .verdict`).innerText()
  const fine = async () => {
    for (const number of [1, 2]) assert.match(await verdict(number, 'ours'), /nothing lost, nothing twice/)
  }
  const paths = []

  await story(page, 'A message vanishes at the seal')
  await fine()
  await page.locator('.script summary').click()
  await page.locator('.script button', { hasText: /^\s*2: load\s*$/ }).last().click()
  assert.match(await verdict(1, 'theirs'), /“Then fix it\.” is gone/)
  assert.equal((await rows(page, 1, 'turnseal')).filter(text => text === 'Then fix it.').length, 1)
  await fine()
  paths.push(await saved(page, 'Save scenario'))

  await story(page, 'An answer shows twice')
  assert.match(await verdict(2, 'theirs'), /the answer of t-k1 is shown twice/)
  assert.match(await verdict(1, 'theirs'), /nothing lost, nothing twice/)
  assert.deepEqual(await rows(page, 2, 'turnseal'), ['Which licences do we use?', 'Three: two MIT, one Apache.'])
  await fine()
  paths.push(await saved(page, 'Save scenario'))

  await story(page, 'Stop leaves the queue stuck')
  assert.match(await verdict(1, 'theirs'), /it waits for a turn that is over/)
  assert.equal(await client(page, 1).locator('.theirs .status').innerText(), 'running')
  assert.equal(await client(page, 1).locator('.ours .status').innerText(), 'idle')
  await fine()
  await page.locator('.script button', { hasText: '1: resume' }).first().click()
  await button(page, 'Back').click()
  await client(page, 1).getByRole('button', { name: 'Resume' }).waitFor()
  paths.push(await saved(page, 'Save scenario'))

  for (const seed of ['3', '11']) {
    await page.getByRole('spinbutton', { name: 'Seed' }).fill(seed)
    await story(page, 'By chance')
    await fine()
    paths.push(await saved(page, 'Save scenario'))
  }
  assert.equal(new Set(paths).size, 5)
  await natively(...paths)
})

test('what chance makes of people and network plays natively: a hundred seeds', { timeout: 240_000 }, async () => {
  const esbuild = createRequire(`${root}/pkg/package.json`)('esbuild')
  await esbuild.build({
    stdin: { contents: ['world', 'chance', 'scene', 'stories'].map(name => `export * from './${name}.ts'`).join('\n'), resolveDir: `${root}/www/site/src/lab`, loader: 'ts' },
    bundle: true, format: 'esm', outfile: `${folder}/lab.mjs`, external: ['turnseal'],
  })
  const { PRELUDE, chance, createWorld, scenario } = await import(`${folder}/lab.mjs`)
  const { createStore } = await import(`${root}/pkg/dist/node.js`)
  const worlds = []
  const world = lines => {
    const made = createWorld(createStore)
    worlds.push(made)
    for (const line of lines) made.play(line)
    return made
  }
  const paths = Array.from({ length: 100 }, (_, at) => {
    const lines = [...PRELUDE, ...chance(world(PRELUDE), at + 1, 90)]
    const path = `${folder}/seed-${at + 1}.scn`
    writeFileSync(path, scenario(`by chance, seed ${at + 1}`, lines, world(lines), world([])))
    return path
  })
  for (const made of worlds) made.free()
  await natively(...paths)
})

test('a recording is loaded and walked through; a scenario goes on; anything else is refused with words', { timeout: 90_000 }, async t => {
  const page = await open(t)
  await story(page, 'An answer shows twice')
  const shown = await rows(page, 1, 'turnseal')
  const [recording, scenario] = [await saved(page, 'Save recording'), await saved(page, 'Save scenario')]
  const load = page.getByLabel('Load a recording or a scenario')
  await load.setInputFiles(recording)
  const tape = page.getByRole('region', { name: 'What the store shows' })
  await tape.waitFor()
  const taped = () => tape.locator('.row .text').allTextContents()
  assert.deepEqual(await taped(), shown)
  assert.match(await tape.locator('.why').first().innerText(), /drawn from chunks/)
  const inputs = JSON.parse(readFileSync(recording, 'utf8')).inputs.length
  await page.getByRole('slider', { name: 'Place in the recording' }).focus()
  await page.keyboard.press('Home')
  assert.deepEqual(await taped(), [])
  for (let at = 0; at < inputs; at += 1) await page.locator('.tape').getByRole('button', { name: 'Step' }).click()
  assert.deepEqual(await taped(), shown)
  await check(page, 'a recording')
  await button(page, 'Close').click()
  const before = await all(page)
  await button(page, 'Empty').click()
  await load.setInputFiles(scenario)
  await page.getByRole('slider', { name: 'Place in time' }).focus()
  await page.keyboard.press('End')
  assert.equal(await all(page), before)
  writeFileSync(`${folder}/none.json`, '{"neither":1}')
  await load.setInputFiles(`${folder}/none.json`)
  await page.getByText('none.json cannot be read: it is no recording of version 1').waitFor()
})

for (const [name, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]) {
  test(`axe finds no serious fault in the lab: ${name}`, { timeout: 60_000 }, async t => {
    const page = await open(t, options)
    await check(page, 'an empty lab')
    await story(page, 'Stop leaves the queue stuck')
    await say(page, 1, 'And now?')
    await page.getByRole('button', { name: /Let it arrive: send/ }).waitFor()
    await check(page, 'a story that was played')
    await story(page, 'An answer shows twice')
    await check(page, 'what is there twice')
  })
}
