import { fromJson, isRecord } from './json.js'

/** One line of a recording. */
export interface Line {
  /** Its number, from 1; in a store's recording that of its input. */
  readonly line: number
  /** An event, a chunk, or a page; `undefined`: it is no JSON object. */
  readonly value: Readonly<Record<string, unknown>> | undefined
  /** The number of the first of several events that were recorded as one. */
  readonly firstN?: number
}

/**
 * The lines of a recording: JSON lines of events, chunks of the log (`seq` and `role`) and pages (`chunks` without a
 * type); or what `store.record()` gave, as JSON.
 */
export function readRecording(text: string): readonly Line[] {
  const whole = fromJson(text)
  if (isRecord(whole) && whole['v'] === 1 && Array.isArray(whole['inputs'])) return inputs(whole['inputs'])
  return text.split('\n').flatMap((raw, at) => (raw.trim() === '' ? [] : values(fromJson(raw), at + 1)))
}

function values(value: unknown, line: number): readonly Line[] {
  if (Array.isArray(value)) return value.flatMap(one => values(one, line))
  return [{ line, value: isRecord(value) ? value : undefined }]
}

function inputs(list: readonly unknown[]): readonly Line[] {
  const lines: Line[] = []
  // The address of the last delta: those that follow have the same, and were recorded without it.
  let delta: Readonly<Record<string, unknown>> = {}
  list.forEach((entry, at) => {
    const [kind, text, n, more]: readonly unknown[] = Array.isArray(entry) ? entry : []
    if (typeof text !== 'string') return
    const line = at + 1
    if (kind === 'g') {
      const count = typeof more === 'number' ? more : 1
      const numbered = typeof n === 'number' && n >= 0
      const { n: _, ...address } = delta
      lines.push({ line, value: { ...address, delta: text, ...(numbered ? { n } : {}) }, ...(numbered ? { firstN: n - count + 1 } : {}) })
    } else if (kind === 'a') {
      const answer = fromJson(`{${text.slice(1)}`)
      if (isRecord(answer) && isRecord(answer['value']) && Array.isArray(answer['value']['chunks'])) lines.push({ line, value: { ...answer['value'], ...asked(more) } })
    } else if (kind !== 'i') {
      const frame = kind === 'b' ? decode(text) : text
      const found = frame.split('\n').flatMap(raw => (raw.trim() === '' ? [] : values(fromJson(raw), line)))
      const last = found.at(-1)?.value
      if (typeof last?.['delta'] === 'string') delta = last
      lines.push(...found)
    }
  })
  return lines
}

/** The thread that a page was asked for. */
function asked(text: unknown): Readonly<Record<string, unknown>> {
  const effect = typeof text === 'string' ? fromJson(text) : undefined
  return isRecord(effect) && typeof effect['threadId'] === 'string' ? { threadId: effect['threadId'] } : {}
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), letter => letter.charCodeAt(0)))
}
