import type { ConnectionSnapshot } from '../api.js'
import type { ConnectOptions } from '../options.js'
import { SILENT_MS, SUSPECT_MS, lastOf, listened, waitMs } from './rules.js'

/** A socket that comes back: it listens to threads, each from where it was. */
export interface Socket {
  /** Listens to a thread, or says that it was looked at again. */
  listen(threadId: string): void
  /** A thread has another name. */
  rename(from: string, to: string): void
  /** Tries at once, where it waits. */
  retry(): void
  /** Ends it. */
  close(): void
}

/** What a socket is given. */
export interface SocketParts {
  /** Where the server is. */
  readonly url: string
  /** What the host has asked for. */
  readonly options: ConnectOptions
  /** Takes a frame. */
  frame(data: string | Uint8Array): void
  /** Takes how things stand. */
  state(next: ConnectionSnapshot): void
}

/** So long a socket may take to open. */
const OPEN_MS = 15_000
/** So often it is asked whether it is still alive. */
const LOOK_MS = 5_000

/** A socket that begins to connect. Throws where the host has none. */
export function createSocket({ url, options, frame, state }: SocketParts): Socket {
  const Maker = options.WebSocket ?? globalThis.WebSocket
  if (typeof Maker !== 'function') throw new TypeError('connect: this host has no WebSocket; give one as connect.WebSocket')
  // In the order in which they were looked at.
  const opened = new Set<string>()
  const last = new Map<string, number>()
  let here: readonly string[] = []
  let socket: WebSocket | undefined
  let isOpen = false
  let isClosed = false
  let attempt = 0
  let heard = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const later = (ms: number, act: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(act, ms)
  }
  const say = (message: object) => socket?.send(JSON.stringify(message))
  /** Says what changed in what is listened to. */
  const tell = () => {
    if (!isOpen) return
    const wanted = listened([...opened])
    for (const threadId of here) if (!wanted.includes(threadId)) say({ type: 'unsubscribe', threadId })
    for (const threadId of wanted) if (!here.includes(threadId)) say({ type: 'subscribe', threadId, after: last.get(threadId) })
    here = wanted
  }
  const take = (data: unknown) => {
    heard = Date.now()
    attempt = 0
    if (typeof data !== 'string') return frame(data instanceof ArrayBuffer ? new Uint8Array(data) : String(data))
    frame(data)
    const told = lastOf(data)
    if (told !== undefined) last.set(...told)
  }
  /** Lets a socket go: whatever it still says is not heard. */
  const drop = () => {
    const old = socket
    socket = undefined
    isOpen = false
    if (old === undefined) return
    old.onopen = old.onmessage = old.onclose = old.onerror = null
    old.close()
  }
  const lost = () => {
    drop()
    attempt += 1
    const ms = waitMs(attempt, Math.random())
    state({ state: isOffline() ? 'offline' : 'waiting', attempt, retryAt: Date.now() + ms })
    later(ms, connect)
  }
  const look = () => {
    if (here.length > 0 && Date.now() - heard > SILENT_MS) lost()
    else later(LOOK_MS, look)
  }
  const connect = () => {
    drop()
    state({ state: 'connecting', attempt })
    // A network that swallows what it is given says nothing at all.
    later(OPEN_MS, lost)
    try {
      const protocols = options.protocols
      socket = protocols === undefined ? new Maker(url) : new Maker(url, typeof protocols === 'string' ? protocols : [...protocols])
    } catch {
      return lost()
    }
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      isOpen = true
      heard = Date.now()
      here = []
      state({ state: 'open', attempt })
      tell()
      later(LOOK_MS, look)
    }
    socket.onmessage = ({ data }) => take(data)
    // One that never opened says so in one way or in both.
    socket.onclose = socket.onerror = lost
  }
  const retry = () => {
    if (isClosed || isOpen) return
    attempt = 0
    connect()
  }
  /** The page is back: what waits is tried, and what was long silent is not trusted. */
  const back = () => {
    if (isClosed || (typeof document !== 'undefined' && document.hidden)) return
    const isTrusted = here.length === 0 || Date.now() - heard <= SUSPECT_MS
    // One that is still opening has its own time.
    if (socket !== undefined && (!isOpen || isTrusted)) return
    attempt = 0
    connect()
  }
  const leave = listenTo([
    ['online', back],
    ['offline', () => isClosed || lost()],
    ['visibilitychange', back],
    ['pageshow', back],
  ])
  connect()
  return {
    listen: threadId => {
      opened.delete(threadId)
      opened.add(threadId)
      tell()
    },
    rename: (from, to) => {
      // Both names are one thread now, and its numbers are counted anew under the new one.
      opened.delete(from)
      last.delete(from)
      opened.add(to)
      tell()
    },
    retry,
    close: () => {
      isClosed = true
      leave()
      clearTimeout(timer)
      drop()
      state({ state: 'closed', attempt })
    },
  }
}

/** Listens to page and window, where there are such; gives the end of it. */
function listenTo(wishes: readonly (readonly [string, () => void])[]): () => void {
  if (typeof document === 'undefined') return () => {}
  const at = (name: string) => (name === 'visibilitychange' ? document : window)
  for (const [name, act] of wishes) at(name).addEventListener(name, act)
  return () => {
    for (const [name, act] of wishes) at(name).removeEventListener(name, act)
  }
}

function isOffline(): boolean {
  return typeof document !== 'undefined' && navigator.onLine === false
}
