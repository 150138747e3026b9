import { CHANGED, type Core, DIAGNOSTICS, EFFECTS, FLUSH, PATCH, REFUSED } from './abi.js'
import type { Store, Thread } from './api.js'
import { randomClientId } from './commands.js'
import { createDrafts } from './draft.js'
import type { Effect } from './effects.js'
import { type Entries, createEntries } from './entries.js'
import type { Entry } from './entry.js'
import { TurnsealError, messageOf } from './errors.js'
import { complain, isBytes, itemsOf, outcomeText, typeOf } from './given.js'
import { type Grown, createHotRoute, isDelta } from './hot.js'
import { fromJson, isRecord, toJson } from './json.js'
import type { Recording } from './journal.js'
import { createLedger } from './ledger.js'
import { createLazy } from './link.js'
import { createListeners } from './listeners.js'
import { createMachine } from './machine.js'
import type { Diagnostic, StoreOptions } from './options.js'
import { createScheduler } from './schedule.js'
import { isDevelopment } from './share.js'
import { createPending } from './storage.js'
import { type ThreadParts, createThread } from './thread.js'
import { createCarrier } from './transport.js'
import type { Connection, Explanation } from './view.js'

/** Makes a core; `limits` is JSON. */
export type MakeCore = (limits: string) => Core

/** What only tests and `replay` set. */
export interface Inner {
  /** What the store starts with. */
  readonly recording?: Recording
  /** The weight at which a recording is rebased. */
  readonly weight?: number
  /** Results are frozen. */
  readonly isFrozen?: boolean
}

const TIMEOUT_MS = 30_000
const NO_THREAD = 'main'

/** A store over cores that `make` gives. Closures over one handle: all methods work detached. */
export function createStoreWith(make: MakeCore, options: StoreOptions = {}, inner: Inner = {}): Store {
  const isSync = options.schedule === 'sync'
  const isManual = options.transport === 'manual'
  const limits = inner.recording?.limits ?? JSON.stringify(options.limits ?? {})
  let isFreed = false
  let isBusy = false
  let listening = 0
  let waiters = 0
  let slot = 0
  let connection: Connection | undefined
  // What was asked by the answer that is being fed: where it breaks the core, that request has failed.
  let answering: string | undefined
  const queued: (() => number)[] = []
  const manual: Effect[] = []
  const route = createHotRoute()
  const ledger = createLedger()

  const report = (diagnostic: Diagnostic) => {
    try {
      options.onDiagnostic?.(diagnostic)
    } catch (thrown) {
      complain(thrown)
    }
  }
  const failed = (thrown: unknown) => {
    report({ code: 'listener-failed', detail: messageOf(thrown) })
    complain(thrown)
  }
  const count = (more: 1 | -1) => {
    listening += more
    if (listening === (more === 1 ? 1 : 0)) scheduler.watch(more === 1)
  }
  const alive = () => {
    if (isFreed) throw new TurnsealError('freed', 'the store was freed')
  }
  const forget = () => {
    slot = 0
    route.forget()
  }

  const machine = createMachine(
    () => make(limits),
    limits,
    {
      rebuilt: (open, cause) => {
        forget()
        entries.restart()
        report({ code: 'poisoned', detail: `the store broke and was built anew, without the input that broke it: ${cause}` })
        const lost = answering
        queued.push(() => {
          for (const effect of ledger.rebuilt(open)) {
            const asked = 'id' in effect && effect.type !== 'cancel' ? JSON.stringify({ ...effect, id: 0, timer: 0 }) : undefined
            if (asked !== undefined && asked === lost) fail(effect)
            else carry(effect)
          }
          return CHANGED | FLUSH
        })
      },
    },
    { ...(options.from === undefined ? {} : { from: options.from }), ...inner },
  )
  const parts: ThreadParts = {
    isFrozen: inner.isFrozen ?? isDevelopment(),
    count,
    failed,
    alive,
    newClientId: options.newClientId ?? randomClientId,
    draft: id => drafts.of(id),
    fresh: () => {
      alive()
      entries.fresh()
    },
    command: (entry, command) => {
      if (command['type'] === 'scrolled-up') entry.isScrolledUp = command['value'] === true
      if (command['type'] === 'dismiss') dismissed(entry, String(command['key']))
      enter(() => input({ ...command, threadId: entry.mirror.id() }))
    },
    older: entry =>
      new Promise((done, fail) => {
        enter(() => {
          waiters += 1
          entry.waiting.push({ done, fail })
          return input({ type: 'load-older', threadId: entry.mirror.id() }) | CHANGED
        })
      }),
  }
  const online = (next: Connection) => enter(() => (connection === next ? 0 : input({ type: (connection = next) })))
  const link = createLazy(
    options,
    {
      message: frame => enter(() => (typeof frame === 'string' ? feedFrame(frame) : cold(machine.messageBytes(frame)))),
      draft: (threadId, text) => drafts.heard(threadId, text),
      threads: () => entries.opened().flatMap(({ handle }) => handle ?? []),
      report,
    },
    online,
    failed,
  )
  const pending = createPending(isManual ? undefined : link.storage, report, link.scope)
  const drafts = createDrafts(link.storage, report, link.scope, (id, text) => link.tell(to => to.typed(id, text)), failed)
  const entries: Entries = createEntries(machine, parts, (from, to) => {
    pending.rename(from, to)
    drafts.rename(from, to)
    link.tell(runtime => runtime.renamed(from, to))
  })
  const everyone = createListeners<[]>(count, failed)
  const scheduler = createScheduler(options.schedule === 'microtask' ? 'microtask' : 'frame', () => enter(tell))
  const carrier = createCarrier({
    transport: link.transport,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    pending,
    report,
    answer: (id, outcome) => enter(() => answer('request', id, outcomeText(outcome))),
    fired: timer => enter(() => answer('timer', timer, '}')),
  })

  const tell = (): number => {
    scheduler.cancel()
    if (entries.tell()) everyone.tell()
    return 0
  }
  /** Another tab shows the message as well. */
  const dismissed = (entry: Entry, key: string) => {
    entries.fresh()
    const clientId = entry.mirror.group(key)?.clientId
    if (clientId !== undefined) link.tell(to => to.dismissed(entry.mirror.id(), clientId))
  }
  const carry = (effect: Effect) => {
    if (isManual) manual.push(effect)
    else carrier.carry(effect)
  }
  const fail = (effect: Effect) => {
    if (!('id' in effect)) return
    queued.push(() => answer('request', effect.id, outcomeText({ ok: false, error: 'the answer broke the store', code: 'failed' })))
  }
  const diagnose = () => {
    for (const diagnostic of machine.diagnostics()) {
      if (diagnostic.code === 'thread-evicted' && diagnostic.threadId !== undefined) entries.forget(diagnostic.threadId)
      report(diagnostic)
    }
  }
  /** What follows from an input, once the core is left: effects, then listeners. */
  const settle = (flags: number) => {
    if (isFreed) return
    if ((flags & DIAGNOSTICS) !== 0) diagnose()
    if ((flags & EFFECTS) !== 0) {
      for (const effect of machine.effects()) {
        const out = ledger.out(effect)
        if (out !== undefined) carry(out)
      }
    }
    if ((flags & CHANGED) !== 0 && waiters > 0) waiters -= entries.release()
    if (listening === 0 || (flags & (CHANGED | FLUSH)) === 0) return
    if (isSync || (flags & FLUSH) !== 0) tell()
    else scheduler.request()
  }
  /** The one way in: an input that comes while another one is served waits its turn. */
  const enter = (feed: () => number) => {
    if (isFreed) return
    if (isBusy) {
      queued.push(feed)
      return
    }
    isBusy = true
    try {
      settle(feed())
      for (let next = queued.shift(); next !== undefined; next = queued.shift()) settle(next())
    } finally {
      isBusy = false
      if (isFreed) machine.free()
    }
  }
  /** Any input but a delta to the hot slot. */
  const cold = (flags: number): number => {
    forget()
    entries.moved()
    if ((flags & CHANGED) !== 0) entries.stale()
    if (machine.rebase(isQuiet, preamble)) forget()
    return flags
  }
  /** True where a saved state leaves nothing out: no request is on its way, and nothing waits for the bottom. */
  const isQuiet = () => ledger.isQuiet() && entries.opened().every(entry => !entry.isScrolledUp)
  /** What a new core has to hear on top of a saved state, to be where this one is. */
  const preamble = () => [
    ...(connection === undefined ? [] : [JSON.stringify({ type: connection })]),
    ...entries.opened().flatMap(({ mirror, isScrolledUp }) => [
      JSON.stringify({ type: 'open', threadId: mirror.id() }),
      ...(isScrolledUp ? [JSON.stringify({ type: 'scrolled-up', threadId: mirror.id(), value: true })] : []),
    ]),
    // A saved state takes messages on their way for failed: they are sent again, and meet their answers.
    ...ledger.sending().map(send => JSON.stringify({ type: 'retry', ...send })),
  ]
  const input = (command: unknown) => cold(machine.input(JSON.stringify(command)))
  const answer = (kind: 'request' | 'timer', id: number, rest: string): number => {
    const line = ledger.end(kind, id)
    if (line === undefined) {
      report({ code: 'unknown-effect', detail: `no ${kind} ${id} waits for an answer` })
      return 0
    }
    answering = line.asked
    try {
      return cold(machine.answer(kind, line.id, rest, line.asked))
    } finally {
      answering = undefined
    }
  }
  const bad = (detail: string): number => {
    report({ code: 'bad-json', detail })
    return 0
  }

  /** A delta to the hot slot: no JSON crosses. `undefined`: it was not for this way. */
  const grow = (grown: Grown): number | undefined => {
    const flags = machine.grow(grown)
    if ((flags & REFUSED) !== 0) return undefined
    if ((flags & PATCH) !== 0) {
      entries.moved()
      entries.stale()
    } else if ((flags & CHANGED) !== 0) entries.grow(grown.text)
    if (machine.rebase(isQuiet, preamble)) forget()
    return flags
  }
  const feedFrame = (frame: string): number => {
    const hot = slot === 0 ? undefined : route.ofFrame(frame)
    const quick = hot === undefined ? undefined : grow(hot)
    if (quick !== undefined) return quick
    const flags = cold(machine.message(frame))
    slot = machine.hot()
    if (slot !== 0) route.learnFrame(frame)
    return flags
  }
  const feedObject = (event: object): number => {
    try {
      const hot = slot === 0 ? undefined : route.ofEvent(event)
      const quick = hot === undefined ? undefined : grow(hot)
      if (quick !== undefined) return quick
    } catch (thrown) {
      // The machine throws errors of ours; anything else comes from a getter or a revoked proxy.
      if (thrown instanceof TurnsealError) throw thrown
    }
    const json = toJson(event)
    return json === undefined ? bad('an event has no JSON text') : feedJson(json, event)
  }
  const feedJson = (json: string, event: object): number => {
    const type = typeOf(event)
    if (type === 'effect-result' || type === 'timer-fired') return isManual ? feedAnswer(json) : cold(machine.message(json))
    const flags = cold(machine.event(json))
    if (isDelta(type)) {
      slot = machine.hot()
      if (slot !== 0) route.learnEvent(event)
    }
    return flags
  }
  const feedAnswer = (json: string): number => {
    const value = fromJson(json)
    if (!isRecord(value)) return bad('an answer is an object')
    const { type, id, timer, ...rest } = value
    const [kind, number] = type === 'timer-fired' ? (['timer', timer] as const) : (['request', id] as const)
    if (typeof number !== 'number') return bad('an answer has the number of its effect')
    const text = JSON.stringify(rest)
    return answer(kind, number, text === '{}' ? '}' : `,${text.slice(1)}`)
  }
  const feedEvent = (event: unknown): number =>
    typeof event === 'object' && event !== null ? feedObject(event) : bad('an event is an object')

  const thread = (id: string = NO_THREAD): Thread => {
    alive()
    if (typeof id !== 'string' || id === '') throw new TurnsealError('bad-argument', 'thread: id is a text')
    entries.fresh()
    const entry = entries.of(id)
    entry.handle ??= open(entry)
    return entry.handle
  }
  const open = (entry: Entry): Thread => {
    const handle = createThread(entry, parts)
    const threadId = entry.mirror.id()
    entry.handle = handle
    enter(() => {
      const sends = pending.read(threadId)
      const restored = sends.length === 0 ? 0 : input({ type: 'restore', threadId, sends })
      // A thread is opened while a UI draws: nobody is told before it is done.
      const flags = restored | input({ type: 'open', threadId })
      if ((flags & CHANGED) !== 0 && listening > 0) queueMicrotask(() => enter(tell))
      return flags & ~(FLUSH | CHANGED)
    })
    link.tell(to => to.opened(entry.mirror.id()))
    return handle
  }
  const free = () => {
    if (isFreed) return
    isFreed = true
    queued.length = 0
    scheduler.cancel()
    scheduler.watch(false)
    carrier.stop()
    link.close()
    entries.free(new TurnsealError('freed', 'the store was freed'))
    if (!isBusy) machine.free()
  }

  // What the first state brought along: views, effects, and why it was refused.
  if (options.from !== undefined || inner.recording !== undefined) enter(() => CHANGED | EFFECTS | DIAGNOSTICS)
  if (options.connect !== undefined) online('connecting')

  return {
    handleEvent: event => {
      alive()
      if (!isBusy) return enter(() => feedEvent(event))
      // The caller may change its object before its turn comes.
      const json = toJson(event)
      const copy = json === undefined ? undefined : fromJson(json)
      enter(() => (copy === undefined ? bad('an event has no JSON text') : feedEvent(copy)))
    },
    handleEvents: events => {
      alive()
      const list = itemsOf(events)
      enter(() => (list === undefined ? bad('events come as an array') : list.reduce<number>((flags, event) => flags | feedEvent(event), 0)))
    },
    handleMessage: frame => {
      alive()
      if (typeof frame === 'string') return enter(() => feedFrame(frame))
      if (!isBytes(frame)) return enter(() => bad('a frame is a text or a Uint8Array'))
      const bytes = isBusy ? frame.slice() : frame
      enter(() => cold(machine.messageBytes(bytes)))
    },
    renderGroups: (id = NO_THREAD) => {
      alive()
      entries.fresh()
      return entries.of(id).mirror.groups()
    },
    subscribe: listener => {
      alive()
      return everyone.add(listener)
    },
    thread,
    connection: link.connection,
    setConnection: next => {
      alive()
      if (next !== 'connecting' && next !== 'online' && next !== 'offline')
        throw new TurnsealError('bad-argument', 'setConnection: connecting, online or offline')
      enter(() => input({ type: (connection = next) }))
      link.set(next)
    },
    takeEffects: () => {
      alive()
      if (!isManual) throw new TurnsealError('not-manual', "takeEffects is for createStore({ transport: 'manual' })")
      return manual.splice(0)
    },
    record: () => {
      alive()
      return machine.recording()
    },
    dehydrate: () => {
      alive()
      return machine.dehydrate()
    },
    explain: (threadId, key) => {
      alive()
      const why: Explanation | null = JSON.parse(machine.explain(threadId, key))
      return why
    },
    free,
    [Symbol.dispose]: free,
  }
}
