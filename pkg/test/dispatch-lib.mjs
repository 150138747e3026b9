// The ancestor's API on paper, and its events.
import { afterEach } from 'node:test'
import { createStore } from '../dist/node.js'
import { createTabStore } from '../dist/dispatch.js'
import { soon } from './lib.mjs'

const stores = []
afterEach(() => stores.splice(0).forEach(store => store.free()))

export const row = (seq, turnId, role, type, data, step = 0) => ({ id: `row-${seq}`, seq, turnId, step, role, type, data, createdAt: 1000 + seq })
export const text = (seq, turnId, role, words) => row(seq, turnId, role, 'text', { text: words })

/** Tabs over an API on paper: `logs` by tab, `replies` by path; `asked` is all that was asked for. */
export function open({ logs = {}, tabs = [], statuses = {}, replies = {}, options = {} } = {}) {
  const asked = []
  const reply = (body, status = 200) => ({ ok: status < 400, status, json: async () => body })
  const fetch = async (url, { body } = {}) => {
    asked.push([url, body && JSON.parse(body)])
    const path = url.split('?')[0]
    if (replies[path] !== undefined) return reply(...replies[path](body && JSON.parse(body)))
    if (path === '/tabs') return reply({ tabs })
    if (path === '/status') return reply({ statuses })
    const [, tab] = /^\/tabs\/(.+)\/chunks$/.exec(path) ?? []
    if (tab === undefined) return reply({ success: true })
    const query = new URL(url, 'http://x').searchParams
    const rows = (logs[tab] ?? []).filter(({ seq }) => seq < Number(query.get('before') ?? Infinity))
    const chunks = rows.slice(-Number(query.get('limit')))
    return reply({ chunks, total: logs[tab]?.length ?? 0, oldestSeq: chunks[0]?.seq ?? null })
  }
  const frames = []
  const store = createTabStore({ createStore, fetch, write: frame => frames.push(JSON.parse(frame)), store: { schedule: 'sync' }, ...options })
  stores.push(store)
  const say = (...events) => events.forEach(event => store.handleEvent({ tabId: 't', ...event }))
  return { store, say, asked, logs, frames, tab: () => store.tabs.find(({ id }) => id === 't') }
}

/** The same with one tab, idle, whose first page has come. */
export async function opened(given) {
  const it = open(given)
  it.say({ type: 'tab-created', id: 't', title: 'T', keyId: 'k', modelId: 'm', parentTabId: null })
  it.say({ type: 'status', status: 'idle' })
  await soon()
  return it
}

export const start = turnId => ({ type: 'turn-start', turnId })
export const delta = words => ({ type: 'text-delta', delta: words })
export const think = words => ({ type: 'reasoning-delta', delta: words })
export const call = (id, name = 'read') => ({ type: 'tool-call', toolCall: { id, name, arguments: { path: id } } })
export const result = (toolCallId, words = 'ok', isError = false) => ({ type: 'tool-result', toolResult: { toolCallId, toolName: 'read', result: words, isError } })
export const status = word => ({ type: 'status', status: word })
export const sealed = turnId => ({ type: 'turn-sealed', turnId })
export const answer = tab => tab.live.filter(({ role }) => role === 'assistant').flatMap(({ chunks }) => chunks)
export const shown = tab => tab.renderGroups.map(({ role, chunks }) => [role, ...chunks.map(chunk => chunk.text ?? chunk.message ?? chunk.type)])
