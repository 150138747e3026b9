import { messageOf } from './errors.js'
import type { Diagnostic, PendingStorage } from './options.js'

/** A storage that may be absent, full or broken: that is told, and never thrown. */
export interface Keep {
  /** What was kept of a thread; `read` says `undefined` for a text that it cannot take whole: that is put aside. */
  read<T>(threadId: string, read: (text: string) => T | undefined): T | undefined
  /** Keeps a text; an empty one: forgets the thread. */
  write(threadId: string, text: string): void
  /** A thread has another name. What stands under it already stays. */
  rename(from: string, to: string): void
  /** Tells that something is too long to be kept; once, until it is not. */
  full(threadId: string, detail: string | undefined): void
}

/** Characters a thread may take. */
export const SIZE_MAX = 256 * 1024

/**
 * What is kept of one kind. `prefix` has the version of its form: another one is another key, so that an older client does
 * no harm. `aside`: what cannot be read is put under this.
 */
export function createKeep(
  storage: PendingStorage | undefined,
  report: (diagnostic: Diagnostic) => void,
  prefix: string,
  aside: string,
): Keep {
  // Who writes with each key press shall not tell of it with each.
  const told = new Set<string>()
  const tell = (what: Omit<Diagnostic, 'detail'>, detail: string | undefined) => {
    const line = JSON.stringify(what)
    if (detail === undefined) told.delete(line)
    else if (!told.has(line)) {
      told.add(line)
      report({ ...what, detail })
    }
  }
  const attempt = <T>(threadId: string, act: (storage: PendingStorage) => T): T | undefined => {
    if (storage === undefined) return undefined
    try {
      const given = act(storage)
      tell({ code: 'storage-failed', threadId }, undefined)
      return given
    } catch (thrown) {
      tell({ code: 'storage-failed', threadId }, messageOf(thrown))
      return undefined
    }
  }
  const putAside = (threadId: string, text: string) => {
    report({ code: 'storage-corrupt', threadId, detail: `what was kept cannot be read; it is now under ${aside}${threadId}` })
    attempt(threadId, storage => {
      // First away, so that a full storage has room for it.
      storage.removeItem(prefix + threadId)
      try {
        storage.setItem(aside + threadId, text)
      } catch (thrown) {
        storage.setItem(prefix + threadId, text)
        throw thrown
      }
    })
  }
  return {
    read: (threadId, read) => {
      const text = attempt(threadId, storage => storage.getItem(prefix + threadId))
      if (typeof text !== 'string') return undefined
      const value = read(text)
      if (value === undefined) putAside(threadId, text)
      return value
    },
    write: (threadId, text) => {
      attempt(threadId, storage =>
        text === '' ? storage.removeItem(prefix + threadId) : storage.setItem(prefix + threadId, text),
      )
    },
    rename: (from, to) => {
      attempt(to, storage => {
        const text = storage.getItem(prefix + from)
        if (typeof text !== 'string') return
        if (storage.getItem(prefix + to) === null) storage.setItem(prefix + to, text)
        storage.removeItem(prefix + from)
      })
    },
    full: (threadId, detail) => tell({ code: 'storage-full', threadId }, detail),
  }
}
