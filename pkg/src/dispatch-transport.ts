import type { TabStoreOptions } from './dispatch-types.js'
import type { Page } from './events.js'
import { isRecord } from './json.js'
import type { SendAnswer, Transport } from './options.js'
import type { Part } from './view.js'

/** The ancestor's HTTP calls. */
export interface DispatchTransport {
  /** As the store carries its effects out. */
  readonly members: Transport
  /** The tabs, and what they do, where that is known. */
  tabs(): Promise<{ readonly list: readonly Readonly<Record<string, unknown>>[]; readonly statuses?: Readonly<Record<string, Readonly<Record<string, unknown>>>> }>
  /** Tells the server what the user did with a tab. It is done here already: a failure is passed over. */
  tell(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): void
  /** Settles once no page is on its way. */
  loaded(): Promise<void>
}

/** What the calls need, and what they tell. */
export interface TransportParts {
  /** A page came. */
  page(tabId: string, page: Page): void
  /** More fields for the body of a message. */
  extras(tabId: string): Readonly<Record<string, unknown>>
}

/** Calls to the API that the options name. */
export function createDispatchTransport(options: TabStoreOptions, parts: TransportParts): DispatchTransport {
  const api = options.api ?? ''
  const ask: NonNullable<TabStoreOptions['fetch']> = options.fetch ?? ((url, init) => fetch(url, init))
  const loads = new Set<Promise<unknown>>()

  const call = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await ask(`${api}${path}`, init)
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.json()
  }
  const post = (path: string, body: unknown, signal: AbortSignal) =>
    call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal })
  const page = async (tabId: string, query: string, signal: AbortSignal): Promise<Page> => {
    const reply = await call(`/tabs/${encodeURIComponent(tabId)}/chunks?${query}`, { signal })
    const { chunks, total } = isRecord(reply) ? reply : {}
    if (!Array.isArray(chunks)) throw new Error('the reply has no chunks')
    // Its `oldestSeq` is that of the page; its log begins at 0.
    const read: Page = { chunks, oldestSeq: 0, ...(typeof total === 'number' ? { total } : {}) }
    parts.page(tabId, read)
    return read
  }

  return {
    members: {
      loadChunks: ({ threadId, limit, before }, signal) => {
        const load = page(threadId, `limit=${limit}${before === undefined ? '' : `&before=${before}`}`, signal)
        const done = load.then(() => {}, () => {}).finally(() => loads.delete(done))
        loads.add(done)
        return load
      },
      send: async ({ threadId, clientId, text, parts: content }, signal): Promise<SendAnswer> => {
        const said = content === undefined ? { message: text } : { message: text ?? textOf(content), content }
        const reply = await post('/chat', { tabId: threadId, ...said, ...parts.extras(threadId), queueId: clientId }, signal)
        const { status, messageId } = isRecord(reply) ? reply : {}
        if (status !== 'ok' && status !== 'queued') throw new Error('the reply has no status')
        return { status, ...(typeof messageId === 'string' ? { messageId } : {}) }
      },
      stop: ({ threadId }, signal) => post('/chat/stop', { tabId: threadId }, signal),
      cancelQueued: async ({ threadId, messageId }, signal) => {
        const reply = await post('/chat/cancel', { tabId: threadId, messageId }, signal)
        return { success: isRecord(reply) && reply['success'] === true }
      },
    },
    tabs: async () => {
      const [tabs, status] = await Promise.all([call('/tabs').catch(() => undefined), call('/status').catch(() => undefined)])
      const list: readonly unknown[] = isRecord(tabs) && Array.isArray(tabs['tabs']) ? tabs['tabs'] : []
      const statuses = isRecord(status) && isRecord(status['statuses']) ? status['statuses'] : undefined
      const known = Object.entries(statuses ?? {}).filter((entry): entry is [string, Readonly<Record<string, unknown>>] => isRecord(entry[1]))
      return { list: list.filter(isRecord), ...(statuses === undefined ? {} : { statuses: Object.fromEntries(known) }) }
    },
    tell: (method, path, body) => {
      const content = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      call(path, { method, ...content }).catch(() => {})
    },
    loaded: async () => {
      await Promise.all(loads)
    },
  }
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
