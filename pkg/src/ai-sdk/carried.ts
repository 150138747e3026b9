import type { OpaquePart, Part } from '../view.js'
import type { Extra } from './chunks.js'

/**
 * What a UI message holds and the store has no word for. It travels as a `data` part with the field `aiSdk`, so that it
 * reaches the log and comes back; `toUIMessages` puts it where it belongs.
 */
export type Carried =
  /** Of the whole message; the last one counts. */
  | { readonly of: 'message'; readonly metadata?: unknown; readonly finishReason?: string }
  /** Of the text part before it. */
  | { readonly of: 'text'; readonly citations?: readonly unknown[]; readonly providerMetadata?: Extra }
  /** Of a tool call; the last one counts. */
  | ({ readonly of: 'tool'; readonly callId: string } & CallExtras)
  /** A part as the peer has it. */
  | { readonly of: 'part'; readonly part: Extra & { readonly type: string } }
  /** A step begins. */
  | { readonly of: 'step-start' }
  /** What stands between this and the last `step-start` was a try that failed. */
  | { readonly of: 'reset-step' }

/** What a tool part holds beside the call. */
export interface CallExtras {
  readonly dynamic?: boolean
  readonly title?: string
  readonly providerExecuted?: boolean
  readonly toolMetadata?: Extra
  readonly inputEncoding?: 'json' | 'text'
  readonly callProviderMetadata?: Extra
  readonly resultProviderMetadata?: Extra
  /** An output that is not the last one. */
  readonly preliminary?: { readonly output: unknown }
  readonly approval?: Extra & { readonly id: string }
  /** A person said no. */
  readonly denied?: true
}

/** The part that carries it. One with an id takes the place of the one before it. */
export function carry(carried: Carried): OpaquePart {
  const id = idOf(carried)
  return { type: 'data', ...(id === undefined ? {} : { id }), aiSdk: carried }
}

function idOf(carried: Carried): string | undefined {
  switch (carried.of) {
    case 'message':
      return 'ai-sdk:message'
    case 'tool':
      return `ai-sdk:tool:${carried.callId}`
    case 'text':
    case 'part':
    case 'step-start':
    case 'reset-step':
      return undefined
    default: {
      const none: never = carried
      return none
    }
  }
}

/** What a part carries, or `undefined` where it is a part like any other. */
export function carriedBy(part: Part): Carried | undefined {
  if (part.type !== 'data') return undefined
  const carried = part['aiSdk']
  return isCarried(carried) ? carried : undefined
}

function isCarried(value: unknown): value is Carried {
  if (typeof value !== 'object' || value === null || !('of' in value)) return false
  const { of } = value
  if (of === 'tool') return 'callId' in value && typeof value.callId === 'string'
  if (of === 'part') return 'part' in value && typeof value.part === 'object' && value.part !== null && 'type' in value.part
  return of === 'message' || of === 'text' || of === 'step-start' || of === 'reset-step'
}
