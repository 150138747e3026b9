// Where lanes are played: a Node process each, or a page each of one headless Chromium.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { build } from '../pkg/node_modules/esbuild/lib/main.js'
import { startChromium } from '../www/test/chromium.mjs'
import { at } from '../scripts/lib.mjs'

/** With these a page is a world of its own, and its clock ticks in 5 microseconds instead of 100. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
const LIMIT_MS = 10 * 60_000

/** Node: a process for each lane. */
export function nodeHost() {
  const env = { ...process.env, NODE_ENV: 'production' }
  const settings = { env, maxBuffer: 1 << 28, timeout: LIMIT_MS, encoding: 'utf8' }
  const play = options => new Promise((done, fail) => {
    execFile(process.execPath, ['--expose-gc', at('bench/host-node.mjs'), JSON.stringify(options)], settings, (error, out, told) => {
      if (error) fail(new Error(`${JSON.stringify(options)}: ${told || error.message}`))
      else done(JSON.parse(out.trim().split('\n').at(-1)))
    })
  })
  return { name: 'node', version: process.version, play, end: async () => {} }
}

/** All that a page needs, as one module. React is one for peers and for ours. */
async function bundle() {
  const react = at('bench/node_modules/react')
  const { outputFiles } = await build({
    entryPoints: [at('bench/host-page.mjs')], bundle: true, format: 'esm', platform: 'browser', target: 'es2022', write: false,
    minify: true, legalComments: 'none', logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { react, 'react-dom': at('bench/node_modules/react-dom'), 'turnseal/react': at('pkg/dist/react.js') },
  })
  return outputFiles[0].text
}

/** Chromium: a fresh page for each lane, and nothing else in it. */
export async function chromiumHost() {
  const code = await bundle()
  const server = createServer(({ url }, answer) => {
    const isCode = url === '/page.js'
    answer.writeHead(200, { ...ISOLATED, 'content-type': isCode ? 'text/javascript' : 'text/html' })
    answer.end(isCode ? code : '<!doctype html><title>bench</title><script type="module" src="/page.js"></script>')
  })
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  const chromium = await startChromium(['--js-flags=--expose-gc'])
  const play = async options => {
    const page = await chromium.newPage()
    const inside = await page.context().newCDPSession(page)
    await inside.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.exposeFunction('threadTime', async () => {
      const { metrics } = await inside.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'ThreadTime').value * 1e9
    })
    page.on('pageerror', error => console.error(`page: ${error.message}`))
    try {
      await page.goto(`http://127.0.0.1:${server.address().port}/`)
      await page.waitForFunction(() => globalThis.lane !== undefined)
      const late = new Promise((_, fail) => setTimeout(() => fail(new Error(`${JSON.stringify(options)}: took too long`)), LIMIT_MS).unref())
      return await Promise.race([page.evaluate(wanted => globalThis.lane(wanted), options), late])
    } finally {
      await page.close()
    }
  }
  const end = async () => {
    await chromium.close()
    server.close()
  }
  return { name: 'chromium', version: chromium.version(), play, end }
}
