import type { ChatState, ChatStatus, UIMessage } from 'ai'
import type { Thread } from '../api.js'
import { messageOf } from '../errors.js'
import type { ThreadSnapshot } from '../view.js'
import { keepMessages } from './keep.js'

/** Ends a registration. @inline */
type Leave = () => void

/**
 * A thread as the state of a chat. What it shows is the thread's; what is written to it, but for a pushed message of the
 * user, is not taken: rows come and go by what the server says.
 */
export interface ThreadChatState<MESSAGE extends UIMessage> extends ChatState<MESSAGE> {
  /** The messages that wait for a turn; `messages` are all others. */
  experimental_queuedMessages: MESSAGE[]
  /** The last error is seen: `status` is `ready` until there is another one. */
  clearError(this: void): void
  /** Hears of new messages, not more often than the wait. */
  '~registerMessagesCallback'(this: void, onChange: () => void, throttleWaitMs?: number): Leave
  /** Hears of another status. */
  '~registerStatusCallback'(this: void, onChange: () => void): Leave
  /** Hears of another error. */
  '~registerErrorCallback'(this: void, onChange: () => void): Leave
  /** Hears of another queue. */
  '~registerQueuedMessagesCallback'(this: void, onChange: () => void): Leave
}

/** What writes to the state come to, beside the thread. */
export interface ChatStateParts<MESSAGE extends UIMessage> {
  /** A message of the user was pushed. */
  push(message: MESSAGE): void
  /** All messages were set. */
  set(messages: readonly MESSAGE[]): void
}

/** The state over a thread. It listens to the thread only while somebody listens to it. */
export function createChatState<MESSAGE extends UIMessage = UIMessage>(
  thread: Thread,
  parts: ChatStateParts<MESSAGE>,
): ThreadChatState<MESSAGE> {
  const shown = keepMessages<MESSAGE>(group => group.state !== 'queued')
  const waiting = keepMessages<MESSAGE>(group => group.state === 'queued')
  let cleared: string | undefined
  let shownError: { readonly key: string; readonly error: Error } | undefined
  let looked: { readonly at: ThreadSnapshot; readonly found: Problem | undefined } | undefined
  let leave: Leave | undefined
  const heard = { messages: new Set<Leave>(), status: new Set<Leave>(), error: new Set<Leave>(), queue: new Set<Leave>() }

  const messages = () => shown(thread.getSnapshot().groups)
  const queue = () => waiting(thread.getSnapshot().groups)
  const problem = (at: ThreadSnapshot): Problem | undefined => {
    if (looked?.at !== at) looked = { at, found: problemOf(at) }
    return looked.found
  }
  const error = (): Error | undefined => {
    const found = problem(thread.getSnapshot())
    if (found === undefined || found.key === cleared) return undefined
    if (shownError?.key !== found.key) shownError = { key: found.key, error: new Error(found.text) }
    return shownError.error
  }
  const status = () => statusOf(thread.getSnapshot(), error() !== undefined)

  let seen = { messages: messages(), status: status(), error: error(), queue: queue() }
  const tell = () => {
    const now = { messages: messages(), status: status(), error: error(), queue: queue() }
    const before = seen
    seen = now
    if (now.messages !== before.messages) call(heard.messages)
    if (now.queue !== before.queue) call(heard.queue)
    if (now.error !== before.error) call(heard.error)
    if (now.status !== before.status) call(heard.status)
  }
  const register = (set: Set<Leave>, listener: Leave): Leave => {
    // Each registration is one of its own, also of a listener that is known.
    const own = () => listener()
    set.add(own)
    if (leave === undefined) {
      seen = { messages: messages(), status: status(), error: error(), queue: queue() }
      leave = thread.subscribe(tell)
    }
    return () => {
      set.delete(own)
      if (leave === undefined || Object.values(heard).some(others => others.size > 0)) return
      leave()
      leave = undefined
    }
  }
  return {
    get status() {
      return status()
    },
    set status(_: ChatStatus) {},
    get error() {
      return error()
    },
    set error(_: Error | undefined) {},
    get messages() {
      return messages()
    },
    set messages(next: MESSAGE[]) {
      parts.set(next)
    },
    get experimental_queuedMessages() {
      return queue()
    },
    set experimental_queuedMessages(_: MESSAGE[]) {},
    pushMessage: message => {
      if (message.role === 'user') parts.push(message)
    },
    popMessage: () => {},
    replaceMessage: () => {},
    snapshot: value => value,
    clearError: () => {
      cleared = problem(thread.getSnapshot())?.key
      tell()
    },
    '~registerMessagesCallback': (onChange, wait) =>
      register(heard.messages, wait === undefined || wait === 0 ? onChange : throttle(onChange, wait)),
    '~registerStatusCallback': onChange => register(heard.status, onChange),
    '~registerErrorCallback': onChange => register(heard.error, onChange),
    '~registerQueuedMessagesCallback': onChange => register(heard.queue, onChange),
  }
}

/** What a thread is doing, in the peer's words. */
function statusOf({ status, groups }: ThreadSnapshot, isError: boolean): ChatStatus {
  switch (status) {
    case 'pending':
      return 'submitted'
    case 'streaming':
    case 'awaiting-tool':
    case 'stopping':
      return 'streaming'
    case 'idle':
    case 'error':
    case 'awaiting-approval':
      // A person is asked: the peer's stream has finished by then.
      if (groups.some(({ state }) => state === 'sending' || state === 'starting')) return 'submitted'
      return isError ? 'error' : 'ready'
    default: {
      const none: never = status
      return none
    }
  }
}

interface Problem {
  readonly key: string
  readonly text: string
}

/** The error that a thread shows: of a message that did not arrive, or of its last turn. */
function problemOf({ status, groups }: ThreadSnapshot): Problem | undefined {
  const failed = groups.findLast(group => group.state === 'failed')
  if (failed !== undefined) return { key: `${failed.key} ${failed.error}`, text: failed.error ?? 'the message did not arrive' }
  if (status !== 'error') return undefined
  const broken = groups.findLast(group => group.error !== undefined)
  return { key: broken?.key ?? '', text: broken?.error ?? 'the turn failed' }
}

function call(listeners: ReadonlySet<Leave>) {
  for (const listener of [...listeners]) {
    try {
      listener()
    } catch (thrown) {
      // One that throws keeps no other from hearing.
      if (typeof reportError === 'function') reportError(thrown)
      else console.error(messageOf(thrown))
    }
  }
}

/** Calls at once, then at most once in `ms`, and once more at the end where something was left out. */
function throttle(act: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const run = () => {
    again = false
    timer = setTimeout(() => {
      timer = undefined
      if (again) run()
    }, ms)
    act()
  }
  return () => {
    if (timer === undefined) run()
    else again = true
  }
}
