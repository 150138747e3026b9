// The examples of www/examples: what each is started with, and its packages, with the tarball among them.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { at, fail, hash, must, version } from './lib.mjs'

const vite = (...args) => ({ program: process.execPath, args: ['node_modules/vite/bin/vite.js', ...args, '--host', '127.0.0.1', '--strictPort', '--clearScreen', 'false'] })

// A program whose first line is its address takes PORT or --port; one that does not say it is given a port and asked.
export const examples = {
  'node-server': { program: process.execPath, args: ['server.mjs'], says: 'a Node server: turnseal/engine over ws' },
  python: { program: 'python3', args: ['server.py'], page: 'plain', says: 'a Python server, standard library only, with the page of plain' },
  plain: { backEnd: 'python', says: 'one page without a bundler, over the Python server' },
  react: { ...vite(), backEnd: 'node-server', says: 'React 19 with Vite, over the Node server' },
  sveltekit: { ...vite('dev'), backEnd: 'node-server', says: 'SvelteKit with Svelte 5, rendered on its server first, over the Node server' },
}

const tarball = at('target/pack', `turnseal-${version}.tgz`)
const folderOf = name => at('www/examples', name)

/** The packages of an example, as locked, and the tarball as it was packed last. */
async function install(name) {
  const folder = folderOf(name)
  if (!existsSync(`${folder}/package.json`)) return
  const lock = readFileSync(`${folder}/package-lock.json`, 'utf8')
  const stamp = `${folder}/node_modules/.turnseal-lock`
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    console.error(`example: npm packages of ${name}`)
    await must('npm ci --ignore-scripts --no-audit --no-fund --loglevel=error', { cwd: folder, minutes: 10, quiet: true })
    writeFileSync(stamp, lock)
  }
  // npm ci takes the tarball only where the lock file has changed.
  const own = `${folder}/node_modules/turnseal`
  const packed = hash([tarball])
  if (existsSync(`${own}/.packed`) && readFileSync(`${own}/.packed`, 'utf8') === packed) return
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  await must(`tar -xzf '${tarball}' --strip-components=1 -C '${own}'`)
  writeFileSync(`${own}/.packed`, packed)
  // What Vite made of the package before is not what it is now.
  rmSync(`${folder}/node_modules/.vite`, { recursive: true, force: true })
}

/** The packages of an example, and of those that it starts. */
export async function prepare(name) {
  const { backEnd, page } = examples[name]
  if (!existsSync(tarball)) fail('example: there is no tarball: run make pack')
  for (const one of new Set([name, backEnd, page ?? (backEnd && examples[backEnd].page)])) if (one !== undefined) await install(one)
}

/** A free port. */
const freePort = () =>
  new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })

/** Starts an example with its back end; gives its address, an end, and a promise of the first of its programs that ended. */
export async function start(name, { port = 0 } = {}) {
  const children = []
  const begin = (one, { program, args }, env) => {
    // A group each: Ctrl-C reaches this script alone, which ends them in turn.
    const child = spawn(program, args, { cwd: folderOf(one), env: { ...process.env, ...env }, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = new Promise(done => {
      child.once('error', error => done(error.message))
      child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`))
    }).then(why => `${one} ended: ${why}`)
    children.push({ child, gone })
    return { gone, lines: createInterface(child.stdout) }
  }
  const stop = async () => {
    for (const { child } of children.reverse()) {
      try {
        process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended by itself.
      }
    }
    await Promise.all(children.map(({ gone }) => gone))
  }
  const first = (found, gone) => Promise.race([found, gone.then(why => Promise.reject(new Error(why)))])
  /** One that says its address. */
  const server = async (one, wanted) => {
    const { program, args } = examples[one]
    const { lines, gone } = begin(one, { program, args: one === 'python' ? [...args, '--port', String(wanted)] : args }, { PORT: String(wanted) })
    return first(new Promise(done => lines.once('line', done)), gone)
  }
  /** One that does not. */
  const page = async (backEnd, wanted) => {
    const { program, args } = examples[name]
    const { gone } = begin(name, { program, args: [...args, '--port', String(wanted)] }, { BACKEND: backEnd })
    const url = `http://127.0.0.1:${wanted}`
    for (let over = false; !over; ) {
      const answer = await first(fetch(url).catch(() => undefined), gone)
      over = answer?.ok === true
      await answer?.text()
      if (!over) await new Promise(done => setTimeout(done, 50))
    }
    return url
  }
  try {
    const { program, backEnd } = examples[name]
    const url = program === undefined ? await server(backEnd, port) : backEnd === undefined ? await server(name, port) : await page(await server(backEnd, 0), port || (await freePort()))
    return { url, stop, gone: Promise.race(children.map(({ gone }) => gone)) }
  } catch (error) {
    await stop()
    throw error
  }
}
