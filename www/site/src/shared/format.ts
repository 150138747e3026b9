// What the page says about things: labels, one-line summaries, times. Words only, no decisions.
import type { Group, Status, ToolPart } from 'turnseal'

const STATES: Record<ToolPart['state'], string> = {
  'input-streaming': 'Writing the call',
  running: 'Running',
  'awaiting-approval': 'Needs approval',
  approved: 'Approved',
  denied: 'Denied',
  done: 'Done',
  error: 'Failed',
  interrupted: 'Stopped',
}
/** What a call is doing, in a word or two. */
export const toolState = (tool: ToolPart): string => STATES[tool.state]

/** True while a call may still change. */
export const isActive = ({ state }: ToolPart): boolean =>
  state === 'input-streaming' || state === 'running' || state === 'awaiting-approval' || state === 'approved'

/** `query_database` as people say it. */
export function toolName(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a call is about: its first argument that is a text, on one line. */
export function toolSummary({ arguments: given, argumentsText }: ToolPart): string {
  const first = isRecord(given) ? Object.values(given).find(value => typeof value === 'string') : undefined
  const half = argumentsText?.match(/:\s*"((?:[^"\\]|\\.)*)/)?.[1]?.replace(/\\n/g, ' ').replace(/\\(.)/g, '$1')
  return String(first ?? half ?? '').replace(/\s+/g, ' ').trim()
}

/** The arguments as a person reads them: a single text as it is, everything else as JSON. */
export function toolInput({ arguments: given, argumentsText }: ToolPart): string {
  if (given === undefined) return argumentsText ?? ''
  const values = isRecord(given) ? Object.values(given) : [given]
  const [only] = values
  if (values.length === 0) return ''
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(given, null, 2)
}

/** A question, and what it is about: what stands behind its question mark. */
export function question(prompt = 'May this call run?'): { readonly words: string; readonly about: string } {
  const [, words = prompt, about = ''] = /^([^?]*\?)\s+(.+)$/s.exec(prompt) ?? []
  return { words, about }
}

/** A result as something that can be drawn. */
export type Shown =
  | { readonly kind: 'none' }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'text'; readonly text: string }

const words = (value: unknown) => (typeof value === 'string' ? value : value === null ? '–' : JSON.stringify(value))

/** What to draw of a result. What was printed already is not said twice. */
export function toolResult({ result, output }: ToolPart): Shown {
  if (result === undefined || result === null) return { kind: 'none' }
  if (typeof result === 'string') return { kind: 'text', text: result }
  if (isRecord(result)) {
    const { columns, rows } = result
    if (Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray))
      return { kind: 'table', columns: columns.map(String), rows: rows.map(row => row.map(words)) }
    if (output !== undefined && typeof result.output === 'string') return { kind: 'text', text: `exit code ${words(result.code)}` }
    if (typeof result.text === 'string') return { kind: 'text', text: result.text }
  }
  return { kind: 'text', text: JSON.stringify(result, null, 2) }
}

/** All that a tool printed, as it came on its two streams. */
export const toolOutput = ({ output, result }: ToolPart): string => {
  const live = output ? output.stdout + output.stderr : ''
  return live || (isRecord(result) && typeof result.output === 'string' ? result.output : '')
}

/** All words of a group. */
export const textOf = (group: Group): string =>
  group.parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n\n')

const STATUS: Record<Status, string> = {
  idle: '',
  pending: 'Starting…',
  streaming: 'Answering…',
  'awaiting-tool': 'Using a tool…',
  'awaiting-approval': 'Waiting for your approval',
  stopping: 'Stopping…',
  error: '',
}
/** What a thread is doing; empty: nothing. */
export const statusWords = (status: Status): string => STATUS[status]

/** True while a turn runs. */
export const isBusy = (status: Status): boolean => status !== 'idle' && status !== 'error'

/** How long ago, as short as it can be said. */
export function ago(time: number, now = Date.now()): string {
  const minutes = Math.floor((now - time) / 60_000)
  if (time === 0) return ''
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  return new Date(time).toLocaleDateString(undefined, { month: 'short', day: 'numeric' })
}
