// The peer's real hook over a store and a transport of paper.
import { act, createElement, draw } from './dom.mjs'
import * as react5 from 'ai-sdk-react5'
import * as react6 from '@ai-sdk/react'
import * as react7 from 'ai-sdk-react7'
import { createChat } from '../dist/ai-sdk.js'
import { createStoreWith, makeCore, paperTransport, soon } from './lib.mjs'

export const peers = { 5: react5, 6: react6, 7: react7 }
export const start = { type: 'turn-start', turnId: 'a', user: { messageId: 'm1', clientIds: ['k1'], text: 'first' } }
export const delta = (text, turnId = 'a') => ({ type: 'text-delta', turnId, delta: text })
export const end = (turnId = 'a', outcome = 'done') => ({ type: 'turn-end', turnId, outcome })
export const said = message => message.parts.map(part => part.text ?? part.state).join('|')
export const short = messages => messages.map(message => `${message.role}: ${said(message)}`)

/** A chat on a store over a paper transport, drawn by the peer's real hook. */
export async function screen({ Chat, useChat }, { options, store, transport, isStrict, hook } = {}) {
  const paper = paperTransport()
  const used = store ?? createStoreWith(makeCore, { schedule: 'sync', transport: transport ?? paper.transport, onDiagnostic: () => {} })
  const thread = used.thread('t')
  if (store === undefined && transport === undefined) paper.take('loadChunks').done({ chunks: [], total: 0 })
  await soon()
  const chat = createChat(Chat, thread, options)
  const seen = []
  let now
  const page = await draw(function Screen() {
    now = useChat({ chat, ...hook })
    seen.push(now)
    return createElement('ol', null, now.messages.map(message => createElement('li', { key: message.id }, said(message))))
  }, { isStrict })
  const hear = (...events) => act(async () => used.handleEvents(events.map(event => ({ threadId: 't', ...event }))))
  return { ...paper, store: used, thread, chat, page, hear, seen, now: () => now }
}
