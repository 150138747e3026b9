import type { SendOptions, ThreadCommand } from './api.js'
import { TurnsealError } from './errors.js'
import { isRecord, toJson } from './json.js'
import type { Part } from './view.js'

type Kind = 'text' | 'id' | 'index' | 'flag' | 'text?' | 'parts?' | 'intent?' | 'id?'

/** Which fields each command has. What is not here is not sent. */
const FIELDS: Readonly<Record<ThreadCommand['type'], Readonly<Record<string, Kind>>>> = {
  send: { text: 'text?', parts: 'parts?', intent: 'intent?', clientId: 'id?' },
  stop: {},
  'cancel-queued': { messageId: 'id' },
  'edit-queued': { messageId: 'id', text: 'text' },
  'move-queued': { messageId: 'id', index: 'index' },
  'send-now': { messageId: 'id' },
  'resume-queue': {},
  approve: { callId: 'id', reason: 'text?' },
  deny: { callId: 'id', reason: 'text?' },
  retry: { clientId: 'id' },
  dismiss: { key: 'id' },
  'load-older': {},
  'scrolled-up': { value: 'flag' },
}

/** A command as the core takes it, but for its thread. Throws `unknown-command` and `bad-argument`. */
export function checked(command: unknown, newClientId: () => string): Readonly<Record<string, unknown>> {
  if (!isRecord(command)) throw bad('a command is an object with a type')
  const type = command['type']
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) {
    throw new TurnsealError('unknown-command', `no command of a thread is called ${String(toJson(type))}`)
  }
  const out: Record<string, unknown> = { type }
  for (const [field, kind] of Object.entries<Kind>(fieldsOf(type))) {
    const value = command[field]
    if (value === undefined && kind.endsWith('?')) continue
    if (!fits(kind, value)) throw bad(`${type}: ${field} does not fit`)
    out[field] = value
  }
  if (type === 'send') {
    if ((out['text'] === undefined) === (out['parts'] === undefined)) throw bad('send: either text or parts')
    out['intent'] ??= 'queue'
    out['clientId'] ??= clientId(newClientId)
  }
  return out
}

/** The command of `thread.send`. */
export function sendCommand(message: unknown, options: SendOptions | undefined): Readonly<Record<string, unknown>> {
  if (options !== undefined && !isRecord(options)) throw bad('send: options is an object')
  const body = typeof message === 'string' ? { text: message } : { parts: message }
  return { type: 'send', ...body, intent: options?.intent, clientId: options?.clientId }
}

function fieldsOf(type: string): Readonly<Record<string, Kind>> {
  return Object.entries(FIELDS).find(([name]) => name === type)?.[1] ?? {}
}

function fits(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'text':
    case 'text?':
      return typeof value === 'string'
    case 'id':
    case 'id?':
      return typeof value === 'string' && value !== ''
    case 'index':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffffff
    case 'flag':
      return typeof value === 'boolean'
    case 'intent?':
      return value === 'queue' || value === 'steer'
    case 'parts?':
      return isParts(value)
    default: {
      const unknown: never = kind
      return unknown
    }
  }
}

function isParts(value: unknown): value is readonly Part[] {
  try {
    return Array.isArray(value) && value.every(part => isRecord(part) && typeof part['type'] === 'string') && toJson(value) !== undefined
  } catch {
    return false
  }
}

function clientId(make: () => string): string {
  const id: unknown = make()
  if (typeof id !== 'string' || id === '') throw bad('newClientId gave no text')
  return id
}

/** A name that no other client gives. Where there is no secure context, chance has to do. */
export function randomClientId(): string {
  if (typeof globalThis.crypto?.randomUUID === 'function') return globalThis.crypto.randomUUID()
  const word = () => Math.floor(Math.random() * 0x100000000).toString(16).padStart(8, '0')
  return `${Date.now().toString(16)}-${word()}-${word()}-${word()}`
}

function bad(message: string): TurnsealError {
  return new TurnsealError('bad-argument', message)
}
