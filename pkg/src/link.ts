import type { ConnectionSnapshot, ConnectionState, Thread } from './api.js'
import { TurnsealError, messageOf } from './errors.js'
import { isRecord } from './json.js'
import { createListeners } from './listeners.js'
import type { ConnectOptions, Diagnostic, PendingStorage, StoreOptions, Transport } from './options.js'
import type { Connection } from './view.js'

/** What the runtime needs of its store. */
export interface LinkHost {
  /** What the host has asked for. */
  readonly options: ConnectOptions
  /** Names the storage and the tabs. */
  readonly scope: string
  /** Takes a frame. */
  message(frame: string | Uint8Array): void
  /** Takes how things stand with the socket. */
  state(next: ConnectionSnapshot): void
  /** Takes what another tab typed. */
  draft(threadId: string, text: string): void
  /** The threads that were opened. */
  threads(): readonly Thread[]
  /** Hears what was repaired. */
  report(diagnostic: Diagnostic): void
}

/** Socket, requests and tabs: the part that is loaded on demand. */
export interface Link {
  /** The way to the server. */
  readonly transport: Required<Transport>
  /** A thread is looked at. */
  opened(threadId: string): void
  /** A thread has another name. */
  renamed(from: string, to: string): void
  /** The user typed that. */
  typed(threadId: string, text: string): void
  /** The user gave a message up. */
  dismissed(threadId: string, clientId: string): void
  /** Tries at once. */
  retry(): void
  /** Ends all. */
  close(): void
}

/** A link as the store has it: what is told before the rest is loaded waits for it. */
export interface Lazy {
  /** The way to the server: the host's own members before those of the runtime. */
  readonly transport: Transport
  /** How the store is connected. */
  readonly connection: ConnectionState
  /** Names the storage. */
  readonly scope: string
  /** Where things outlive a reload. */
  readonly storage: PendingStorage | undefined
  /** Tells the runtime, where there is one. */
  tell(act: (link: Link) => void): void
  /** The host told how it is connected. */
  set(connection: Connection): void
  /** Ends all. */
  close(): void
}

const STATES = { connecting: 'connecting', online: 'open', offline: 'offline' } as const

/** The link of a store with these options. `online` takes the state in the store's own word. */
export function createLazy(
  { connect, storage, transport }: StoreOptions,
  host: Pick<LinkHost, 'message' | 'draft' | 'threads' | 'report'>,
  online: (connection: Connection) => void,
  failed: (thrown: unknown) => void,
): Lazy {
  const listeners = createListeners<[]>(() => {}, failed)
  let snapshot: ConnectionSnapshot = { state: connect === undefined ? 'open' : 'connecting', attempt: 0 }
  const state = (next: ConnectionSnapshot) => {
    snapshot = next
    listeners.tell()
  }
  const own = typeof transport === 'object' ? transport : {}
  const connection = { getSnapshot: () => snapshot, subscribe: listeners.add }
  let tell: Lazy['tell'] = () => {}
  let way: Transport = own
  let scope = ''
  if (connect !== undefined) {
    const url: unknown = isRecord(connect) ? connect.url : undefined
    if (typeof url !== 'string' && !(url instanceof URL)) throw new TurnsealError('bad-argument', 'createStore: connect.url is an address')
    scope = `${encodeURI(connect.name ?? String(connect.url))} `
    const wholeHost: LinkHost = {
      ...host,
      options: connect,
      scope,
      state: next => {
        if (snapshot.state === 'closed') return
        online(next.state === 'open' ? 'online' : next.state === 'connecting' ? 'connecting' : 'offline')
        state(next)
      },
    }
    const loading = import('./connect.js').then(({ createLink }) => createLink(wholeHost))
    loading.catch((thrown: unknown) => {
      host.report({ code: 'connect-failed', detail: messageOf(thrown) })
      wholeHost.state({ state: 'closed', attempt: 0 })
    })
    tell = act => void loading.then(act, () => {})
    way = new Proxy(own, {
      get: (_, name) => {
        const mine: unknown = Reflect.get(own, name)
        if (typeof mine === 'function') return mine.bind(own)
        return (query: unknown, signal: AbortSignal) => loading.then(link => Reflect.get(link.transport, name)(query, signal))
      },
    })
  }
  return {
    transport: way,
    connection: { ...connection, retry: () => tell(link => link.retry()) },
    scope,
    storage: connect?.storage === false ? undefined : connect?.storage ?? storage ?? (connect && localStorageOf()),
    tell: act => tell(act),
    set: next => {
      if (connect === undefined) state({ state: STATES[next], attempt: 0 })
    },
    close: () => {
      tell(link => link.close())
      tell = () => {}
      state({ state: 'closed', attempt: 0 })
    },
  }
}

/** The page's own storage; a page may be forbidden to look at it. */
function localStorageOf(): PendingStorage | undefined {
  try {
    return typeof document === 'undefined' ? undefined : localStorage
  } catch {
    return undefined
  }
}
