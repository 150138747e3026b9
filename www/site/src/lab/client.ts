// One client: its store, its channel, its open requests and timers. It decides nothing; a line of the lab says what comes.
import type { Diagnostic, Effect, EffectRequest, KnownEvent, Recording, Store, StoreOptions, Thread } from 'turnseal'
import { type Naive, createNaive } from './naive.ts'

/** What the store waits for: on its way to the server, or with an answer on its way back. */
export interface Ask { readonly id: number; readonly request: EffectRequest; readonly answer?: unknown }
export type Told = KnownEvent & { readonly n: number }
/** An event on its way to one client. Two may be alike, so each has a number of its own. */
export interface Sent { readonly serial: number; readonly event: Told }
export type Make = (options: StoreOptions) => Store

/** The word for a request, and what it is about, as a scenario calls it. */
export function named(request: EffectRequest): readonly [string, string] {
  switch (request.type) {
    case 'load-chunks': return ['load', '']
    case 'send': return ['send', request.clientId]
    case 'stop': return ['stop', request.turnId ?? '']
    case 'cancel-queued': return ['take-back', request.messageId]
    case 'edit-queued': return ['edit', request.messageId]
    case 'move-queued': return ['move', request.messageId]
    case 'send-now': return ['send-now', request.messageId]
    case 'resume-queue': return ['resume', '']
    case 'resolve-approval': return ['decide', request.callId]
    case 'resync': return ['resync', '']
  }
}

export function createClient(make: Make, number: number) {
  const says: Diagnostic[] = []
  const store = make({ transport: 'manual', schedule: 'sync', onDiagnostic: said => says.push(said) })
  const naive: Naive = createNaive()
  const socket: Sent[] = []
  let serial = 0
  const timers: { readonly timer: number; readonly ms: number; readonly why: string }[] = []
  let asks: Ask[] = []
  let thread: Thread | undefined
  const state = { isSlow: false, isLinked: true, lose: 0 }

  const carry = (effect: Effect) => {
    if (effect.type === 'persist') return
    if (effect.type === 'cancel') asks = asks.filter(({ id }) => id !== effect.id)
    else if (effect.type === 'start-timer') timers.push({ timer: effect.timer, ms: effect.ms, why: effect.why })
    else if (effect.type === 'cancel-timer') {
      const at = timers.findIndex(({ timer }) => timer === effect.timer)
      if (at >= 0) timers.splice(at, 1)
    } else asks.push({ id: effect.id, request: effect })
  }
  /** Gives the store one input, and keeps what it wants. */
  const feed = <T>(input: () => T): T => {
    const value = input()
    for (const effect of store.takeEffects()) carry(effect)
    return value
  }
  const hear = (event: Told) => {
    feed(() => store.handleEvent(event))
    naive.hear(event)
  }

  return {
    number, store, naive, socket, timers, says, state,
    asks: (): readonly Ask[] => asks,
    setAsks: (next: Ask[]) => void (asks = next),
    /** The thread, from when it was opened. */
    thread: (): Thread => (thread ??= feed(() => store.thread())),
    isOpen: () => thread !== undefined,
    feed, hear,
    act(run: (thread: Thread) => void) {
      const known = this.thread()
      feed(() => run(known))
    },
    hearAll() {
      for (let sent = socket.shift(); sent !== undefined; sent = socket.shift()) hear(sent.event)
    },
    /** Puts an event on its way, or loses it. */
    hand(event: Told) {
      if (!state.isLinked) return
      if (state.lose > 0) state.lose -= 1
      else socket.push({ serial: (serial += 1), event })
    },
    answer(ask: Ask, answer: { readonly ok: boolean; readonly value?: unknown; readonly error?: string; readonly code?: 'failed' | 'timeout' }) {
      feed(() => store.handleEvent(answer.ok
        ? { type: 'effect-result', id: ask.id, ok: true, value: answer.value }
        : { type: 'effect-result', id: ask.id, ok: false, error: answer.error ?? 'no route', code: answer.code ?? 'failed' }))
      naive.answered(ask.request, answer)
    },
    record: (): Recording => store.record(),
    free: () => store.free(),
  }
}
export type Client = ReturnType<typeof createClient>
