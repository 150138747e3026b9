// Starts the demo as a user does, and a headless Chromium beside it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** Runs www/demo on a free port, with a log of its own; gives its URL and an end. */
export async function startDemo(db) {
  const child = spawn(resolve(root, 'www/demo'), { env: { ...process.env, PORT: '0', DB: db, PACE: '10' }, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise(done => child.once('exit', (code, signal) => done(code ?? signal)))
  const url = new Promise((found, failed) => {
    let seen = ''
    child.stdout.on('data', text => {
      seen += text
      if (seen.includes('\n')) found(seen.slice(0, seen.indexOf('\n')))
    })
    gone.then(code => failed(new Error(`www/demo ended: ${code}`)))
  })
  const stop = () => {
    child.kill('SIGINT')
    return gone
  }
  return { url: await url, stop }
}

/** A headless Chromium; `more` are switches of its command line. */
export async function startChromium(more = []) {
  const { chromium } = createRequire(resolve(root, 'pkg/package.json'))('playwright-core')
  return chromium.launch({ executablePath: process.env.CHROME || '/usr/bin/chromium', args: ['--no-sandbox', ...more] })
}
