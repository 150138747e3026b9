// What is on its way, as one card each, with the lines that let it arrive or lose it.
import { type Ask, type Client, type Sent, named } from './client.ts'

/** One message on its way. `place`: where it stands in its socket, or among the open requests of its kind. */
export interface Flight {
  readonly id: string
  readonly client: number
  readonly kind: 'event' | 'request' | 'answer'
  readonly title: string
  readonly detail: string
  readonly due: number
  /** The lines that let it arrive, and that lose it. */
  readonly arrives: string
  readonly lost: string
}

/** An event in a socket, at a place. */
export function eventFlight(client: number, { serial, event }: Sent, at: number): Flight {
  const place = at === 0 ? '' : ` ${at + 1}`
  const detail = [('turnId' in event && event.turnId) || ('messageId' in event && event.messageId) || '', 'delta' in event && typeof event.delta === 'string' ? `“${event.delta.trim()}”` : ''].filter(Boolean).join(' ')
  return { id: `${client}-e${serial}`, client, kind: 'event', title: event.type, detail, due: 0, arrives: `${client}: hear${place}`, lost: `${client}: miss${place}` }
}

/** A request, or the answer to one. */
export function askFlight(client: Client, ask: Ask): Flight {
  const [word, name] = named(ask.request)
  const key = word === 'send' ? name : word
  // Of two that have the same words the newest is called the last.
  const same = client.asks().filter(other => fitsWord(other, word, name))
  const last = same.indexOf(ask) > 0 ? ' last' : ''
  const what = word === 'load' || word === 'resync' ? word : `answer ${key}${word === 'send' || name === '' ? '' : ` ${name}`}`
  const isBack = ask.answer !== undefined
  const { ok = true, value } = (ask.answer ?? {}) as { ok?: boolean; value?: { status?: string; chunks?: readonly unknown[]; success?: boolean } }
  const said = value?.status ?? (value?.chunks ? `${value.chunks.length} chunks` : value?.success === undefined ? '' : String(value.success))
  const text = ask.request.type === 'send' ? `“${ask.request.text ?? ''}”` : name
  return {
    id: `${client.number}-${isBack ? 'a' : 'r'}${ask.id}`, client: client.number, kind: isBack ? 'answer' : 'request',
    title: isBack ? `${TITLES[word] ?? word}: ${ok ? said || 'done' : 'failed'}` : TITLES[word] ?? word, detail: text, due: 0,
    arrives: `${client.number}: ${what}${isBack ? '' : ' sent'}${last}`,
    lost: `${client.number}: ${what} timeout${last}`,
  }
}
const fitsWord = (ask: Ask, word: string, name: string) => {
  const [kind, other] = named(ask.request)
  return kind === word && other === name
}

const TITLES: Readonly<Record<string, string>> = { load: 'load a page', resync: 'what did I miss?', 'take-back': 'cancel', decide: 'decision', resume: 'resume the queue', 'send-now': 'send now' }
