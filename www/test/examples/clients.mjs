// Clients of the two back ends of www/examples: the package as the examples have it, with a line kept of all that came.
import { createTransport, listen } from '../../examples/plain/transport.js'
import { packagesOf } from './lib.mjs'

const { createStore } = await import(`${packagesOf('node-server')}/turnseal/dist/node.js`)
const { default: Socket } = await import(`${packagesOf('node-server')}/ws/wrapper.mjs`)

/** A store, its thread, what came, what it complained of, how its line is cut, and a promise of its first event. */
function client(make) {
  const [lines, said] = [[], []]
  const options = { schedule: 'sync', onDiagnostic: diagnostic => said.push(diagnostic) }
  let parts
  const begun = new Promise(done => (parts = make(options, lines, text => done(lines.push(...text.split('\n'))))))
  const { store, cut, close = () => {} } = parts
  return { lines, said, cut, begun, thread: store.thread('main'), close: () => (close(), store.free()) }
}

/** What the Node server speaks, `connect` reads: a socket, and pages. */
export const overSocket = url =>
  client((options, lines, event) => {
    let last
    class Recorded extends Socket {
      constructor(...args) {
        super(...args)
        last = this
        this.on('message', data => event(String(data)))
      }
    }
    const recorded = async (path, init) => {
      const response = await fetch(path, init)
      if (path.includes('/chunks')) lines.push(await response.clone().text())
      return response
    }
    const store = createStore({ ...options, connect: { url, WebSocket: Recorded, fetch: recorded, storage: false, tabs: false } })
    return { store, cut: () => last.terminate() }
  })

/** An EventSource, as far as the page needs one: it comes back, and says which id it saw last. */
class Events {
  #ends = new AbortController()
  #line = new AbortController()
  #last
  constructor(url) {
    Events.last = this
    this.#run(url)
  }
  async #run(url) {
    while (!this.#ends.signal.aborted) {
      this.#line = new AbortController()
      try {
        const response = await fetch(url, { signal: this.#line.signal, headers: this.#last === undefined ? {} : { 'last-event-id': this.#last } })
        this.onopen()
        await this.#read(response.body)
      } catch {
        // A line that is cut.
      }
      if (!this.#ends.signal.aborted) this.onerror()
      await new Promise(done => setImmediate(done))
    }
  }
  async #read(body) {
    let text = ''
    for await (const more of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + more).split('\n\n')
      text = blocks.pop()
      for (const block of blocks) {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(block)
        this.#last = id
        this.onmessage({ data })
      }
    }
  }
  cut() {
    this.#line.abort()
  }
  close() {
    this.#ends.abort()
    this.cut()
  }
}

/** What the Python server speaks, the transport of the page without a bundler reads. */
export const overEvents = url =>
  client((options, lines, event) => {
    globalThis.EventSource = Events
    const transport = createTransport(`${url}/`)
    const store = createStore({
      ...options,
      transport: {
        ...transport,
        loadChunks: async (...args) => {
          const page = await transport.loadChunks(...args)
          lines.push(JSON.stringify(page))
          return page
        },
      },
    })
    const heard = { ...store, handleMessage: data => (event(data), store.handleMessage(data)) }
    const close = listen(heard, `${url}/`, 'main')
    const events = Events.last
    return { store, cut: () => events.cut(), close }
  })
