// A plain static server over pkg/dist, and a Chromium: what a page without a bundler has.
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' }

/** Serves the package under /dist and `html` under /. */
export async function serve(html = '<!doctype html><title>page</title>', { headers = {} } = {}) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname)
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html)
    try {
      const body = await readFile(join(dist, path.replace(/^\/dist\//, '')))
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

/** A Chromium; CHROME names one. */
export function browser() {
  return chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
}
