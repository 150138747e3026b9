import type { PendingSend } from './effects.js'
import { fromJson, isRecord, toJson } from './json.js'
import { SIZE_MAX, createKeep } from './keep.js'
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

/** Messages kept in a storage that other tabs write to as well. Beyond its size the newest are left out. */
export function createPending(storage: PendingStorage | undefined, report: (diagnostic: Diagnostic) => void, scope = ''): Pending {
  const keep = createKeep(storage, report, `turnseal:1:${scope}`, `turnseal:corrupt:${scope}`)
  // What this client has read or written: any other message there is another tab's, and stays.
  const mine = new Set<string>()
  const kept = (threadId: string): readonly PendingSend[] => {
    let rest: readonly PendingSend[] = []
    const whole = keep.read(threadId, text => {
      const value = fromJson(text)
      const list: readonly unknown[] = Array.isArray(value) ? value : []
      rest = list.filter(isSend)
      return rest.length === list.length && Array.isArray(value) ? rest : undefined
    })
    // One that cannot be read takes no other one along.
    if (whole === undefined && rest.length > 0) keep.write(threadId, JSON.stringify(rest))
    return rest
  }
  return {
    write: (threadId, sends) => {
      const others = kept(threadId).filter(({ clientId }) => !mine.has(clientId))
      for (const { clientId } of sends) mine.add(clientId)
      const { text, left } = fit([...others, ...sends])
      keep.write(threadId, text)
      keep.full(threadId, left > 0 ? `${left} pending messages are too long to outlive a reload` : undefined)
    },
    read: threadId => {
      const sends = kept(threadId)
      for (const { clientId } of sends) mine.add(clientId)
      return sends
    },
    rename: keep.rename,
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
  return { text: kept.length === 0 ? '' : `[${kept.join(',')}]`, left: sends.length - kept.length }
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
