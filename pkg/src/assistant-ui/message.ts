import type { MessageStatus, ThreadMessageLike } from '@assistant-ui/react'
import { isRecord } from '../json.js'
import type { Group, OpaquePart, Part, ToolPart } from '../view.js'

type Content = Exclude<ThreadMessageLike['content'], string>[number]
type Call = Extract<Content, { readonly type: 'tool-call' }>

/**
 * A group as a message of assistant-ui; the `convertMessage` of the adapter. Its id is the group's key, and
 * `metadata.custom.turnseal` is the group itself, with its state and the server's names.
 */
export function toThreadMessage(group: Group): ThreadMessageLike {
  const { key: id, role, turnId } = group
  const custom = { turnseal: group }
  if (role === 'system') return { id, role, content: textOf(group.parts), metadata: { custom } }
  if (role === 'user') return { id, role, content: group.parts.flatMap(userContent), metadata: { custom } }
  return {
    id,
    role,
    content: group.parts.flatMap(content),
    status: statusOf(group),
    metadata: { custom, ...(turnId === undefined ? {} : { runId: turnId }) },
  }
}

/** What an answer is doing, in the peer's words. */
function statusOf({ streaming, parts, error }: Group): MessageStatus {
  if (parts.some(part => part.type === 'tool' && part.state === 'awaiting-approval'))
    return { type: 'requires-action', reason: 'tool-calls' }
  if (streaming) return { type: 'running' }
  if (error !== undefined) return { type: 'incomplete', reason: 'error', error }
  const isCut = parts.some(part => part.type === 'tool' && part.state === 'interrupted')
  return isCut ? { type: 'incomplete', reason: 'cancelled' } : { type: 'complete', reason: 'stop' }
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap(part => ('text' in part && typeof part.text === 'string' ? [part.text] : [])).join('\n\n')
}

function userContent(part: Part): readonly Content[] {
  // A message of the user has no thoughts, calls or sources there.
  return part.type === 'reasoning' || part.type === 'tool' || part.type === 'source' ? [] : content(part)
}

function content(part: Part): readonly Content[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text }]
    case 'tool':
      return [call(part)]
    case 'file':
    case 'source':
    case 'data':
      return opaque(part)
    case 'notice':
    case 'error': {
      const { type: name, ...data } = part
      return [{ type: 'data', name, data }]
    }
    default: {
      const none: never = part
      return none
    }
  }
}

function opaque(part: OpaquePart): readonly Content[] {
  const { type, id, ...rest } = part
  const named = id === undefined ? {} : { id }
  const word = (field: string): string | undefined => {
    const value = rest[field]
    return typeof value === 'string' ? value : undefined
  }
  switch (type) {
    case 'file': {
      const data = word('url') ?? word('data') ?? ''
      const mimeType = word('mediaType') ?? word('mimeType') ?? 'application/octet-stream'
      const filename = word('filename')
      const file = filename === undefined ? named : { ...named, filename }
      return [mimeType.startsWith('image/') ? { type: 'image', image: data, ...file } : { type: 'file', data, mimeType, ...file }]
    }
    case 'source': {
      const url = word('url')
      const title = word('title')
      const source = id ?? url ?? title ?? ''
      if (url !== undefined)
        return [{ type: 'source', sourceType: 'url', id: source, url, ...(title === undefined ? {} : { title }) }]
      return [
        {
          type: 'source',
          sourceType: 'document',
          id: source,
          title: title ?? source,
          mediaType: word('mediaType') ?? 'application/octet-stream',
        },
      ]
    }
    case 'data': {
      const name = word('name')
      // What another adapter carries along is not for the eye.
      if (name === undefined && 'aiSdk' in rest) return []
      return [{ type: 'data', name: name ?? 'data', data: name === undefined ? rest : rest['data'], ...named }]
    }
    default: {
      const none: never = type
      return none
    }
  }
}

function call(part: ToolPart): Call {
  const { callId: toolCallId, name: toolName, arguments: given, argumentsText, result, isError } = part
  const args = isJsonObject(given) ? { args: given } : {}
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    ...args,
    argsText: argumentsText ?? (given === undefined ? '' : JSON.stringify(given)),
    ...(result === undefined ? {} : { result }),
    ...(isError === true ? { isError } : {}),
    ...(part.output === undefined ? {} : { artifact: part.output }),
    ...approvalOf(part),
  }
}

/** The question to a person: its id is the call's. */
function approvalOf({ callId: id, approval, state }: ToolPart): Pick<Call, 'approval'> {
  if (approval === undefined) return {}
  const { prompt, reason } = approval
  const asked = { id, ...(prompt === undefined ? {} : { prompt }), ...(reason === undefined ? {} : { reason }) }
  switch (approval.state) {
    case 'open':
    case 'answering':
      return { approval: state === 'interrupted' ? { ...asked, resolution: 'expired' } : asked }
    case 'approved':
    case 'denied':
      return { approval: { ...asked, approved: approval.state === 'approved' } }
    case 'expired':
    case 'cancelled':
      return { approval: { ...asked, resolution: approval.state } }
    default: {
      const none: never = approval.state
      return none
    }
  }
}

function isJsonObject(value: unknown): value is NonNullable<Call['args']> {
  return isRecord(value)
}
