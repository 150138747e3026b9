import type { Chunk, ChunkBody } from '../events.js'
import type { OpaquePart, Part } from '../view.js'
import type { EventOf } from './events.js'

/** A message as the peer keeps it. */
export type Message = EventOf<'MESSAGES_SNAPSHOT'>['messages'][number]
type Content = Extract<Message, { readonly role: 'user' }>['content']

// A message has fewer parts than that, so that each has a place of its own in the log.
const PARTS_MAX = 1000

/** A history as rows of a log: the same messages give the same rows, and one that is added changes no other. */
export function chunksOf(messages: readonly Message[], turnOf: (message: Message) => string | undefined): readonly Chunk[] {
  const turns = turnsOf(messages, turnOf)
  return messages.flatMap((message, index) => {
    const turnId = turns[index] ?? message.id
    const mine = message.subagentRunId === undefined ? {} : { executionId: message.subagentRunId }
    const named =
      message.role === 'user'
        ? { messageId: message.id, clientIds: [message.id] }
        : message.role === 'tool'
          ? {}
          : { messageId: message.id }
    return bodies(message)
      .slice(0, PARTS_MAX - 1)
      .map((body, part) => ({ seq: index * PARTS_MAX + part + 1, turnId, ...mine, ...named, ...body }))
  })
}

/** The turn of each message: a question belongs to the turn that answers it. */
function turnsOf(messages: readonly Message[], turnOf: (message: Message) => string | undefined): readonly string[] {
  let current: string | undefined
  return messages.map((message, index) => {
    const known = turnOf(message)
    if (message.role !== 'user') return (current = known ?? current ?? `ag-ui:${message.id}`)
    const next = messages.findIndex(({ role }, later) => later > index && role === 'user')
    const answers = messages.slice(index + 1, next < 0 ? undefined : next)
    return (current = known ?? answers.map(turnOf).find(turn => turn !== undefined) ?? `ag-ui:${message.id}`)
  })
}

function bodies(message: Message): readonly ChunkBody[] {
  switch (message.role) {
    case 'user':
      return contentParts(message.content).flatMap((part): ChunkBody[] =>
        part.type === 'text'
          ? [{ role: 'user', type: 'text', data: { text: part.text } }]
          : part.type === 'file'
            ? [{ role: 'user', type: 'file', data: fields(part) }]
            : [],
      )
    case 'assistant': {
      const text = message.content ?? ''
      const said: ChunkBody[] = text === '' ? [] : [{ role: 'assistant', type: 'text', data: { text } }]
      return [
        ...said,
        ...(message.toolCalls ?? []).map(
          (call): ChunkBody => ({
            role: 'assistant',
            type: 'tool_call',
            data: { callId: call.id, name: call.function.name, arguments: argumentsOf(call.function.arguments) },
          }),
        ),
      ]
    }
    case 'tool':
      return [
        {
          role: 'tool',
          type: 'tool_result',
          data: {
            callId: message.toolCallId,
            result: message.content,
            ...(message.error === undefined ? {} : { isError: true }),
          },
        },
      ]
    case 'reasoning':
      return [
        {
          role: 'assistant',
          type: 'reasoning',
          data: {
            text: message.content,
            ...(message.encryptedValue === undefined ? {} : { metadata: { encryptedValue: message.encryptedValue } }),
          },
        },
      ]
    case 'activity':
      return [{ role: 'assistant', type: 'data', data: fields(activityPart(message.id, message.activityType, message.content)) }]
    case 'system':
    case 'developer':
      return [{ role: 'system', type: 'system', data: { kind: message.role, text: message.content } }]
    default: {
      const none: never = message
      return none
    }
  }
}

function fields({ type: _, ...rest }: OpaquePart): Readonly<Record<string, unknown>> {
  return rest
}

/** An activity as a part: the next state of it takes its place. */
export function activityPart(messageId: string, activityType: string, content: unknown): OpaquePart {
  return { type: 'data', id: `ag-ui:activity:${messageId}`, name: activityType, data: content }
}

/** What a message says, as parts. */
export function contentParts(content: Content): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part): Part => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { source } = part
    const mediaType = source.mimeType ?? `${part.type === 'document' ? 'application' : part.type}/*`
    const url = source.type === 'data' ? `data:${mediaType};base64,${source.value}` : source.value
    return {
      type: 'file',
      kind: part.type,
      mediaType,
      url,
      ...(source.type === 'file' ? { provider: source.provider ?? '' } : {}),
    }
  })
}

/** The arguments of a call: no JSON stays the text that it is. */
export function argumentsOf(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
