import type { ChunkBody, KnownEvent, Snapshot } from './events.js'
import type { Part } from './view.js'

/** What a paper turn can say. */
export type PaperEvent =
  /** Text or reasoning grows. */
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly delta: string }
  /** A tool is called. */
  | { readonly type: 'tool-call'; readonly toolCall: { readonly id: string; readonly name: string; readonly arguments: unknown } }
  /** A tool answers. */
  | { readonly type: 'tool-result'; readonly toolResult: { readonly toolCallId: string; readonly result: unknown; readonly isError?: boolean } }
  /** A line for the reader. */
  | { readonly type: 'notice'; readonly message: string }

/** A row that will be written. */
export type PaperRow = ChunkBody & { readonly step?: number }

type LiveRow = Snapshot['turns'][number]['rows'][number]

/** Keeps what of an event will be written: a row for each run of words, call and result. Gives the event as it is told. */
export function keep(turnId: string, rows: PaperRow[], event: PaperEvent): KnownEvent {
  const last = rows.at(-1)
  switch (event.type) {
    case 'text-delta':
      if (last?.type === 'text' && last.role === 'assistant') rows[rows.length - 1] = { ...last, data: { text: last.data.text + event.delta } }
      else rows.push({ role: 'assistant', type: 'text', data: { text: event.delta } })
      return { ...event, turnId }
    case 'reasoning-delta':
      if (last?.type === 'reasoning') rows[rows.length - 1] = { ...last, data: { text: last.data.text + event.delta } }
      else rows.push({ role: 'assistant', type: 'reasoning', data: { text: event.delta } })
      return { ...event, turnId }
    case 'tool-call': {
      const { id, name, arguments: given } = event.toolCall
      const step = stepAfter(rows)
      rows.push({ role: 'assistant', type: 'tool_call', step, data: { callId: id, name, arguments: given } })
      return { ...event, turnId, step }
    }
    case 'tool-result': {
      const { toolCallId, ...rest } = event.toolResult
      rows.push({ role: 'tool', type: 'tool_result', step: rows.findLast(row => isCall(row, toolCallId))?.step ?? 0, data: { callId: toolCallId, ...rest } })
      return { ...event, turnId }
    }
    case 'notice':
      rows.push({ role: 'system', type: 'system', data: { kind: 'notice', text: event.message } })
      return { ...event, turnId }
    default: {
      const none: never = event
      return none
    }
  }
}

const isCall = (row: PaperRow, callId: string) => row.type === 'tool_call' && row.data.callId === callId

/** Calls that stand together are of one step. */
function stepAfter(rows: readonly PaperRow[]): number {
  const last = rows.findLast(({ type }) => type === 'tool_call')
  if (last === undefined) return 0
  return (last.step ?? 0) + (rows.at(-1) === last ? 0 : 1)
}

/** The rows of a turn as a snapshot lists them: those of one role that stand together are one. */
export function liveRows(rows: readonly PaperRow[]): readonly LiveRow[] {
  const live: { readonly role: LiveRow['role']; readonly parts: Part[] }[] = []
  for (const row of rows) {
    const part = partOf(row, rows)
    if (part === undefined) continue
    const last = live.at(-1)
    if (last?.role === row.role) last.parts.push(part)
    else live.push({ role: row.role, parts: [part] })
  }
  return live
}

function partOf(row: PaperRow, rows: readonly PaperRow[]): Part | undefined {
  switch (row.type) {
    case 'text':
      return { type: 'text', text: row.data.text }
    case 'reasoning':
      return { type: 'reasoning', text: row.data.text, sealed: row !== rows.at(-1) }
    case 'system':
      return { type: 'notice', text: row.data.text }
    case 'tool_call': {
      const { callId, name, arguments: given } = row.data
      const answer = rows.slice(rows.indexOf(row)).find(other => other.type === 'tool_result' && other.data.callId === callId)
      const call = { type: 'tool', callId, name, step: row.step ?? 0, arguments: given } as const
      if (answer?.type !== 'tool_result') return { ...call, state: 'running' }
      const { result, isError = false } = answer.data
      return { ...call, state: isError ? 'error' : 'done', result, isError }
    }
    default:
      return undefined
  }
}
