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

test('the inspector shows owners, evidence, loader and diagnostics of a live thread, and content as text', async () => {
  const page = await chrome.newPage()
  const errors = []
  page.on('pageerror', error => errors.push(String(error)))
  await page.goto(server.url)
  const seen = await page.evaluate(async () => {
    const { createStore } = await import('/dist/inline.js')
    const { defineInspector } = await import('/dist/devtools.js')
    defineInspector()
    defineInspector()
    const inspector = document.createElement('turnseal-inspector')
    inspector.setAttribute('thread', 't')
    document.body.append(inspector)
    const empty = inspector.shadowRoot.textContent
    const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    const chunk = (seq, turnId, role, text) => ({ seq, turnId, role, type: 'text', data: { text } })
    const chunks = [chunk(1, 'z', 'user', 'before')]
    const store = createStore({ schedule: 'sync', transport: { loadChunks: () => ({ chunks, oldestSeq: 1 }) }, onDiagnostic: inspector.diagnose.bind(inspector) })
    inspector.store = store
    await frame()
    const say = (...events) => store.handleEvents(events.map(event => ({ threadId: 't', ...event })))
    say({ type: 'turn-start', turnId: 'a', n: 1, user: { messageId: 'm', text: '<img src=x onerror=alert(1)>' } }, { type: 'text-delta', turnId: 'a', delta: 'one', n: 2 })
    say({ type: 'message-queued', messageId: 'q', message: 'later', n: 3 }, { type: 'text-delta', n: 4 })
    await frame()
    const table = of => [...inspector.shadowRoot.querySelectorAll(`table[data-of=${of}] tr`)].map(row => [...row.children].map(cell => cell.textContent))
    const live = { thread: table('thread'), loader: table('loader'), rows: table('rows'), diagnostics: table('diagnostics') }
    const images = inspector.shadowRoot.querySelectorAll('img').length
    chunks.push(chunk(2, 'a', 'user', 'q'), chunk(3, 'a', 'assistant', 'one'))
    say({ type: 'turn-end', turnId: 'a', outcome: 'done', n: 5 }, { type: 'turn-sealed', turnId: 'a', lastSeq: 3, n: 6 })
    const waits = (await frame(), table('loader'))
    inspector.remove()
    say({ type: 'notice', message: 'unseen', n: 7 })
    await frame()
    const away = table('rows').length
    document.body.append(inspector)
    return { empty, live, images, waits, away, back: table('rows').length }
  })
  assert.deepEqual(errors, [])
  assert.match(seen.empty, /no store/)
  const { thread, loader, rows, diagnostics } = seen.live
  assert.deepEqual(thread, [['id', 't'], ['status', 'streaming, turn a'], ['connection', 'online'], ['queue', '1'], ['approvals', 'none']])
  assert.deepEqual(loader, [['window', 'seq 1 to 1; this is all'], ['last event', '4'], ['error', 'none'], ['turn a', 'runs, not sealed, drawn from events']])
  assert.deepEqual(rows.map(([what]) => what), ['user sealed', 'user live', 'assistant live', 'user queued'])
  assert.match(rows[3][1], /^queued: .*the server keeps q for a turn/)
  assert.equal(rows[1][2], '<img src=x onerror=alert(1)>')
  assert.equal(seen.images, 0)
  assert.deepEqual(diagnostics.map(([code]) => code), ['missing-field'])
  assert.deepEqual(seen.waits.filter(([name]) => name.startsWith('turn')), [])
  assert.equal(seen.away + 1, seen.back)
  await page.close()
})
