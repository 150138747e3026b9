// The server as a process that can be killed and started again at one address, and pages of it in a Chromium.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { root } from '../chromium.mjs'

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
  let child
  let port = 0
  const start = async () => {
    const args = ['--db', `${folder}/log.db`, '--port', String(port), '--pace', String(pace), '--site', site]
    child = spawn(`${root}/target/debug/turnseal-server`, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    const url = await new Promise(done => createInterface(child.stdout).once('line', done))
    port = Number(new URL(url).port)
    return url
  }
  const kill = () => new Promise(done => {
    child.once('exit', done)
    child.kill('SIGKILL')
  })
  const url = await start()
  return {
    url,
    start,
    kill,
    end: async () => {
      if (child.exitCode === null && child.signalCode === null) await kill()
      rmSync(folder, { recursive: true, force: true })
    },
    /** What the log and the queue have of users, in order. */
    users: async () => {
      const { chunks } = await (await fetch(`${url}threads/main/chunks?limit=500`)).json()
      return chunks.filter(({ role }) => role === 'user').map(({ data }) => data.text)
    },
  }
}
