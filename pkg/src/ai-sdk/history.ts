import type { UIMessage } from 'ai'
import type { Chunk, ChunkBody, Page } from '../events.js'
import type { Group, OpaquePart } from '../view.js'
import { isRecord } from '../json.js'
import { type CallExtras, carry } from './carried.js'
import type { UIPart } from './parts.js'

// A message has fewer parts than that, so that each has a place of its own in the log.
const PARTS_MAX = 10_000

type Loose = Readonly<Record<string, unknown>>

/**
 * The messages that a server keeps, as rows of its log: the same messages give the same rows, and one that is added
 * changes no other. A question belongs to the turn of the answer after it, and a turn has the id of its answer.
 */
export function toChunks(messages: readonly UIMessage[]): readonly Chunk[] {
  return messages.flatMap((message, index) => {
    const { id, role } = message
    const answer = role === 'user' ? messages[index + 1] : message
    const turnId = answer?.role === 'assistant' ? answer.id : id
    const named = role === 'user' ? { messageId: id, clientIds: [id] } : { messageId: id }
    return bodies(message)
      .slice(0, PARTS_MAX - 1)
      .map((body, part) => ({ seq: index * PARTS_MAX + part + 1, turnId, ...named, ...body }))
  })
}

/** The page that a store asks for, of messages that are all there. */
export function toPage(
  messages: readonly UIMessage[],
  { limit, before, after }: { readonly limit: number; readonly before?: number; readonly after?: number },
): Page {
  const all = toChunks(messages)
  const wanted = all.filter(({ seq }) => (before === undefined || seq < before) && (after === undefined || seq > after))
  const chunks = after === undefined ? wanted.slice(-limit) : wanted.slice(0, limit)
  const [first] = all
  const previous = all.findLast(({ seq }) => seq < (chunks[0]?.seq ?? 0))
  return {
    chunks,
    total: all.length,
    ...(first === undefined ? {} : { oldestSeq: first.seq }),
    ...(previous === undefined ? {} : { prevSeq: previous.seq }),
  }
}

function bodies({ role, parts, metadata }: UIMessage): readonly ChunkBody[] {
  switch (role) {
    case 'user':
      return [
        ...parts.flatMap(userBodies),
        ...(metadata === undefined ? [] : [opaque('user', carry({ of: 'message', metadata }))]),
      ]
    case 'system': {
      const text = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n\n')
      return [{ role: 'system', type: 'system', data: { kind: 'system', text } }]
    }
    case 'assistant':
      return [
        ...parts.flatMap(assistantBodies),
        ...(metadata === undefined ? [] : [opaque('assistant', carry({ of: 'message', metadata }))]),
      ]
    default: {
      const none: never = role
      return none
    }
  }
}

function userBodies(part: UIPart): readonly ChunkBody[] {
  if (part.type === 'text') return [{ role: 'user', type: 'text', data: { text: part.text } }]
  if (part.type === 'file') return [opaque('user', { ...part, type: 'file' })]
  return [opaque('user', verbatim({ ...part }))]
}

function assistantBodies(part: UIPart): readonly ChunkBody[] {
  const loose: Loose = { ...part }
  const { type, providerMetadata } = loose
  const named = isRecord(providerMetadata) ? { providerMetadata } : {}
  // One without a word stands there for what a provider wants back.
  if ((part.type === 'text' || part.type === 'reasoning') && part.text === '')
    return Object.keys(named).length === 0 ? [] : [opaque('assistant', verbatim(loose))]
  if (part.type === 'text') {
    const { citations } = loose
    const extras = { ...named, ...(Array.isArray(citations) ? { citations } : {}) }
    const text: ChunkBody = { role: 'assistant', type: 'text', data: { text: part.text } }
    return Object.keys(extras).length === 0 ? [text] : [text, opaque('assistant', carry({ of: 'text', ...extras }))]
  }
  if (part.type === 'reasoning')
    return [
      {
        role: 'assistant',
        type: 'reasoning',
        data: { text: part.text, ...(isRecord(providerMetadata) ? { metadata: providerMetadata } : {}) },
      },
    ]
  if (part.type === 'step-start') return [opaque('assistant', carry({ of: 'step-start' }))]
  if (part.type === 'file') return [opaque('assistant', { ...part, type: 'file' })]
  if (part.type === 'source-url' || part.type === 'source-document') {
    const { type: kind, sourceId, ...rest } = part
    return [opaque('assistant', { type: 'source', id: sourceId, sourceType: kind.slice('source-'.length), ...rest })]
  }
  if (typeof type === 'string' && type.startsWith('data-')) {
    const name = type.slice('data-'.length)
    const { id, data } = loose
    return [
      opaque('assistant', { type: 'data', ...(typeof id === 'string' ? { id: `${name}/${id}`, dataId: id } : {}), name, data }),
    ]
  }
  return typeof loose['toolCallId'] === 'string' ? toolBodies(loose, loose['toolCallId']) : [opaque('assistant', verbatim(loose))]
}

function toolBodies(part: Loose, callId: string): readonly ChunkBody[] {
  const { type, toolName, input, state, output, errorText } = part
  const isDynamic = type === 'dynamic-tool'
  const name = isDynamic ? String(toolName) : String(type).slice('tool-'.length)
  const extras: CallExtras = {
    ...(isDynamic ? { dynamic: true } : {}),
    ...pick(part, 'title', 'providerExecuted', 'toolMetadata', 'callProviderMetadata', 'resultProviderMetadata', 'approval'),
    ...(state === 'output-denied' ? { denied: true } : {}),
  }
  const call: ChunkBody = { role: 'assistant', type: 'tool_call', data: { callId, name, arguments: input ?? null } }
  const told: readonly ChunkBody[] =
    Object.keys(extras).length === 0 ? [] : [opaque('assistant', carry({ of: 'tool', callId, ...extras }))]
  const result = (value: unknown, isError: boolean): ChunkBody => ({
    role: 'tool',
    type: 'tool_result',
    data: { callId, result: value ?? null, ...(isError ? { isError } : {}) },
  })
  if (state === 'output-available') return [call, ...told, result(output, false)]
  if (state === 'output-error') return [call, ...told, result(errorText, true)]
  return state === 'output-denied' ? [call, ...told, result('denied', true)] : [call, ...told]
}

function pick(part: Loose, ...names: readonly string[]): Loose {
  return Object.fromEntries(names.flatMap(name => (part[name] === undefined ? [] : [[name, part[name]]])))
}

function verbatim(part: Loose): OpaquePart {
  return carry({ of: 'part', part: { ...part, type: String(part['type']) } })
}

function opaque(role: 'user' | 'assistant', { type, ...data }: OpaquePart): ChunkBody {
  return { role, type, data }
}

/** A message as the server knows it: under its own name, where the store's key is another. */
export function forServer(message: UIMessage, group: Group | undefined): UIMessage {
  const id = group?.messageId ?? group?.clientId ?? (group?.role === 'assistant' ? group.turnId : undefined)
  return id === undefined ? message : { ...message, id }
}
