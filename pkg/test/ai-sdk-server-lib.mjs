// A server that speaks the AI SDK's protocol, the SDK's real transport and its real hook, and a store between them.
import { act, createElement, draw } from './dom.mjs'
import * as ai6 from 'ai'
import * as ai7 from 'ai7'
import { createChat, fromChatTransport } from '../dist/ai-sdk.js'
import { peers, said } from './ai-sdk-screen.mjs'
import { createStoreWith, later, makeCore, soon } from './lib.mjs'

export const sdk = { 6: ai6, 7: ai7 }
export const text = (id, ...deltas) => [{ type: 'text-start', id }, ...deltas.map(delta => ({ type: 'text-delta', id, delta })), { type: 'text-end', id }]
export const answer = (messageId, ...deltas) => [{ type: 'start', messageId }, { type: 'start-step' }, ...text('t', ...deltas), { type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }]

/** A server of paper: each request waits until the test says what comes. */
export function paperServer() {
  const requests = []
  const fetch = async (url, { method = 'GET', body, signal } = {}) => {
    const given = later()
    const request = { url: String(url), method, body: body && JSON.parse(body), signal, ...given }
    signal?.addEventListener('abort', () => given.fail(signal.reason))
    requests.push(request)
    return given.promise
  }
  /** Answers the oldest request with a stream in the test's hands. */
  const stream = (...first) => {
    const request = requests.shift()
    const encoder = new TextEncoder()
    let controller
    const bytes = new ReadableStream({ start: it => void (controller = it) })
    const say = (...chunks) => chunks.forEach(chunk => controller.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`)))
    request.signal?.addEventListener('abort', () => {
      try {
        controller.error(request.signal.reason)
      } catch {}
    })
    say(...first)
    request.done(new Response(bytes, { headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' } }))
    return { request, say, close: () => controller.close(), break: () => controller.error(new TypeError('network error')) }
  }
  return { fetch, requests, stream, refuse: status => requests.shift().done(new Response(status === 204 ? null : 'no', { status })) }
}

export async function app(version, { loadMessages, hook, isStrict = true, storage, callbacks } = {}) {
  const server = paperServer()
  const host = fromChatTransport(new sdk[version].DefaultChatTransport({ api: 'http://server/chat', fetch: server.fetch }), { store: () => store, ...(loadMessages ? { loadMessages } : {}) })
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: host, onDiagnostic: () => {}, ...(storage ? { storage } : {}) })
  const thread = store.thread('t')
  await soon()
  const { Chat, useChat } = peers[version]
  const chat = createChat(Chat, thread, { ...host, ...callbacks?.(() => chat) })
  let now
  const page = await draw(function Screen() {
    now = useChat({ chat, ...hook })
    return createElement('ol', null, now.messages.map(message => createElement('li', { key: message.id }, said(message))))
  }, { isStrict })
  const rest = () => act(async () => {
    for (let turn = 0; turn < 8; turn++) await soon()
  })
  const send = async words => {
    await act(async () => void now.sendMessage({ text: words }))
    await rest()
  }
  return { ...server, store, thread, page, rest, send, chat, now: () => now }
}
