// What the tests of the AG-UI adapter share: the peer's real client, and what it and a store hold, in one form.
import { AbstractAgent, HttpAgent, transformChunks, verifyEvents } from '@ag-ui/client'
import { from, lastValueFrom, toArray, catchError, EMPTY } from 'rxjs'
import { agentSubscriber, createAgUiReader } from '../dist/ag-ui.js'
import { createStoreWith, makeCore } from './lib.mjs'

process.env.SUPPRESS_TRANSFORMATION_WARNINGS = 'true'

/** The peer's client, with runs that are written down. */
export class Scripted extends AbstractAgent {
  runs = []
  run() {
    return from(structuredClone(this.runs.shift() ?? []))
  }
}

/** The peer's client over HTTP, with a server of paper. */
export function httpAgent(runs, options = {}) {
  const asked = []
  const fetch = async (url, { body }) => {
    asked.push(JSON.parse(body))
    const text = (runs.shift() ?? []).map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { agent: new HttpAgent({ url: 'http://server/', threadId: 't', fetch, ...options }), asked }
}

/** A store that hears what an agent hears. */
export function heardBy(agent, options = {}) {
  const said = []
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual', onDiagnostic: one => said.push(one) })
  agent.subscribe(agentSubscriber(store, { onDiagnostic: one => said.push(one), ...options }))
  return { store, said, thread: () => store.thread(options.threadId ?? 't') }
}

/** A store fed by a reader. */
export function fed(options = {}) {
  const said = []
  const store = createStoreWith(makeCore, { schedule: 'sync', transport: 'manual', onDiagnostic: one => said.push(one) })
  const reader = createAgUiReader({ threadId: 't', onDiagnostic: one => said.push(one), ...options })
  const say = (events, input, stream = reader.open()) => {
    for (const event of events) store.handleEvents(stream.readUnknown(event, input))
    return stream
  }
  return { store, reader, say, said, thread: store.thread('t'), groups: () => store.renderGroups('t') }
}

const text = content => (typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join(''))

/** What the peer's client holds. */
export function ofPeer(messages) {
  const calls = messages.flatMap(message => message.toolCalls ?? [])
  const results = new Map(messages.filter(message => message.role === 'tool').map(message => [message.toolCallId, message.content]))
  return {
    users: messages.filter(message => message.role === 'user').map(message => [message.id, text(message.content)]),
    texts: messages.filter(message => message.role === 'assistant' && message.content).map(message => message.content),
    thoughts: messages.filter(message => message.role === 'reasoning' && message.content).map(message => message.content),
    calls: calls.map(call => [call.id, call.function.name, json(call.function.arguments), results.get(call.id)]),
  }
}

function json(text) {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return text
  }
}

/** What a store shows. */
export function ofStore(groups) {
  const parts = groups.filter(group => group.role === 'assistant').flatMap(group => group.parts)
  return {
    users: groups.filter(group => group.role === 'user').map(group => [group.messageId, group.parts.map(part => part.text ?? '').join('')]),
    texts: parts.filter(part => part.type === 'text').map(part => part.text),
    thoughts: parts.filter(part => part.type === 'reasoning').map(part => part.text),
    calls: parts.filter(part => part.type === 'tool').map(part => [part.callId, part.name, part.arguments, part.result]),
  }
}

/** How many events the peer lets through before it refuses one. */
export async function peerVerified(events) {
  let count = 0
  const passed = await lastValueFrom(from(structuredClone(events)).pipe(transformChunks(false), verifyEvents(false), catchError(() => EMPTY), toArray()), { defaultValue: [] })
  count = passed.length
  return count
}

// The words of a stream.
export const started = (runId = 'r1', more = {}) => ({ type: 'RUN_STARTED', threadId: 't', runId, ...more })
export const finished = (runId = 'r1', more = {}) => ({ type: 'RUN_FINISHED', threadId: 't', runId, ...more })
export const says = (messageId, ...deltas) => [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }, ...deltas.map(delta => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })), { type: 'TEXT_MESSAGE_END', messageId }]
export const calls = (toolCallId, toolCallName, ...args) => [{ type: 'TOOL_CALL_START', toolCallId, toolCallName }, ...args.map(delta => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })), { type: 'TOOL_CALL_END', toolCallId }]
export const user = (id, content) => ({ id, role: 'user', content })
export const data = (groups, name) => groups.flatMap(group => group.parts).filter(part => part.type === 'data' && part.name === name).map(part => part.data)
