import type { Draft, Thread, ThreadCommand } from './api.js'
import { checked, sendCommand } from './commands.js'
import type { Entry, EntryParts } from './entry.js'
import { createListeners } from './listeners.js'
import type { ThreadSnapshot } from './view.js'

/** What a handle needs of its store. */
export interface ThreadParts extends EntryParts {
  /** Names a new message. */
  readonly newClientId: () => string
  /** The draft of the thread that `id` names then. */
  draft(id: () => string): Draft
  /** Throws where the store was freed; else brings all views up to date. */
  fresh(): void
  /** Throws where the store was freed. */
  alive(): void
  /** Feeds a command to the entry's thread, now or after the current input. */
  command(entry: Entry, command: Readonly<Record<string, unknown>>): void
  /** Loads older rows; settles when none is on its way any more. */
  older(entry: Entry): Promise<void>
}

/** The handle of a thread: closures over its entry. */
export function createThread(entry: Entry, parts: ThreadParts): Thread {
  const { fresh, alive, newClientId } = parts
  const initial = entry.mirror.snapshot()
  const snapshot = (): ThreadSnapshot => {
    fresh()
    return entry.mirror.snapshot()
  }
  const act = (command: unknown) => {
    alive()
    const whole = checked(command, newClientId)
    parts.command(entry, whole)
    return whole
  }
  const dispatch = (command: ThreadCommand) => {
    act(command)
  }
  return {
    get id() {
      return entry.mirror.id()
    },
    draft: parts.draft(() => entry.mirror.id()),
    getSnapshot: snapshot,
    getState: snapshot,
    getInitialState: () => initial,
    subscribe: listener => {
      alive()
      return entry.listeners.add(listener)
    },
    subscribeGroup: (key, listener) => {
      fresh()
      let watch = entry.groups.get(key)
      if (watch === undefined || watch.listeners.size() === 0) {
        watch = { seen: entry.mirror.group(key), listeners: createListeners(parts.count, parts.failed) }
        entry.groups.set(key, watch)
      }
      const { listeners } = watch
      const leave = listeners.add(() => listener())
      return () => {
        leave()
        if (listeners.size() === 0 && entry.groups.get(key)?.listeners === listeners) entry.groups.delete(key)
      }
    },
    group: key => {
      fresh()
      return entry.mirror.group(key)
    },
    keys: () => {
      fresh()
      return entry.mirror.keys()
    },
    renderGroups: () => {
      fresh()
      return entry.mirror.groups()
    },
    send: (message, options) => String(act(sendCommand(message, options))['clientId']),
    stop: () => dispatch({ type: 'stop' }),
    cancelQueued: messageId => dispatch({ type: 'cancel-queued', messageId }),
    editQueued: (messageId, text) => dispatch({ type: 'edit-queued', messageId, text }),
    moveQueued: (messageId, index) => dispatch({ type: 'move-queued', messageId, index }),
    sendNow: messageId => dispatch({ type: 'send-now', messageId }),
    resumeQueue: () => dispatch({ type: 'resume-queue' }),
    approve: (callId, reason) => dispatch({ type: 'approve', callId, ...(reason === undefined ? {} : { reason }) }),
    deny: (callId, reason) => dispatch({ type: 'deny', callId, ...(reason === undefined ? {} : { reason }) }),
    retry: clientId => dispatch({ type: 'retry', clientId }),
    dismiss: key => dispatch({ type: 'dismiss', key }),
    loadOlder: () => {
      alive()
      return parts.older(entry)
    },
    setScrolledUp: value => dispatch({ type: 'scrolled-up', value }),
    dispatch,
  }
}
