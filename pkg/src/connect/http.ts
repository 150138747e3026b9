import { fromJson, isRecord } from '../json.js'
import type { ConnectOptions, SendAnswer, Transport } from '../options.js'
import { isPassing, waitMs } from './rules.js'

/** A request that outlives its page may carry so many characters; the host's limit is 64 KB for all of them. */
const OUTLIVES = 16 * 1024

/** Where requests go, and who wakes those that wait. */
export interface HttpParts {
  /** The address, without a slash at the end. */
  readonly base: string
  /** What the host has asked for. */
  readonly options: ConnectOptions
  /** Settles after `ms`, or once a socket is open, or when `signal` says that it is over. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

class Refusal extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The requests of the protocol of `turnseal-server`. */
export function createHttp({ base, options, pause }: HttpParts): Required<Transport> {
  const request = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  const ask = async <T>(path: string, signal: AbortSignal, method = 'GET', body?: object, keepalive = false): Promise<T> => {
    const given = typeof options.headers === 'function' ? await options.headers() : options.headers
    const init: RequestInit = { method, signal, keepalive, headers: { ...(body && { 'content-type': 'application/json' }), ...given } }
    if (body !== undefined) init.body = JSON.stringify(body)
    const response = await request(base + path, init)
    const text = await response.text()
    if (response.ok) {
      // The core checks each field of what the server says.
      const value: T = JSON.parse(text)
      return value
    }
    const refused = fromJson(text)
    const said = isRecord(refused) && typeof refused['message'] === 'string' ? refused['message'] : `the server said ${response.status}`
    throw new Refusal(said, response.status)
  }
  const at = (threadId: string, rest: string) => `/threads/${encodeURIComponent(threadId)}/${rest}`
  const queue = (threadId: string, messageId: string) => at(threadId, `queue/${encodeURIComponent(messageId)}`)
  /** L11: the same clientId is the same message, so a send is tried until its time is over. */
  const send = async (threadId: string, message: object, signal: AbortSignal): Promise<SendAnswer> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const outlives = attempt === 1 && JSON.stringify(message).length < OUTLIVES
        return await ask(at(threadId, 'messages'), signal, 'POST', message, outlives)
      } catch (thrown) {
        if (signal.aborted || !isPassing(thrown instanceof Refusal ? thrown.status : undefined)) throw thrown
        await pause(waitMs(attempt, Math.random()), signal)
      }
    }
  }
  return {
    loadChunks: ({ threadId, limit, before, after }, signal) => {
      const query = new URLSearchParams({ limit: String(limit) })
      if (before !== undefined) query.set('before', String(before))
      if (after !== undefined) query.set('after', String(after))
      return ask(at(threadId, `chunks?${query}`), signal)
    },
    // The text beside parts is for those who read no parts.
    send: ({ threadId, clientId, intent, text, parts }, signal) =>
      send(threadId, { clientId, intent, ...(parts === undefined ? { text } : { parts }) }, signal),
    stop: ({ threadId, ...turn }, signal) => ask(at(threadId, 'stop'), signal, 'POST', turn),
    cancelQueued: ({ threadId, messageId }, signal) => ask(queue(threadId, messageId), signal, 'DELETE'),
    editQueued: ({ threadId, messageId, text }, signal) => ask(queue(threadId, messageId), signal, 'PATCH', { text }),
    moveQueued: ({ threadId, messageId, index }, signal) => ask(queue(threadId, messageId), signal, 'PATCH', { index }),
    sendNow: ({ threadId, messageId }, signal) => ask(queue(threadId, messageId), signal, 'PATCH', { now: true }),
    resumeQueue: ({ threadId }, signal) => ask(at(threadId, 'queue/resume'), signal, 'POST', {}),
    resolveApproval: ({ threadId, callId, ...decision }, signal) =>
      ask(at(threadId, `approvals/${encodeURIComponent(callId)}`), signal, 'POST', decision),
    resync: ({ threadId }, signal) => ask(at(threadId, 'snapshot'), signal),
  }
}
