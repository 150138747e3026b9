import type { UIMessage } from 'ai'
import type { Group, OpaquePart, Part, ToolPart } from '../view.js'
import { type CallExtras, type Carried, carriedBy } from './carried.js'
import { parsePartial } from './partial.js'

/** A part of a UI message, as the peer's own types have it. */
export type UIPart = UIMessage['parts'][number]

type Loose = { readonly type: string; readonly [field: string]: unknown }

/** The parts of a group as parts of a UI message, and its metadata. */
export function uiParts(group: Pick<Group, 'parts' | 'streaming'>): { readonly parts: UIPart[]; readonly metadata?: unknown } {
  const extras = new Map<string, CallExtras>()
  const carried = group.parts.map(carriedBy)
  for (const found of carried) if (found?.of === 'tool') extras.set(found.callId, found)
  const isMarked = carried.some(found => found?.of === 'step-start')
  const parts: UIPart[] = []
  let metadata: unknown
  let stepAt = 0
  let last: Part | undefined
  group.parts.forEach((part, index) => {
    const found = carried[index]
    if (found === undefined) {
      // A log without marks: a step ends with its calls.
      if (!isMarked && last?.type === 'tool' && (part.type !== 'tool' || part.step !== last.step)) parts.push(STEP)
      parts.push(uiPart(part, { isGrowing: group.streaming && index === group.parts.length - 1, extras }))
      last = part
      return
    }
    switch (found.of) {
      case 'step-start':
        parts.push(STEP)
        stepAt = parts.length
        return
      case 'reset-step':
        parts.length = stepAt
        return
      case 'message':
        metadata = found.metadata
        return
      case 'text':
        amend(parts, part, found)
        return
      case 'part':
        parts.push(...verbatim(found.part))
        return
      case 'tool':
        return
      default: {
        const none: never = found
        return none
      }
    }
  })
  return metadata === undefined ? { parts } : { parts, metadata }
}

const STEP: UIPart = { type: 'step-start' }

interface Around {
  readonly isGrowing: boolean
  readonly extras: ReadonlyMap<string, CallExtras>
}

// A part that did not change keeps its UI part, also where its group grew.
const made = new WeakMap<Part, { readonly isGrowing: boolean; readonly extras: CallExtras | undefined; readonly ui: UIPart }>()

function uiPart(part: Part, { isGrowing, extras }: Around): UIPart {
  const own = part.type === 'tool' ? extras.get(part.callId) : undefined
  const known = made.get(part)
  if (known !== undefined && known.isGrowing === isGrowing && known.extras === own) return known.ui
  const ui = sure(translated(part, isGrowing, own))
  made.set(part, { isGrowing, extras: own, ui })
  return ui
}

function translated(part: Part, isGrowing: boolean, extras: CallExtras | undefined): Loose {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, state: isGrowing ? 'streaming' : 'done' }
    case 'reasoning': {
      const metadata = part.metadata === undefined ? {} : { providerMetadata: part.metadata }
      return { type: 'reasoning', text: part.text, state: isGrowing && !part.sealed ? 'streaming' : 'done', ...metadata }
    }
    case 'tool':
      return tool(part, extras)
    case 'file':
    case 'source':
    case 'data':
      return opaque(part)
    case 'notice':
    case 'error': {
      const { type, ...data } = part
      return { type: `data-${type}`, data }
    }
    default: {
      const none: never = part
      return none
    }
  }
}

function opaque(part: OpaquePart): Loose {
  const { type, id, ...rest } = part
  switch (type) {
    case 'file': {
      const { reasoning, ...file } = rest
      const mediaType = file['mediaType'] ?? 'application/octet-stream'
      return { url: '', ...file, mediaType, type: reasoning === true ? 'reasoning-file' : 'file' }
    }
    case 'source': {
      const { sourceType, ...source } = rest
      const sourceId = id ?? String(source['url'] ?? source['title'] ?? '')
      return { ...source, sourceId, type: sourceType === 'document' ? 'source-document' : 'source-url' }
    }
    case 'data': {
      const { name, data, dataId, ...more } = rest
      // Data of another server has no name: all its fields are the data.
      if (typeof name !== 'string') return { type: 'data-data', ...(id === undefined ? {} : { id }), data: rest }
      const own = dataId ?? id
      return { ...more, type: `data-${name}`, ...(own === undefined ? {} : { id: own }), data }
    }
    default: {
      const none: never = type
      return none
    }
  }
}

function tool(part: ToolPart, extras: CallExtras = {}): Loose {
  const { dynamic, title, providerExecuted, toolMetadata, callProviderMetadata, inputEncoding } = extras
  const called: Loose = {
    ...(dynamic === true ? { type: 'dynamic-tool', toolName: part.name } : { type: `tool-${part.name}` }),
    toolCallId: part.callId,
    ...(title === undefined ? {} : { title }),
    ...(providerExecuted === undefined ? {} : { providerExecuted }),
    ...(toolMetadata === undefined ? {} : { toolMetadata }),
    ...(callProviderMetadata === undefined ? {} : { callProviderMetadata }),
  }
  if (part.state !== 'input-streaming') return { ...called, input: part.arguments, ...outcome(part, extras) }
  const text = part.argumentsText ?? ''
  const coming = {
    ...called,
    state: 'input-streaming',
    rawInput: text,
    ...(inputEncoding === undefined ? {} : { inputEncoding }),
  }
  if (inputEncoding === 'text') return { ...coming, input: text }
  // Only who looks at half of an input pays for reading it.
  const input = { enumerable: true, configurable: true, get: () => parsePartial(text) }
  return Object.defineProperty(coming, 'input', input)
}

/** The state of a call with what belongs to it. */
function outcome(part: ToolPart, extras: CallExtras): Readonly<Record<string, unknown>> {
  const { preliminary, resultProviderMetadata } = extras
  const result = resultProviderMetadata === undefined ? {} : { resultProviderMetadata }
  const asked = { id: approvalIdOf(part), ...extras.approval }
  const reason = part.approval?.reason === undefined ? {} : { reason: part.approval.reason }
  const isAsked = part.approval !== undefined || extras.approval !== undefined
  const answered = isAsked ? { approval: { ...asked, approved: true, ...reason } } : {}
  const refused = { ...asked, approved: false, ...reason }
  if (extras.denied === true) return { state: 'output-denied', approval: refused }
  switch (part.state) {
    case 'input-streaming':
    case 'running':
      if (preliminary === undefined) return { state: 'input-available' }
      return { state: 'output-available', output: preliminary.output, preliminary: true, ...answered, ...result }
    case 'awaiting-approval':
      return { state: 'approval-requested', approval: asked }
    case 'approved':
      return { state: 'approval-responded', ...answered }
    case 'denied':
      return { state: 'approval-responded', approval: refused }
    case 'done':
      return { state: 'output-available', output: part.result, ...answered, ...result }
    case 'error':
      return { state: 'output-error', errorText: textOf(part.result), ...answered, ...result }
    case 'interrupted':
      return { state: 'output-error', errorText: 'interrupted', ...result }
    default: {
      const none: never = part.state
      return none
    }
  }
}

/** The peer's name of a question: the call's, where the server has no other. */
export function approvalIdOf({
  callId,
  approval,
}: {
  readonly callId: string
  readonly approval?: { readonly options?: unknown }
}): string {
  const options = approval?.options
  const id: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'approvalId') : undefined
  return typeof id === 'string' ? id : callId
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '')
}

const amended = new WeakMap<Part, { readonly of: UIPart; readonly ui: UIPart }>()

/** Adds to the newest text what the peer says of a text at its end. */
function amend(parts: UIPart[], part: Part, { of: _, ...more }: Carried & { readonly of: 'text' }) {
  const index = parts.findLastIndex(({ type }) => type === 'text')
  const text = parts[index]
  if (text === undefined) return
  const known = amended.get(part)
  const ui = known?.of === text ? known.ui : sure({ ...text, state: 'done', ...more })
  amended.set(part, { of: text, ui })
  parts[index] = ui
}

const copies = new WeakMap<object, UIPart>()

function verbatim(part: Loose): readonly UIPart[] {
  const ui = copies.get(part) ?? sure({ ...part })
  copies.set(part, ui)
  return [ui]
}

/** What was made here by the peer's rules is a part of the peer's; the tests ask the peer's own validator. */
function sure(part: Loose): UIPart {
  if (!isUIPart(part)) throw new TypeError('a part has a type')
  return part
}

function isUIPart(part: Loose): part is Loose & UIPart {
  return typeof part.type === 'string'
}
