import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { browser, serve } from './server.mjs'

let chrome
let server
before(async () => {
  chrome = await browser()
  server = await serve()
})
after(async () => {
  await chrome?.close()
  server?.close()
})

/** Runs a function in a fresh page; what the page complains of fails the test. */
async function inPage(run, argument) {
  const page = await chrome.newPage()
  const errors = []
  page.on('pageerror', error => errors.push(String(error)))
  try {
    await page.goto(server.url)
    const result = await page.evaluate(run, argument)
    assert.deepEqual(errors, [])
    return result
  } finally {
    await page.close()
  }
}

test('the main entry loads its wasm from beside itself; before that a store says what to call', async () => {
  const result = await inPage(async () => {
    const { createStore, init, isReady } = await import('/dist/index.js')
    let code
    try {
      createStore()
    } catch (error) {
      code = error.code
    }
    const before = isReady()
    await Promise.all([init(), init()])
    await init()
    const store = createStore({ schedule: 'sync' })
    store.handleMessage('{"type":"notice","message":"hello"}')
    return { code, before, ready: isReady(), text: store.renderGroups()[0].parts[0].text }
  })
  assert.deepEqual(result, { code: 'not-initialised', before: false, ready: true, text: 'hello' })
})

test('a wasm that does not come is an error with a code, and the next try may go well', async () => {
  const result = await inPage(async () => {
    const { createStore, init } = await import('/dist/index.js')
    const code = await init('/nowhere.wasm').catch(error => error.code)
    await init(fetch('/dist/wasm/store/turnseal.wasm'))
    return { code, groups: createStore().renderGroups().length }
  })
  assert.deepEqual(result, { code: 'init-failed', groups: 0 })
})

test('the inline entry needs no init', async () => {
  const result = await inPage(async () => {
    const { createStore } = await import('/dist/inline.js')
    const store = createStore({ schedule: 'sync' })
    store.handleEvent({ type: 'notice', message: 'inline' })
    return store.renderGroups()[0].parts[0].text
  })
  assert.equal(result, 'inline')
})

test('deltas of one frame are told once, with the frame; an end is told at once', async () => {
  const result = await inPage(async () => {
    const { createStore } = await import('/dist/inline.js')
    const store = createStore({ transport: 'manual' })
    const thread = store.thread()
    const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))
    await frame()
    const told = []
    thread.subscribe(state => told.push(state.groups.at(-1).parts[0].text))
    store.handleEvent({ type: 'turn-start', turnId: 'a', user: { messageId: 'm', text: 'q' } })
    for (const delta of 'abc') store.handleEvent({ type: 'text-delta', turnId: 'a', delta })
    const early = told.length
    await frame()
    const framed = told.slice()
    store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'd' })
    store.handleEvent({ type: 'turn-end', turnId: 'a', outcome: 'done' })
    return { early, framed, atOnce: told.slice() }
  })
  assert.deepEqual(result, { early: 0, framed: ['abc'], atOnce: ['abc', 'abcd'] })
})

test('typed words outlive a reload in localStorage', async () => {
  const page = await chrome.newPage()
  await page.goto(server.url)
  const open = async text => {
    const { createStore } = await import('/dist/inline.js')
    const store = createStore({ schedule: 'sync', storage: localStorage, transport: { loadChunks: () => ({ chunks: [], oldestSeq: 1 }), send: () => new Promise(() => {}) } })
    const thread = store.thread('kept')
    if (text !== undefined) thread.send(text)
    return thread.renderGroups().map(group => [group.state, group.parts[0].text])
  }
  assert.deepEqual(await page.evaluate(open, 'not lost'), [['sending', 'not lost']])
  await page.reload()
  assert.deepEqual(await page.evaluate(open), [['failed', 'not lost']])
  await page.close()
})
