/** What is decided here is decided in Rust as well (`src/browser`): tests/link/cases.json is played against both. */

/** The first wait, doubled with each attempt. */
const WAIT_MS = 500
const WAIT_MS_MAX = 30_000
/** A socket listens to so many threads. */
const THREADS_MAX = 64
/** The server says a word each 15 seconds. So long without one, and the socket is dead. */
export const SILENT_MS = 40_000
/** So long without a word, and a page that was away does not wait for the rest. */
export const SUSPECT_MS = 20_000

/** How long to wait behind so many attempts that failed; `chance` is from 0 to 1. */
export function waitMs(attempt: number, chance: number): number {
  const whole = Math.min(WAIT_MS * 2 ** Math.min(Math.max(attempt - 1, 0), 16), WAIT_MS_MAX)
  return Math.round(whole * (0.75 + chance / 2))
}

/** Where requests go, without a slash at the end, and where the socket is. Throws for what is no address. */
export function addresses(url: string, page?: string): { readonly http: string; readonly socket: string } {
  const { protocol, host, pathname, search } = page === undefined ? new URL(url) : new URL(url, page)
  const secure = protocol === 'https:' || protocol === 'wss:'
  if (!secure && protocol !== 'http:' && protocol !== 'ws:') throw new TypeError(`connect: ${protocol} is no protocol of a server`)
  const rest = `${host}${pathname.replace(/\/+$/, '')}`
  return { http: `http${secure ? 's' : ''}://${rest}`, socket: `ws${secure ? 's' : ''}://${rest}/ws${search}` }
}

/** A numbered event of the server begins like that. */
const NUMBERED = /^\{"type":"[a-z-]+","threadId":("(?:[^"\\]|\\.)*"),"n":(\d+)[,}]/

/**
 * The thread and the number of a frame's last event. A number that is too low does no harm: what comes again is dropped
 * (L4). So a line of another form is left out.
 */
export function lastOf(frame: string): readonly [threadId: string, n: number] | undefined {
  const line = frame.endsWith('\n') ? frame.slice(0, -1) : frame
  const [, id, n] = NUMBERED.exec(line.slice(line.lastIndexOf('\n') + 1)) ?? []
  return id === undefined ? undefined : [JSON.parse(id), Number(n)]
}

/** The threads that one socket listens to: those that were opened last. */
export function listened(opened: readonly string[]): readonly string[] {
  return opened.slice(-THREADS_MAX)
}

/** What is asked again by itself: nobody answered, or somebody who cannot now. */
export function isPassing(status: number | undefined): boolean {
  return status === undefined || status === 429 || status === 502 || status === 503 || status === 504
}
