// What the tests of the AI SDK adapter share: streams with every chunk, and what the peer itself makes of them.
import * as ai6 from 'ai'
import * as ai5 from 'ai5'
import * as ai7 from 'ai7'
import { createStoreWith, makeCore } from './lib.mjs'
import { createChunkReader, toUIMessages } from '../dist/ai-sdk.js'

export const peers = { 5: ai5, 6: ai6, 7: ai7 }
const pm = { vendor: { key: 'v' } }

/** Streams by name; `peers` are those that know all chunks of it. */
export const streams = {
  text: [
    { type: 'start', messageId: 'X', messageMetadata: { a: 1, n: { x: 1 } } },
    { type: 'start-step' },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'th' },
    { type: 'reasoning-delta', id: 'r', delta: 'ink' },
    { type: 'reasoning-end', id: 'r', providerMetadata: pm },
    { type: 'text-start', id: '0', providerMetadata: pm },
    { type: 'text-delta', id: '0', delta: 'Hel' },
    { type: 'text-delta', id: '0', delta: 'lo' },
    { type: 'text-end', id: '0' },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'again' },
    { type: 'text-end', id: '0' },
    { type: 'finish-step' },
    { type: 'message-metadata', messageMetadata: { n: { y: 2 } } },
    { type: 'finish', finishReason: 'stop', messageMetadata: { z: 1 } },
  ],
  tools: [
    { type: 'start', messageId: 'X' },
    { type: 'start-step' },
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'f', title: 'F' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"a":' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '1}' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'f', input: { a: 1 }, title: 'F', providerMetadata: pm },
    { type: 'tool-output-available', toolCallId: 'c1', output: { half: 1 }, preliminary: true },
    { type: 'tool-output-available', toolCallId: 'c1', output: { whole: 1 } },
    { type: 'tool-input-available', toolCallId: 'c2', toolName: 'g', input: { b: 1 }, dynamic: true },
    { type: 'tool-output-error', toolCallId: 'c2', errorText: 'bad', dynamic: true },
    { type: 'tool-input-error', toolCallId: 'c3', toolName: 'g', input: 'x', errorText: 'bad input', dynamic: true },
    { type: 'tool-input-available', toolCallId: 'c5', toolName: 'search', input: {}, providerExecuted: true },
    { type: 'tool-output-available', toolCallId: 'c5', output: [1], providerExecuted: true },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'so' },
    { type: 'text-end', id: 't' },
    { type: 'finish-step' },
    { type: 'finish' },
  ],
  parts: [
    { type: 'start' },
    { type: 'source-url', sourceId: 's1', url: 'http://a', title: 't', providerMetadata: pm },
    { type: 'source-document', sourceId: 's2', mediaType: 'a/b', title: 't', filename: 'f' },
    { type: 'file', url: 'data:,x', mediaType: 'text/plain' },
    { type: 'data-w', id: '1', data: { v: 1 } },
    { type: 'data-w', id: '1', data: { v: 2 } },
    { type: 'data-w', data: { v: 3 } },
    { type: 'data-t', data: 1, transient: true },
    { type: 'finish' },
  ],
  wordless: [
    { type: 'start', messageId: 'X' },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: { vendor: { signature: 's' } } },
    { type: 'reasoning-end', id: 'r' },
    { type: 'reasoning-start', id: 'r2', providerMetadata: pm },
    { type: 'reasoning-end', id: 'r2', providerMetadata: { vendor: { encrypted: 'e' } } },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'so' },
    { type: 'text-end', id: 't' },
    { type: 'finish' },
  ],
  denied: [
    { type: 'start', messageId: 'X' },
    { type: 'tool-input-available', toolCallId: 'c4', toolName: 'rm', input: { b: 1 } },
    { type: 'tool-approval-request', toolCallId: 'c4', approvalId: 'ap4' },
    { type: 'tool-output-denied', toolCallId: 'c4' },
    { type: 'finish' },
  ],
}

/** Streams with what only AI SDK 7 has. */
export const newer = {
  parts: [
    { type: 'start', messageId: 'X' },
    { type: 'reasoning-file', url: 'data:,y', mediaType: 'text/plain', providerMetadata: pm },
    { type: 'custom', kind: 'openai.compaction', providerMetadata: pm },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'cited' },
    { type: 'text-end', id: 't', citations: [{ source: { type: 'source', sourceType: 'url', id: 's1', url: 'http://a' }, startIndex: 0, endIndex: 5 }] },
    { type: 'finish' },
  ],
  retried: [
    { type: 'start', messageId: 'X' },
    { type: 'start-step' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'first' },
    { type: 'text-end', id: 't' },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'half a ' },
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
    { type: 'reset-step' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'second' },
    { type: 'text-end', id: 't' },
    { type: 'finish-step' },
    { type: 'finish' },
  ],
  approved: [
    { type: 'start', messageId: 'X' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'rm', input: {} },
    { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'ap', isAutomatic: true, reason: 'by rule', signature: 'sig' },
    { type: 'tool-approval-response', approvalId: 'ap', approved: true, reason: 'rule 7' },
    { type: 'tool-output-available', toolCallId: 'c', output: 'gone' },
    { type: 'finish' },
  ],
}

export const streamOf = chunks =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk))
      controller.close()
    },
  })

/** The message that the peer's own client builds. */
export async function peerMessage(ai, chunks, message) {
  let last = message
  for await (const next of ai.readUIMessageStream({ stream: streamOf(chunks), ...(message ? { message } : {}) })) last = next
  return plain(last)
}

/** A store fed by a reader. `say` feeds one more response. */
export function fed(options = {}) {
  const said = []
  const data = []
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual', onDiagnostic: one => said.push(one) })
  const reader = createChunkReader({ onDiagnostic: one => said.push(one), onData: chunk => data.push(chunk), ...options })
  const say = (chunks, response) => {
    const one = reader.open(response)
    for (const chunk of chunks) store.handleEvents(one.read(chunk))
    return one
  }
  return { store, reader, say, said, data, messages: () => toUIMessages(store.renderGroups(options.threadId)) }
}

/** As JSON, without what the peer and this adapter name apart: the id of a thought, and the `approved` of a no. */
export function plain(message) {
  const copy = JSON.parse(JSON.stringify(message))
  for (const part of copy.parts) {
    if (part.type === 'reasoning') delete part.id
    if (part.state === 'output-denied') delete part.approval
  }
  return copy
}
