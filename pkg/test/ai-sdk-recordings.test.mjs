// Recorded streams of real models, through the SDK's own server side, to its own client and to a store.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, streamText, tool } from 'ai'
import { toPage, toUIMessages } from '../dist/ai-sdk.js'
import { fed, peerMessage, peers, plain } from './ai-sdk-lib.mjs'
import { chance, createStoreWith, makeCore } from './lib.mjs'

globalThis.AI_SDK_LOG_WARNINGS = false
const folder = new URL('../../../shared/traces/vercel-ai/', import.meta.url)
// Not one payload a line.
const ODD = /parallel-tool-call-wrapper/

/** A provider that answers with a recording. */
function modelOf(name, lines) {
  const body = `${lines.map(line => `data: ${line}\n\n`).join('')}data: [DONE]\n\n`
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  if (name.startsWith('anthropic')) return createAnthropic({ apiKey: 'none', fetch })('claude')
  const openai = createOpenAI({ apiKey: 'none', fetch })
  return name.includes('responses') ? openai.responses('gpt') : name.includes('completion') ? openai.completion('gpt') : openai.chat('gpt')
}

/** What the SDK's server sends to its client for a recording, with these tools. */
async function sent(name, lines, toolNames) {
  const tools = Object.fromEntries(toolNames.map(one => [one, tool({ inputSchema: jsonSchema({}) })]))
  const result = streamText({ model: modelOf(name, lines), prompt: 'q', tools, maxOutputTokens: 1000, maxRetries: 0, onError: () => {} })
  const chunks = []
  for await (const chunk of result.toUIMessageStream({ sendReasoning: true, sendSources: true, generateMessageId: () => 'X' })) chunks.push(JSON.parse(JSON.stringify(chunk)))
  return chunks
}

/**
 * A text stands where its first word came: sources that are cited before it come first here, and after it at the peer's.
 * One without a word, of which nothing is said, is not kept.
 */
function sorted(parts) {
  const said = parts.filter(part => part.text !== '' || part.providerMetadata !== undefined)
  const isSource = ({ type }) => type.startsWith('source-')
  return [...said.filter(part => !isSource(part)), ...said.filter(isSource)]
}

test('recorded streams: the store draws what the SDK\'s client draws, also cut and read again, also from the log', async context => {
  if (!existsSync(folder)) return context.diagnostic('no recordings here')
  const names = readdirSync(folder).filter(name => /^(anthropic|openai)__.*chunks\.txt$/.test(name) && !ODD.test(name))
  const types = new Set()
  let count = 0
  let compared = 0
  for (const name of names) {
    const lines = readFileSync(new URL(name, folder), 'utf8').split('\n').filter(line => line.startsWith('{'))
    // Once to learn which tools there are: a call of an unknown one is an error to the SDK.
    const once = await sent(name, lines, []).catch(() => undefined)
    if (once === undefined) {
      context.diagnostic(`the SDK's own provider cannot read ${name}`)
      continue
    }
    const chunks = await sent(name, lines, once.flatMap(({ toolName }) => (toolName ? [toolName] : [])))
    for (const { type } of chunks) types.add(type)
    count += chunks.length
    const { store, reader, messages, said } = fed()
    const dice = chance(count)
    const first = reader.open({ resume: true })
    for (const chunk of chunks.slice(0, dice.below(chunks.length))) store.handleEvents(first.read(chunk))
    const again = reader.open({ resume: true })
    for (const chunk of chunks) store.handleEvents(again.read(chunk))
    assert.deepEqual(said, [], name)
    const [message] = messages()
    if (chunks.some(({ type }) => type === 'error')) continue
    const peer = await peerMessage(peers[6], chunks)
    // The peer gives out no message that only has a beginning.
    if (peer.parts.length === 0) continue
    // A call that the client is to answer is open in the peer's message, and so it is here: the turn waits.
    assert.deepEqual(sorted(plain(message).parts), sorted(peer.parts), name)
    const stored = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual' })
    stored.handleEvent({ type: 'chunks-loaded', ...toPage([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'q' }] }, { ...peer, id: 'X' }], { limit: 10_000 }) })
    const open = peer.parts.some(part => part.state === 'input-available' || part.state === 'approval-requested')
    if (!open) assert.deepEqual(sorted(plain(toUIMessages(stored.renderGroups())[1]).parts), sorted(peer.parts), `${name}, from the log`)
    compared += 1
  }
  context.diagnostic(`${names.length} recordings, ${count} chunks of ${types.size} types, ${compared} compared`)
  assert.ok(compared > 40)
})
