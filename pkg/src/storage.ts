import type { PendingSend } from './effects.js'
import { messageOf } from './errors.js'
import { fromJson, isRecord, toJson } from './json.js'
import type { Diagnostic, PendingStorage } from './options.js'

/** Messages that have not arrived, kept over a reload. */
export interface Pending {
  /** Keeps all of a thread; none: forgets it. */
  write(threadId: string, sends: readonly PendingSend[]): void
  /** What was kept of a thread. */
  read(threadId: string): readonly PendingSend[]
  /** A thread has another name. */
  rename(from: string, to: string): void
}

/** The form of what is kept; another one is another key, so that an older client does no harm. */
const PREFIX = 'turnseal:1:'
/** What cannot be read is put aside under this. */
const ASIDE = 'turnseal:corrupt:'
/** Characters a thread may take. Beyond, the newest messages are left out, with a diagnostic. */
const SIZE_MAX = 256 * 1024

/** Messages kept in a storage that may be absent, full or broken: that is told, and never thrown. */
export function createPending(storage: PendingStorage | undefined, report: (diagnostic: Diagnostic) => void): Pending {
  const attempt = <T>(threadId: string, act: (storage: PendingStorage) => T): T | undefined => {
    if (storage === undefined) return undefined
    try {
      return act(storage)
    } catch (thrown) {
      report({ code: 'storage-failed', threadId, detail: messageOf(thrown) })
      return undefined
    }
  }
  const write = (threadId: string, sends: readonly PendingSend[]) => {
    attempt(threadId, storage => {
      if (sends.length === 0) return storage.removeItem(PREFIX + threadId)
      const { text, left } = fit(sends)
      storage.setItem(PREFIX + threadId, text)
      if (left > 0)
        report({ code: 'storage-full', threadId, detail: `${left} pending messages are too long to outlive a reload` })
    })
  }
  const read = (threadId: string): readonly PendingSend[] => {
    const text = attempt(threadId, storage => storage.getItem(PREFIX + threadId))
    if (typeof text !== 'string') return []
    const sends = sendsOf(text)
    if (sends !== undefined) return sends
    report({ code: 'storage-corrupt', threadId, detail: `kept messages cannot be read; they are now under ${ASIDE}${threadId}` })
    attempt(threadId, storage => {
      storage.setItem(ASIDE + threadId, text)
      storage.removeItem(PREFIX + threadId)
    })
    return []
  }
  return {
    write,
    read,
    rename: (from, to) => {
      attempt(to, storage => {
        const text = storage.getItem(PREFIX + from)
        if (typeof text !== 'string') return
        if (storage.getItem(PREFIX + to) === null) storage.setItem(PREFIX + to, text)
        storage.removeItem(PREFIX + from)
      })
    },
  }
}

/** As many messages, oldest first, as the limit lets in. */
function fit(sends: readonly PendingSend[]): { readonly text: string; readonly left: number } {
  const kept: string[] = []
  let size = 2
  for (const send of sends) {
    const text = JSON.stringify(send)
    size += text.length + 1
    if (size > SIZE_MAX) break
    kept.push(text)
  }
  return { text: `[${kept.join(',')}]`, left: sends.length - kept.length }
}

function sendsOf(text: string): readonly PendingSend[] | undefined {
  const value = fromJson(text)
  if (!Array.isArray(value)) return undefined
  const sends: readonly unknown[] = value
  return sends.every(isSend) ? sends : undefined
}

function isSend(value: unknown): value is PendingSend {
  return (
    isRecord(value) &&
    typeof value['clientId'] === 'string' &&
    value['clientId'] !== '' &&
    (value['intent'] === 'queue' || value['intent'] === 'steer') &&
    (typeof value['text'] === 'string' || Array.isArray(value['parts'])) &&
    toJson(value) !== undefined
  )
}
