import { addresses } from './connect/rules.js'
import { createHttp } from './connect/http.js'
import { createSocket } from './connect/socket.js'
import { createTabs } from './connect/tabs.js'
import { fromJson, isRecord } from './json.js'
import type { Link, LinkHost } from './link.js'

export { addresses, isPassing, lastOf, waitMs } from './connect/rules.js'
export { createSocket } from './connect/socket.js'

/** Socket, requests and tabs of a store, for the protocol of `turnseal-server`. Loaded where `connect` is given. */
export function createLink(host: LinkHost): Link {
  const { options } = host
  const { http, socket: url } = addresses(String(options.url), typeof document === 'undefined' ? undefined : document.baseURI)
  // Those that wait for a better time.
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const go of [...waiting]) go()
  }
  const pause = (ms: number, signal: AbortSignal) =>
    new Promise<void>(done => {
      const go = () => {
        waiting.delete(go)
        clearTimeout(timer)
        signal.removeEventListener('abort', go)
        done()
      }
      const timer = setTimeout(go, ms)
      signal.addEventListener('abort', go)
      waiting.add(go)
    })
  const transport = createHttp({ base: http, options, pause })
  const tabs = createTabs({
    // Where there is no page there are no tabs, unless somebody says so.
    name: (options.tabs ?? typeof document !== 'undefined') ? host.scope : undefined,
    post: async (message, signal) => transport.send(message, signal),
    draft: host.draft,
    threads: host.threads,
  })
  const socket = createSocket({
    url,
    options,
    frame: data => {
      if (typeof data === 'string' && data.startsWith('{"type":"refused"')) refused(data, host)
      else host.message(data)
    },
    state: next => {
      host.state(next)
      if (next.state === 'open') wake()
    },
  })
  return {
    transport: { ...transport, send: tabs.send },
    opened: threadId => {
      socket.listen(threadId)
      tabs.opened(threadId)
    },
    renamed: socket.rename,
    typed: tabs.typed,
    dismissed: tabs.dismissed,
    retry: socket.retry,
    close: () => {
      socket.close()
      tabs.close()
      wake()
    },
  }
}

/** The server did not take a frame of ours. */
function refused(frame: string, { report }: LinkHost): void {
  const said = fromJson(frame)
  const { code, message } = isRecord(said) ? said : {}
  report({ code: 'refused', detail: `${String(code)}: ${String(message)}` })
}
