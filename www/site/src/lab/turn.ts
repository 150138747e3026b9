// What a turn of the server on paper holds: its rows, as chunks of the log, and as a snapshot tells them.
import type { Chunk, Part, SnapshotEvent } from 'turnseal'
import type { Turn } from './paper.ts'

type SnapshotRow = NonNullable<SnapshotEvent['turns']>[number]['rows'][number]

export type Row =
  | { readonly kind: 'user'; readonly messages: readonly string[]; readonly text: string }
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'call'; readonly call: string; readonly name: string; readonly arguments: unknown; readonly step: number; isAnswered: boolean }
  | { readonly kind: 'result'; readonly call: string; readonly result: string; readonly isError: boolean; readonly step: number }
  | { readonly kind: 'notice'; readonly text: string }

/** Text goes on in the last text, unless it is written or something stands behind it. */
export function grown(turn: Turn, delta: string): void {
  const from = Math.max(turn.rows.findLastIndex(({ kind }) => kind === 'user' || kind === 'notice') + 1, turn.written)
  const tail = turn.rows.slice(from).findLast(({ kind }) => kind !== 'result')
  if (tail?.kind === 'text') tail.text += delta
  else turn.rows.push({ kind: 'text', text: delta })
}

/** The step that a new call is of: the next one where all calls so far are answered. */
export function stepOf({ rows }: Turn): number {
  const calls = rows.flatMap(row => (row.kind === 'call' ? [row] : []))
  const last = calls.at(-1)?.step ?? 0
  const own = calls.filter(({ step }) => step === last)
  return own.length > 0 && own.every(({ isAnswered }) => isAnswered) ? last + 1 : last
}

/** What the log holds of a row. */
export function chunkOf(turnId: string, row: Row, seq: number, clientsOf: (ids: readonly string[]) => string[]): Chunk {
  const place = { seq, turnId }
  switch (row.kind) {
    case 'user': {
      const [messageId] = row.messages
      const clientIds = clientsOf(row.messages)
      return { ...place, role: 'user', type: 'text', data: { text: row.text }, ...(messageId === undefined ? {} : { messageId }), ...(clientIds.length > 0 ? { clientIds } : {}) }
    }
    case 'text':
      return { ...place, role: 'assistant', type: 'text', data: { text: row.text } }
    case 'call':
      return { ...place, role: 'assistant', type: 'tool_call', step: row.step, data: { callId: row.call, name: row.name, arguments: row.arguments } }
    case 'result':
      return { ...place, role: 'tool', type: 'tool_result', step: row.step, data: { callId: row.call, result: row.result, ...(row.isError ? { isError: true } : {}) } }
    case 'notice':
      return { ...place, role: 'system', type: 'system', data: { kind: 'notice', text: row.text } }
  }
}

/** A turn as a snapshot tells it: runs of one role, results with their calls. */
export function shown(turn: Turn, clientsOf: (ids: readonly string[]) => string[]): SnapshotRow[] {
  const out: { role: 'user' | 'assistant' | 'system'; messageId?: string; messageIds?: string[]; clientIds?: string[]; parts: Part[] }[] = []
  const add = (role: 'assistant' | 'system', part: Part) => {
    if (out.at(-1)?.role !== role) out.push({ role, parts: [] })
    out.at(-1)?.parts.push(part)
  }
  for (const row of turn.rows) {
    if (row.kind === 'user') out.push({ role: 'user', messageId: row.messages[0] ?? '', messageIds: [...row.messages], clientIds: clientsOf(row.messages), parts: [{ type: 'text', text: row.text }] })
    else if (row.kind === 'text') add('assistant', { type: 'text', text: row.text })
    else if (row.kind === 'notice') add('system', { type: 'notice', text: row.text })
    else if (row.kind === 'call') {
      const result = turn.rows.find(other => other.kind === 'result' && other.call === row.call)
      const ask = turn.asks.find(({ call }) => call === row.call)
      const answered = result?.kind === 'result' ? { result: result.result, isError: result.isError, state: result.isError ? 'error' as const : 'done' as const } : undefined
      const open = turn.outcome !== undefined ? 'interrupted' as const : ask ? 'awaiting-approval' as const : 'running' as const
      const approval = ask ? { approval: { state: 'open' as const, ...(ask.prompt === undefined ? {} : { prompt: ask.prompt }) } } : {}
      add('assistant', { type: 'tool', callId: row.call, name: row.name, step: row.step, arguments: row.arguments, ...(answered ?? { state: open, ...approval }) })
    }
  }
  return out
}
