import type { KnownEvent, Outcome } from '../events.js'
import { isRecord } from '../json.js'
import type { Told } from '../replay.js'
import type { Part } from '../view.js'
import { type CallExtras, carry } from './carried.js'
import type { Extra } from './chunks.js'

/** The user's message that a response answers. */
export interface Asked {
  /** The client's name for it. */
  readonly clientId?: string
  /** The server's name for it. */
  readonly messageId?: string
  /** What it says. */
  readonly text?: string
  /** What it says, where it is more than one text. */
  readonly parts?: readonly Part[]
}

/** One turn: the responses that answer one message, each a stream. */
export interface Turn {
  readonly turnId: string
  /** What the newest response has told, by chunk type and id: how many, or how long. */
  told: Told
  responses: number
  phase: 'streaming' | 'waiting' | 'over'
  readonly open: Set<string>
  readonly approvals: Map<string, string>
  readonly extras: Map<string, CallExtras>
  /** What the peer has said of a text or a thought that is still open. */
  readonly metadataOf: Map<string, Extra>
  /** The texts and thoughts of which a word has come. */
  readonly spoken: Set<string>
  /** The calls of the step that runs. */
  readonly step: Set<string>
  /** True where the last part is a text: one that follows would be taken for more of it. */
  endsInText: boolean
  metadata: unknown
}

/** A turn of which nothing was told. */
export function newTurn(turnId: string): Turn {
  return {
    turnId,
    told: new Map(),
    responses: 1,
    phase: 'streaming',
    open: new Set(),
    step: new Set(),
    approvals: new Map(),
    extras: new Map(),
    metadataOf: new Map(),
    spoken: new Set(),
    endsInText: false,
    metadata: undefined,
  }
}

/** Tells metadata of the message; later ones are merged into earlier ones. */
export function describe(turn: Turn, metadata: unknown, finishReason?: string): readonly KnownEvent[] {
  if (metadata === undefined && finishReason === undefined) return []
  turn.metadata = merged(turn.metadata, metadata)
  return [
    {
      type: 'part',
      turnId: turn.turnId,
      part: carry({
        of: 'message',
        ...(turn.metadata === undefined ? {} : { metadata: turn.metadata }),
        ...(finishReason === undefined ? {} : { finishReason }),
      }),
    },
  ]
}

function merged(old: unknown, next: unknown): unknown {
  if (next === undefined) return old
  if (!isRecord(old) || !isRecord(next)) return next
  const both = Object.entries(next).filter(([, value]) => value !== undefined)
  return Object.fromEntries([
    ...Object.entries(old),
    ...both.map(([key, value]) => [key, merged(Object.hasOwn(old, key) ? old[key] : undefined, value)]),
  ])
}

/** Ends a turn. */
export function close(turn: Turn, outcome: Outcome): KnownEvent[] {
  turn.phase = 'over'
  return [{ type: 'turn-end', turnId: turn.turnId, outcome }]
}

/** Ends a turn with an error. */
export function fail(turn: Turn, error: string): KnownEvent[] {
  turn.phase = 'over'
  const { turnId } = turn
  return [
    { type: 'error', turnId, error },
    { type: 'turn-end', turnId, outcome: 'error', error },
  ]
}

/** The message that a turn answers, for its start. */
export function asked(user: Asked | undefined) {
  if (user === undefined) return {}
  const { clientId, messageId, text, parts } = user
  const said = parts === undefined ? { text: text ?? '' } : { parts }
  return {
    user: {
      ...said,
      ...(messageId === undefined ? {} : { messageId }),
      ...(clientId === undefined ? {} : { clientIds: [clientId] }),
    },
  }
}
