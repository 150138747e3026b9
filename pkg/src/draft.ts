import type { Draft } from './api.js'
import { fromJson, isRecord } from './json.js'
import { SIZE_MAX, createKeep } from './keep.js'
import { createListeners } from './listeners.js'
import type { Diagnostic, PendingStorage } from './options.js'

/** What is typed and not sent, thread by thread. */
export interface Drafts {
  /** The draft of the thread that `id` names then. */
  of(id: () => string): Draft
  /** Another tab has typed that. */
  heard(threadId: string, text: string): void
  /** A thread has another name. */
  rename(from: string, to: string): void
}

/** Drafts in a storage. `typed` hears what is typed here, `failed` what a listener throws. */
export function createDrafts(
  storage: PendingStorage | undefined,
  report: (diagnostic: Diagnostic) => void,
  scope: string,
  typed: (threadId: string, text: string) => void,
  failed: (thrown: unknown) => void,
): Drafts {
  const keep = createKeep(storage, report, `turnseal:draft:1:${scope}`, `turnseal:corrupt:draft:${scope}`)
  const texts = new Map<string, string>()
  const listeners = createListeners<[string]>(() => {}, failed)

  const read = (threadId: string): string => {
    let text = texts.get(threadId)
    if (text === undefined) texts.set(threadId, (text = keep.read(threadId, textOf) ?? ''))
    return text
  }
  const heard = (threadId: string, text: string) => {
    texts.set(threadId, text)
    listeners.tell(threadId)
  }
  return {
    of: id => ({
      get: () => read(id()),
      set: text => {
        const threadId = id()
        if (read(threadId) === text) return
        // A draft that is too long leaves what stood there: the beginning of it, mostly.
        const isLong = text.length > SIZE_MAX
        if (!isLong) keep.write(threadId, text === '' ? '' : JSON.stringify({ text }))
        keep.full(threadId, isLong ? 'the draft is too long to outlive a reload' : undefined)
        typed(threadId, text)
        heard(threadId, text)
      },
      // By the name of then: a rename takes its listeners along.
      subscribe: listener => listeners.add(threadId => threadId === id() && listener()),
    }),
    heard,
    rename: (from, to) => {
      keep.rename(from, to)
      const text = texts.get(from)
      texts.delete(from)
      if (text !== undefined && (texts.get(to) ?? '') === '') texts.set(to, text)
      listeners.tell(to)
    },
  }
}

function textOf(json: string): string | undefined {
  const value = fromJson(json)
  const text = isRecord(value) ? value['text'] : undefined
  return typeof text === 'string' ? text : undefined
}
