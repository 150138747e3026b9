// The one way to the server: a store, its transport over HTTP, and a socket that comes back by itself.
import { type Store, type Transport, createStore, init } from 'turnseal'

/** So long a lost socket waits before it comes back; doubled with each try, up to the second. */
const RETRY_MS = [250, 8_000] as const

/** The chat's door: all threads, and which of them are listened to. */
export interface Client {
  readonly store: Store
  /** Listens to a thread from now on. */
  open(threadId: string): void
}

/** Asks the server and gives its JSON; what it refuses is an error with its words. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init)
  if (response.ok) return response.json()
  const { message } = await response.json().catch(() => ({}))
  throw new Error(message ?? `the server answered ${response.status}`)
}

const of = (threadId: string) => `/threads/${encodeURIComponent(threadId)}`
const queued = (q: { threadId: string; messageId: string }) => `${of(q.threadId)}/queue/${encodeURIComponent(q.messageId)}`
const say = <T>(method: string, path: string, body: unknown, signal: AbortSignal) =>
  ask<T>(path, { method, signal, body: JSON.stringify(body) })

const transport: Transport = {
  loadChunks: ({ threadId, limit, before = '' }, signal) => ask(`${of(threadId)}/chunks?limit=${limit}&before=${before}`, { signal }),
  send: ({ threadId, ...message }, signal) => say('POST', `${of(threadId)}/messages`, message, signal),
  stop: ({ threadId, turnId }, signal) => say('POST', `${of(threadId)}/stop`, { turnId }, signal),
  cancelQueued: (q, signal) => say('DELETE', queued(q), {}, signal),
  editQueued: (q, signal) => say('PATCH', queued(q), { text: q.text }, signal),
  moveQueued: (q, signal) => say('PATCH', queued(q), { index: q.index }, signal),
  sendNow: (q, signal) => say('PATCH', queued(q), { now: true }, signal),
  resumeQueue: ({ threadId }, signal) => say('POST', `${of(threadId)}/queue/resume`, {}, signal),
  resolveApproval: ({ threadId, callId, ...decision }, signal) =>
    say('POST', `${of(threadId)}/approvals/${encodeURIComponent(callId)}`, decision, signal),
  resync: ({ threadId }, signal) => ask(`${of(threadId)}/snapshot`, { signal }),
}

/** Connects to the server that gave this page. */
export async function connect(): Promise<Client> {
  await init()
  const store = createStore({ transport, storage: localStorage, limits: { page: 100 } })
  /** The threads that are listened to, each with the number of its last event. */
  const threads = new Map<string, number | undefined>()
  let socket: WebSocket | undefined
  let wait: number = RETRY_MS[0]

  const listen = (threadId: string) => socket?.send(JSON.stringify({ type: 'subscribe', threadId, after: threads.get(threadId) }))
  const start = () => {
    const mine = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`)
    mine.onopen = () => {
      socket = mine
      wait = RETRY_MS[0]
      store.setConnection('online')
      for (const threadId of threads.keys()) listen(threadId)
    }
    mine.onmessage = ({ data }) => {
      for (const line of data.split('\n')) {
        const { threadId, n } = JSON.parse(line)
        if (typeof n === 'number') threads.set(threadId, n)
      }
      store.handleMessage(data)
    }
    mine.onclose = () => {
      socket = undefined
      store.setConnection('offline')
      setTimeout(start, wait)
      wait = Math.min(wait * 2, RETRY_MS[1])
    }
  }
  start()
  return {
    store,
    open: threadId => {
      if (threads.has(threadId)) return
      threads.set(threadId, undefined)
      listen(threadId)
    },
  }
}
