// The server as a process that can be killed and started again at one address, and pages of it in a Chromium.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { root } from '../chromium.mjs'
import { startServer } from '../server.mjs'

const PAGE = `<!doctype html><meta charset="utf-8"><title>chat</title><link rel="icon" href="data:,">
<textarea></textarea><script type="module" src="/page.js"></script>`

const SCRIPT = `import { createStore, init } from '/dist/index.js'
await init()
const said = []
const store = createStore({ connect: { url: '/' }, onDiagnostic: one => said.push(one) })
const thread = store.thread('main')
const box = document.querySelector('textarea')
const show = () => { if (box.value !== thread.draft.get()) box.value = thread.draft.get() }
box.oninput = () => thread.draft.set(box.value)
thread.draft.subscribe(show)
show()
Object.assign(window, { store, thread, said })
`

/** A server over a new log, which serves a page: files by name, and folders beside them. */
export async function startWorld({ pace = 20, site: files = { 'index.html': PAGE, 'page.js': SCRIPT }, folders = { dist: `${root}/pkg/dist` } } = {}) {
  const folder = mkdtempSync(`${tmpdir()}/turnseal-world-`)
  const site = `${folder}/site`
  mkdirSync(site)
  for (const [name, from] of Object.entries(folders)) cpSync(from, `${site}/${name}`, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(`${site}/${name}`, text)
  let server
  const start = async () => {
    server = await startServer('--db', `${folder}/log.db`, '--port', String(server?.port ?? 0), '--pace', String(pace), '--site', site)
    return server.url
  }
  const kill = () => server.kill()
  const url = await start()
  return {
    url,
    start,
    kill,
    end: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
    /** What the log and the queue have of users, in order. */
    users: async () => {
      const { chunks } = await (await fetch(`${url}threads/main/chunks?limit=500`)).json()
      return chunks.filter(({ role }) => role === 'user').map(({ data }) => data.text)
    },
  }
}

/**
 * A world with one page in it, in a browser of its own; both end with the test that `t` is. `ready` waits until a page has its
 * store and the store its socket; `thrown` has what pages throw.
 */
export async function startScene(t, chrome, ready, options) {
  const world = await startWorld(options)
  t.after(world.end)
  const context = await chrome.newContext()
  t.after(() => context.close())
  const thrown = []
  const open = async () => {
    const page = await context.newPage()
    page.on('pageerror', error => thrown.push(String(error)))
    await page.goto(world.url)
    await ready(page)
    return page
  }
  return { world, context, open, page: await open(), thrown }
}
