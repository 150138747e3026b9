// A chat server over turnseal/engine: the protocol that createStore({ connect: { url } }) speaks, in HTTP and a socket.
// The first line that it prints is its address.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { listen, put, snapshot } from './host.mjs'
import { page } from './log.mjs'

const PING_MS = 15_000
const BODY_MAX = 1_000_000
const HELP = `turnseal example server. In another terminal:
  curl -d '{"clientId":"k1","text":"hello"}' $URL/threads/main/messages
  curl $URL/threads/main/chunks
`

/** Method and path, and what they mean; `id` is the last name in the path. */
const routes = [
  ['POST', 'messages', (thread, _, { clientId, text, intent = 'queue' }) =>
    typeof clientId === 'string' && typeof text === 'string' && text.trim() !== '' && put(thread, { type: 'send', messageId: `m-${clientId}`, clientId, text, intent })],
  ['POST', 'stop', (thread, _, { turnId }) => (put(thread, { type: 'stop', ...(turnId && { turnId }) }), { status: 'ok' })],
  ['POST', 'approvals/:id', (thread, callId, { decision, reason }) =>
    put(thread, { type: decision === 'approved' ? 'approve' : 'deny', callId, ...(reason && { reason }) })],
  ['POST', 'queue/resume', thread => put(thread, { type: 'resume-queue' })],
  ['PATCH', 'queue/:id', (thread, messageId, { text, index, now }) =>
    put(thread, now ? { type: 'send-now', messageId } : text ? { type: 'edit-queued', messageId, text } : { type: 'move-queued', messageId, index })],
  ['DELETE', 'queue/:id', (thread, messageId) => ({ success: put(thread, { type: 'cancel-queued', messageId })?.status === 'ok' })],
  ['GET', 'snapshot', thread => snapshot(thread)],
  ['GET', 'chunks', (thread, _, __, query) => page(thread, Object.fromEntries([...query].map(([name, value]) => [name, Number(value)])))],
]

/** A page of another site must not talk to a server on this machine. */
const isForeign = ({ headers: { origin, host } }) => origin !== undefined && URL.canParse(origin) && new URL(origin).host !== host

async function body(request) {
  let text = ''
  for await (const more of request.setEncoding('utf8')) {
    text += more
    if (text.length > BODY_MAX) throw new RangeError('the body is too large')
  }
  return text === '' ? {} : JSON.parse(text)
}

async function reply(request) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const [, first, thread, ...rest] = pathname.split('/').map(decodeURIComponent)
  if (isForeign(request)) return [403, { code: 'bad-origin', message: 'another origin' }]
  if (first !== 'threads' || !thread) return [404, { code: 'not-found', message: 'no such path' }]
  for (const [method, path, act] of routes) {
    const wanted = path.split('/')
    if (method !== request.method || wanted.length !== rest.length || !wanted.every((name, at) => name === ':id' || name === rest[at])) continue
    const value = act(thread, rest.at(-1), method === 'GET' ? {} : await body(request), searchParams)
    return value ? [200, value] : [400, { code: 'bad-body', message: 'that is not what this path wants' }]
  }
  return [404, { code: 'not-found', message: 'no such path' }]
}

const server = createServer(async (request, response) => {
  if (request.url === '/') return response.end(HELP.replaceAll('$URL', url()))
  const [status, value] = await reply(request).catch(error => [400, { code: 'bad-body', message: String(error) }])
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
})

const sockets = new WebSocketServer({ server, path: '/ws', maxPayload: 64 * 1024, verifyClient: ({ req }) => !isForeign(req) })
sockets.on('connection', socket => {
  const ends = new Map()
  const say = event => socket.send(JSON.stringify(event))
  socket.on('message', data => {
    try {
      const { type = 'subscribe', threadId, after } = JSON.parse(data)
      if (typeof threadId !== 'string' || !['subscribe', 'unsubscribe'].includes(type)) throw new TypeError('that is no subscription')
      ends.get(threadId)?.()
      ends.delete(threadId)
      if (type === 'subscribe') ends.set(threadId, listen(threadId, after, say))
    } catch (error) {
      say({ type: 'refused', code: 'bad-frame', message: String(error) })
    }
  })
  // The number of the last event, so that a lost one is noticed.
  const pings = setInterval(() => [...ends.keys()].forEach(threadId => say({ type: 'ping', threadId, n: snapshot(threadId).n })), PING_MS)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearInterval(pings)
    for (const end of ends.values()) end()
  })
})

const url = () => `http://127.0.0.1:${server.address().port}`
server.listen(Number(process.env.PORT ?? 8787), '127.0.0.1', () => console.log(url()))
