// The store that one writes by hand on a Friday: rows with a tag of their turn, a filter when the page comes, and the end of
// a turn taken for its seal. It gets the same events, answers and pages as the store beside it.
import type { Chunk, EffectRequest, KnownEvent, Page, Part } from 'turnseal'

interface Tool { readonly callId: string; readonly name: string; result?: unknown }
export interface NaiveRow {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  text: string
  state: 'sealed' | 'live' | 'sending' | 'queued' | 'failed'
  turnId?: string | undefined
  clientId?: string | undefined
  messageId?: string | undefined
  isStreaming: boolean
  readonly tools: Tool[]
}
type Answer = { readonly ok: boolean; readonly value?: unknown }

const textOf = (parts: readonly Part[] = []) => parts.map(part => (part.type === 'text' ? part.text : '')).join('')

export function createNaive() {
  let chunks: Chunk[] = []
  let live: NaiveRow[] = []
  let current: string | undefined
  const over = new Set<string>()
  let made = 0

  const add = (role: NaiveRow['role'], text: string, more: Partial<NaiveRow> = {}): NaiveRow => {
    const row: NaiveRow = { id: `live-${(made += 1)}`, role, text, state: 'live', isStreaming: false, tools: [], ...more }
    live.push(row)
    return row
  }
  /** What is said now goes into the answer that streams, whosever it is. */
  const speaks = () => live.findLast(row => row.role === 'assistant' && row.isStreaming) ?? add('assistant', '', { turnId: current, isStreaming: true })
  const isOpen = (row: NaiveRow) => row.tools.some(tool => tool.result === undefined)

  function hear(event: KnownEvent): void {
    switch (event.type) {
      case 'turn-start': {
        current = event.turnId
        const ids = event.messageIds ?? []
        const mine = live.find(row => row.role === 'user' && row.turnId === undefined &&
          (ids.includes(row.messageId ?? '') || event.user?.clientIds?.includes(row.clientId ?? '')))
        if (mine) Object.assign(mine, { turnId: current, state: 'live' })
        else add('user', event.user && 'text' in event.user ? event.user.text ?? '' : '', { turnId: current, messageId: event.user?.messageId })
        return
      }
      case 'text-delta':
        speaks().text += event.delta
        return
      case 'tool-call':
        speaks().tools.push({ callId: event.toolCall.id, name: event.toolCall.name })
        return
      case 'tool-result': {
        const tool = live.flatMap(row => row.tools).find(({ callId }) => callId === event.toolResult.toolCallId)
        if (tool) tool.result = event.toolResult.result
        return
      }
      case 'message-queued': {
        const mine = live.find(row => row.clientId !== undefined && row.clientId === event.clientId)
        if (mine) Object.assign(mine, { state: 'queued', messageId: event.messageId })
        else add('user', event.message ?? '', { state: 'queued', messageId: event.messageId, clientId: event.clientId })
        return
      }
      case 'message-consumed':
        for (const row of live) if (event.messageIds.includes(row.messageId ?? '')) Object.assign(row, { state: 'live', turnId: event.reason === 'continuation' ? undefined : current })
        return
      case 'message-cancelled':
        live = live.filter(row => row.messageId !== event.messageId)
        return
      case 'turn-end':
        // Idle is taken for sealed. A tool that runs has to answer first.
        over.add(event.turnId)
        for (const row of live) if (row.turnId === event.turnId && !isOpen(row)) row.isStreaming = false
        current = undefined
        return
      case 'snapshot':
        for (const turn of event.turns ?? []) for (const row of turn.rows) {
          const known = live.find(other => other.turnId === turn.turnId && other.role === row.role)
          if (known) known.text = textOf(row.parts)
          else add(row.role === 'tool' ? 'assistant' : row.role, textOf(row.parts), { turnId: turn.turnId, messageId: row.messageId, isStreaming: row.role === 'assistant' && turn.phase !== 'ended' })
          current = turn.phase === 'ended' ? current : turn.turnId
        }
        for (const item of event.queue ?? []) if (live.every(row => row.messageId !== item.messageId)) add('user', item.message ?? '', { state: 'queued', messageId: item.messageId })
        return
      case 'turn-sealed':
        over.add(event.turnId)
        return
      default:
    }
  }

  function page({ chunks: fresh }: Page): void {
    chunks = [...chunks.filter(({ seq }) => fresh.every(chunk => chunk.seq !== seq)), ...fresh].sort((one, other) => one.seq - other.seq)
    // The old filter: what has no tag of a turn, or the tag of one that is over, is in the page now. Or so it hopes.
    live = live.filter(row => row.turnId !== undefined && !over.has(row.turnId))
  }

  function drawn(): NaiveRow[] {
    const out: NaiveRow[] = []
    for (const { seq, turnId, role, type, data } of chunks) {
      const said = data as { text?: string; callId?: string; name?: string; result?: unknown }
      if (type === 'tool_result') {
        const tool = out.flatMap(row => row.tools).find(({ callId }) => callId === said.callId)
        if (tool) tool.result = said.result
        continue
      }
      const as = role === 'tool' ? 'assistant' : role
      const last = out.at(-1)
      const row = last && as === 'assistant' && last.role === as && last.turnId === turnId ? last : undefined
      const at: NaiveRow = row ?? { id: `seq-${seq}`, role: as, text: '', state: 'sealed', turnId, isStreaming: false, tools: [] }
      if (!row) out.push(at)
      if (type === 'tool_call') at.tools.push({ callId: said.callId ?? '', name: said.name ?? '' })
      else at.text += said.text ?? ''
    }
    return out
  }

  return {
    hear,
    send: (clientId: string, text: string) => void add('user', text, { state: 'sending', clientId }),
    answered(request: EffectRequest, { ok, value }: Answer) {
      if (request.type === 'load-chunks' && ok) page(value as Page)
      if (request.type === 'resync' && ok) hear(value as KnownEvent)
      if (request.type !== 'send') return
      const row = live.find(({ clientId, state }) => clientId === request.clientId && state === 'sending')
      if (!row) return
      const { status, messageId } = (value ?? {}) as { status?: string; messageId?: string }
      Object.assign(row, ok ? { state: status === 'queued' ? 'queued' : 'live', messageId } : { state: 'failed' })
    },
    rows: (): readonly NaiveRow[] => [...drawn(), ...live],
    isBusy: () => [...drawn(), ...live].some(row => isOpen(row) || row.isStreaming),
  }
}
export type Naive = ReturnType<typeof createNaive>
