// A browser that looks at pages, servers that give them, and programs that serve: all end with their cell.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(fileURLToPath(new URL('../pkg/package.json', import.meta.url)))
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html', '.css': 'text/css', '.json': 'application/json' }

/** The words that every app shows. */
export const WORDS = 'hello from turnseal'

/** A free port. */
export const freePort = () =>
  new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })

/** Nothing is open yet. */
export function createPages() {
  let chrome
  const closers = []
  const browser = async () =>
    (chrome ??= await require('playwright-core').chromium.launch({ executablePath: process.env.CHROME || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] }))

  return {
    /** Runs something when the cell is over. */
    later: close => closers.push(close),
    /** Serves folders under their prefixes, as a plain web server does. */
    serve: async folders => {
      const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname))
        const [prefix, folder] = Object.entries(folders).find(([prefix]) => path.startsWith(prefix)) ?? []
        const name = join(folder ?? '/nowhere', path.slice(prefix?.length ?? 0) || 'index.html')
        try {
          const body = await readFile(name)
          response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(body)
        } catch {
          response.writeHead(404).end()
        }
      })
      await new Promise(done => server.listen(0, '127.0.0.1', done))
      closers.push(() => server.close())
      return `http://127.0.0.1:${server.address().port}/`
    },
    /** Starts a program that serves, and waits until its address answers. */
    start: async (command, args, url, cwd) => {
      const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
      let isOver = false
      child.on('exit', () => (isOver = true))
      child.on('error', error => (output += error))
      closers.push(() => {
        try {
          process.kill(-child.pid, 'SIGKILL')
        } catch {
          // It has ended by itself.
        }
      })
      for (const until = Date.now() + 60_000; Date.now() < until && !isOver; ) {
        const answer = await fetch(url).catch(() => undefined)
        if (answer?.ok) return answer.text()
        await new Promise(done => setTimeout(done, 100))
      }
      throw new Error(`${command} ${args.join(' ')} does not serve ${url}\n${output.slice(-2000)}`)
    },
    /** Opens a page and waits for its words in #app; whatever it complains of fails. `after` is what a press on it leaves. */
    look: async (url, { after } = {}) => {
      const page = await (await browser()).newPage()
      const said = []
      page.on('pageerror', error => said.push(String(error)))
      page.on('console', message => message.type() === 'error' && !message.text().includes('favicon') && said.push(message.text()))
      try {
        await page.goto(url, { timeout: 60_000 })
        await page.waitForFunction(words => document.querySelector('#app')?.textContent.includes(words), WORDS, { timeout: 30_000 }).catch(() => {})
        const text = await page.evaluate(() => document.querySelector('#app')?.textContent ?? document.body.textContent)
        if (!text.includes(WORDS)) throw new Error(`the page shows ${JSON.stringify(text.slice(0, 200))}; it says ${said.join('\n')}`)
        if (after !== undefined) {
          // A press before the page was taken over does nothing: it is pressed until it does.
          await page.waitForFunction(words => (document.querySelector('#app').click(), document.querySelector('#app').textContent.includes(words)), after, { timeout: 20_000, polling: 200 }).catch(error => said.push(`a press leaves no ${after}: ${error.message}`))
        }
        const errors = said.filter(line => !/404 \(Not Found\)/.test(line))
        if (errors.length > 0) throw new Error(errors.join('\n'))
      } finally {
        await page.close()
      }
    },
    closeAll: async () => {
      for (const close of closers.splice(0).reverse()) await close()
    },
    end: async () => chrome?.close(),
  }
}
