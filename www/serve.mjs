// Serves the page and the built package, as users have it, on loopback. The first line on standard output is the URL.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, extname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const roots = [['/turnseal/', resolve(here, '../pkg/dist')], ['/', resolve(here, 'page')]]
const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
}
const headers = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** The file of a URL's path, or undefined. */
function fileOf(path) {
  const [prefix, root] = roots.find(([start]) => path.startsWith(start)) ?? []
  if (root === undefined) return undefined
  const file = join(root, path === '/' ? 'index.html' : path.slice(prefix.length))
  const isInside = file.startsWith(root + sep) && !file.includes('\0')
  return isInside && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
}

function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname)
  } catch {
    return undefined
  }
}

const server = createServer((request, response) => {
  const path = pathOf(request.url)
  const file = path === undefined ? undefined : fileOf(path)
  const type = file && types[extname(file)]
  if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405, headers).end()
  if (type === undefined) return response.writeHead(404, headers).end('not found\n')
  response.writeHead(200, { ...headers, 'content-type': type })
  if (request.method === 'HEAD') return response.end()
  return createReadStream(file).on('error', () => response.destroy()).pipe(response)
})

const port = Number(process.env.PORT || 0)
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`demo: PORT=${process.env.PORT} is no port`)
  process.exit(1)
}
server.on('error', error => {
  console.error(`demo: ${error.message}`)
  process.exit(1)
})
server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))
