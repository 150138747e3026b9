import type { BatchCall, ChatMessage, ChunkRow, RenderChunk } from './dispatch-types.js'
import { isRecord } from './json.js'
import type { Group, Part, ToolPart } from './view.js'

/** The message of a group; the same object for the same group. `idOf` names the row that begins at a seq. */
export function createMessages(idOf: (seq: number) => string | undefined): (group: Group) => ChatMessage {
  const made = new WeakMap<Group, ChatMessage>()
  return group => {
    const known = made.get(group)
    if (known !== undefined) return known
    const { key, role, seq, turnId, streaming, error } = group
    const message: ChatMessage = {
      id: nameOf(group, idOf),
      key,
      role,
      chunks: chunksOf(group.parts),
      isStreaming: streaming,
      ...(seq === undefined ? {} : { seq }),
      ...(turnId === undefined ? {} : { turnId }),
      ...(error === undefined ? {} : { error }),
    }
    made.set(group, message)
    return message
  }
}

function nameOf({ state, seq, messageId, clientId, key }: Group, idOf: (seq: number) => string | undefined): string {
  const sealed = seq === undefined ? undefined : idOf(seq)
  const name = sealed ?? messageId ?? clientId ?? key
  return state === 'queued' ? `queued-${name}` : name
}

/** The pieces of a message: calls of one step that stand together are one batch. */
function chunksOf(parts: readonly Part[]): readonly RenderChunk[] {
  const chunks: RenderChunk[] = []
  let batch: { readonly step: number; readonly calls: BatchCall[] } | undefined
  for (const part of parts) {
    if (part.type !== 'tool') {
      batch = undefined
      chunks.push(chunkOf(part))
    } else if (batch?.step === part.step) batch.calls.push(callOf(part))
    else {
      batch = { step: part.step, calls: [callOf(part)] }
      chunks.push({ type: 'tool-batch', calls: batch.calls })
    }
  }
  return chunks
}

function chunkOf(part: Exclude<Part, ToolPart>): RenderChunk {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', text: part.text, ...(part.metadata === undefined ? {} : { metadata: part.metadata }) }
    case 'notice':
      return { type: 'system', kind: String(part.code ?? 'notice'), text: part.text }
    case 'error':
      return { type: 'error', message: part.text, ...(part.code === undefined ? {} : { statusCode: part.code }) }
    default:
      return part
  }
}

function callOf({ callId, name, arguments: given, result, isError, output }: ToolPart): BatchCall {
  return {
    id: callId,
    name,
    arguments: given ?? {},
    ...(result === undefined ? {} : { result }),
    ...(isError === undefined ? {} : { isError }),
    ...(output === undefined ? {} : { shellOutput: output }),
  }
}

/** The rows of one tab as they came, and which of them are drawn. */
export interface RowLog {
  /** Rows that came. */
  add(chunks: unknown): void
  /** The server's name for a row. */
  idOf(seq: number): string | undefined
  /** The rows that are drawn from, by seq: the same array until another group is sealed. */
  drawn(groups: readonly Group[]): readonly ChunkRow[]
}

/** No rows. `saved` gives what the store keeps of the thread, as `dehydrate` writes it. */
export function createRowLog(saved: () => unknown): RowLog {
  const rows = new Map<number, ChunkRow>()
  let sealed: readonly Group[] = []
  let shown: readonly ChunkRow[] = []
  return {
    add: chunks => {
      if (Array.isArray(chunks)) for (const row of chunks) if (isRow(row)) rows.set(row.seq, row)
    },
    idOf: seq => rows.get(seq)?.id,
    drawn: groups => {
      const next = groups.filter(group => group.seq !== undefined)
      if (next.length === sealed.length && next.every((group, at) => group === sealed[at])) return shown
      sealed = next
      const seqs = drawnSeqs(saved())
      for (const seq of rows.keys()) if (!seqs.has(seq)) rows.delete(seq)
      shown = [...rows.values()].filter(({ seq }) => seqs.get(seq) === true).sort((a, b) => a.seq - b.seq)
      return shown
    },
  }
}

/** The seqs of a window; false: its turn is still drawn from events. */
function drawnSeqs(thread: unknown): Map<number, boolean> {
  const seqs = new Map<number, boolean>()
  if (!isRecord(thread) || !Array.isArray(thread['chunks']) || !Array.isArray(thread['turns'])) return seqs
  const turns: readonly unknown[] = thread['turns']
  const live = new Set(turns.flatMap(turn => (isRecord(turn) && turn['fromChunks'] !== true ? [turn['turnId']] : [])))
  for (const row of thread['chunks'].filter(isRow)) seqs.set(row.seq, row.role === 'user' || !live.has(row.turnId))
  return seqs
}

function isRow(value: unknown): value is ChunkRow {
  return isRecord(value) && typeof value['seq'] === 'number' && typeof value['role'] === 'string'
}
