import type { Thread } from '../api.js'
import type { PendingSend } from '../effects.js'
import { messageOf } from '../errors.js'
import { isRecord } from '../json.js'
import type { SendAnswer } from '../options.js'

/** A message on its way to the server. */
export type Sent = { readonly threadId: string } & PendingSend

/** What tabs of one page tell each other: what is being sent, what came of it, what was given up, what is typed. */
export interface Tabs {
  /** Sends a message, or waits for the tab that does. */
  send(message: Sent, signal: AbortSignal): Promise<SendAnswer>
  /** A thread is looked at: who sends there? */
  opened(threadId: string): void
  /** The user gave a message up. */
  dismissed(threadId: string, clientId: string): void
  /** The user typed that. */
  typed(threadId: string, text: string): void
  /** Ends it. */
  close(): void
}

/** What tabs are given. */
export interface TabsParts {
  /** Names those who belong together; `undefined`: this tab is alone. */
  readonly name: string | undefined
  /** Sends a message to the server. */
  post(message: Sent, signal: AbortSignal): Promise<SendAnswer>
  /** Takes what another tab typed. */
  draft(threadId: string, text: string): void
  /** The threads that were opened here. */
  threads(): readonly Thread[]
}

interface Theirs {
  settle(outcome: SendAnswer | Error): void
  readonly outcome: Promise<SendAnswer | Error>
}

/** A tab that says nothing for so long is gone: the message is sent from here. Nothing is sent twice by that (L11). */
const SILENCE_MS = 4_000

/** The line to other tabs. */
export function createTabs({ name, post, draft, threads }: TabsParts): Tabs {
  const channel = name === undefined || typeof BroadcastChannel !== 'function' ? undefined : new BroadcastChannel(`turnseal:1:${name}`)
  const own = new Map<string, Sent>()
  const theirs = new Map<string, Theirs>()
  const say = (message: object) => channel?.postMessage(message)

  const postOwn = async (message: Sent, signal: AbortSignal): Promise<SendAnswer> => {
    own.set(message.clientId, message)
    say({ type: 'sending', message })
    try {
      const answer = await post(message, signal)
      say({ type: 'sent', clientId: message.clientId, answer })
      return answer
    } catch (thrown) {
      // Given up here is not failed there: the others try by themselves.
      if (!signal.aborted) say({ type: 'sent', clientId: message.clientId, error: messageOf(thrown) })
      throw thrown
    } finally {
      own.delete(message.clientId)
    }
  }
  const send = async (message: Sent, signal: AbortSignal): Promise<SendAnswer> => {
    const other = theirs.get(message.clientId)
    if (other === undefined) return postOwn(message, signal)
    const silence = new Promise<undefined>(done => setTimeout(done, SILENCE_MS, undefined))
    const outcome = await Promise.race([other.outcome, silence])
    theirs.delete(message.clientId)
    signal.throwIfAborted()
    if (outcome === undefined) return postOwn(message, signal)
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  /** Shows a message that another tab sends. Its transport waits for that tab. */
  const adopt = (message: Sent) => {
    const { threadId, clientId, text, parts, intent } = message
    const thread = threads().find(({ id }) => id === threadId)
    if (thread === undefined || own.has(clientId) || theirs.has(clientId)) return
    let settle: Theirs['settle'] = () => {}
    const outcome = new Promise<SendAnswer | Error>(done => (settle = done))
    theirs.set(clientId, { settle, outcome })
    const state = () => thread.renderGroups().find(one => one.clientId === clientId)?.state
    const before = state()
    if (before === 'failed') thread.retry(clientId)
    else if (before === undefined) thread.send(parts ?? text ?? '', { clientId, intent })
    // It has arrived here already: nobody asks for it.
    if (before === 'sending' || state() !== 'sending') theirs.delete(clientId)
  }
  const hear = (said: unknown) => {
    if (!isRecord(said)) return
    const { type, threadId, clientId, text, message, answer, error } = said
    if (type === 'sending' && isSent(message)) adopt(message)
    if (type === 'sent' && typeof clientId === 'string') {
      theirs.get(clientId)?.settle(typeof error === 'string' ? new Error(error) : isAnswer(answer) ? answer : new Error('no answer'))
    }
    if (type === 'draft' && typeof threadId === 'string' && typeof text === 'string') draft(threadId, text)
    if (type === 'hello') for (const message of own.values()) if (message.threadId === threadId) say({ type: 'sending', message })
    if (type === 'dismiss') {
      const thread = threads().find(({ id }) => id === threadId)
      const group = thread?.renderGroups().find(one => one.state === 'failed' && one.clientId === clientId)
      if (group !== undefined) thread?.dismiss(group.key)
    }
  }
  if (channel !== undefined) channel.onmessage = ({ data }) => hear(data)
  return {
    send,
    opened: threadId => say({ type: 'hello', threadId }),
    dismissed: (threadId, clientId) => say({ type: 'dismiss', threadId, clientId }),
    typed: (threadId, text) => say({ type: 'draft', threadId, text }),
    close: () => channel?.close(),
  }
}

function isSent(value: unknown): value is Sent {
  return (
    isRecord(value) &&
    typeof value['threadId'] === 'string' &&
    typeof value['clientId'] === 'string' &&
    (value['intent'] === 'queue' || value['intent'] === 'steer') &&
    (typeof value['text'] === 'string' || Array.isArray(value['parts']))
  )
}

function isAnswer(value: unknown): value is SendAnswer {
  return isRecord(value) && typeof value['status'] === 'string'
}
