/** What providers add to a part; opaque. @inline */
export type Extra = Readonly<Record<string, unknown>>

/** What the chunks of a tool call may carry beside what the store keeps of a call. @inline */
export interface OfCall {
  readonly toolCallId: string
  readonly providerExecuted?: boolean
  readonly providerMetadata?: Extra
  readonly toolMetadata?: Extra
  readonly dynamic?: boolean
  readonly title?: string
}

/** What the chunks of a part name. @inline */
interface OfPart {
  readonly providerMetadata?: Extra
}

/**
 * Every chunk of a UI message stream that this version knows: those of AI SDK 5, 6 and 7. The tests hold it against
 * the types of all three, so that a chunk of a later version is seen when the version is taken up.
 */
export type KnownChunk =
  | { readonly type: 'start'; readonly messageId?: string; readonly messageMetadata?: unknown }
  | { readonly type: 'finish'; readonly finishReason?: string; readonly messageMetadata?: unknown }
  | { readonly type: 'abort'; readonly reason?: string }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'message-metadata'; readonly messageMetadata: unknown }
  | { readonly type: 'start-step' | 'finish-step' | 'reset-step' }
  | (OfPart & { readonly type: 'text-start' | 'reasoning-start'; readonly id: string })
  | (OfPart & { readonly type: 'reasoning-end'; readonly id: string })
  | (OfPart & { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string })
  | (OfPart & { readonly type: 'text-end'; readonly id: string; readonly citations?: readonly unknown[] })
  | (OfCall & {
      readonly type: 'tool-input-start'
      readonly toolName: string
      readonly inputEncoding?: 'json' | 'text'
    })
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | (OfCall & { readonly type: 'tool-input-available'; readonly toolName: string; readonly input: unknown })
  | (OfCall & {
      readonly type: 'tool-input-error'
      readonly toolName: string
      readonly input: unknown
      readonly errorText: string
    })
  | {
      readonly type: 'tool-approval-request'
      readonly approvalId: string
      readonly toolCallId: string
      readonly approvalDescriptor?: unknown
      readonly inputSchemaInput?: unknown
      readonly reason?: string
      readonly isAutomatic?: boolean
      readonly signature?: string
    }
  | (OfPart & {
      readonly type: 'tool-approval-response'
      readonly approvalId: string
      readonly approved: boolean
      readonly reason?: string
      readonly providerExecuted?: boolean
    })
  | (OfCall & { readonly type: 'tool-output-available'; readonly output: unknown; readonly preliminary?: boolean })
  | (OfCall & { readonly type: 'tool-output-error'; readonly errorText: string })
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | (OfPart & {
      readonly type: 'source-url'
      readonly sourceId: string
      readonly url: string
      readonly title?: string
    })
  | (OfPart & {
      readonly type: 'source-document'
      readonly sourceId: string
      readonly mediaType: string
      readonly title: string
      readonly filename?: string
    })
  | (OfPart & { readonly type: 'file' | 'reasoning-file'; readonly url: string; readonly mediaType: string })
  | (OfPart & { readonly type: 'custom'; readonly kind: string })
  | { readonly type: 'steering-message'; readonly id: string; readonly parts: readonly Extra[] }
  | DataChunk

/** Data of the application; `data-turnseal` carries events of the store. */
export interface DataChunk {
  readonly type: `data-${string}`
  /** The same id replaces in place. */
  readonly id?: string
  /** The data. */
  readonly data: unknown
  /** True: no message keeps it. */
  readonly transient?: boolean
}

/** What each chunk must have, by its type. What is missing here is unknown to this version. */
export const REQUIRED = {
  start: [],
  finish: [],
  abort: [],
  error: ['errorText'],
  'message-metadata': [],
  'start-step': [],
  'finish-step': [],
  'reset-step': [],
  'text-start': ['id'],
  'text-delta': ['id', 'delta'],
  'text-end': ['id'],
  'reasoning-start': ['id'],
  'reasoning-delta': ['id', 'delta'],
  'reasoning-end': ['id'],
  'tool-input-start': ['toolCallId', 'toolName'],
  'tool-input-delta': ['toolCallId', 'inputTextDelta'],
  'tool-input-available': ['toolCallId', 'toolName'],
  'tool-input-error': ['toolCallId', 'toolName', 'errorText'],
  'tool-approval-request': ['approvalId', 'toolCallId'],
  'tool-approval-response': ['approvalId'],
  'tool-output-available': ['toolCallId'],
  'tool-output-error': ['toolCallId', 'errorText'],
  'tool-output-denied': ['toolCallId'],
  'source-url': ['sourceId', 'url'],
  'source-document': ['sourceId', 'title'],
  file: ['url', 'mediaType'],
  'reasoning-file': ['url', 'mediaType'],
  custom: ['kind'],
  'steering-message': ['id'],
} as const satisfies Record<Exclude<KnownChunk, DataChunk>['type'], readonly string[]>

const required: Readonly<Record<string, readonly string[]>> = REQUIRED

/** The chunk as one that is known and whole, or what is wrong with it. */
export function checkChunk(chunk: unknown): { readonly chunk: KnownChunk } | { readonly wrong: string; readonly type?: string } {
  if (typeof chunk !== 'object' || chunk === null) return { wrong: 'a chunk is an object' }
  const type: unknown = Reflect.get(chunk, 'type')
  if (typeof type !== 'string') return { wrong: 'a chunk has a type' }
  if (!type.startsWith('data-') && !Object.hasOwn(required, type))
    return { wrong: `no chunk of this version has the type ${type}`, type }
  const missing = (required[type] ?? []).filter(field => typeof Reflect.get(chunk, field) !== 'string')
  if (missing.length > 0) return { wrong: `${type} lacks ${missing.join(', ')}`, type }
  return isKnown(chunk) ? { chunk } : { wrong: `no chunk of this version has the type ${type}`, type }
}

function isKnown(chunk: object): chunk is KnownChunk {
  const type: unknown = Reflect.get(chunk, 'type')
  return typeof type === 'string' && (type.startsWith('data-') || Object.hasOwn(required, type))
}
