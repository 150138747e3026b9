// All of the lab that is not drawn: a server on paper, two clients, and what is on its way between them. One line in, one
// thing happens; the same lines give the same state, so going back is playing them anew.
import { type Ask, type Client, type Make, type Told, createClient, named } from './client.ts'
import { type Flight, askFlight, eventFlight } from './flights.ts'
import { type Line, parse } from './lines.ts'
import { createPaper } from './paper.ts'

const failed = (code: 'failed' | 'timeout') => ({ ok: false, error: 'no route', code })
const ROUNDS = 300

export function createWorld(make: Make) {
  const server = createPaper()
  let clients = [createClient(make, 1)]
  const dues = new Map<string, number>()
  let due = 0

  const spread = () => {
    for (const event of server.outbox.splice(0)) for (const client of clients) client.hand(event)
    for (const client of clients) if (!client.state.isSlow) client.hearAll()
  }
  const clientOf = ({ client = 1 }: Line): Client => {
    const known = clients[client - 1]
    if (known === undefined) throw new Error(`there is no client ${client}`)
    return known
  }
  const reconnect = (client: Client) => {
    client.state.isLinked = true
    client.feed(() => client.store.setConnection('online'))
    client.hear(server.snapshot() as Told)
  }

  /** What the server answers, and does for it. */
  function answered({ request }: Ask, line: Pick<Line, 'names'>): { ok: boolean; value?: unknown; error?: string; code?: 'failed' | 'timeout' } {
    if (line.names.includes('fails')) return failed('failed')
    if (line.names.includes('timeout')) return failed('timeout')
    const done = (value: unknown = {}) => ({ ok: true, value: JSON.parse(JSON.stringify(value)) as unknown })
    switch (request.type) {
      case 'load-chunks': return done(server.page(request))
      case 'send': return done(server.take(request.clientId))
      case 'cancel-queued': return done({ success: server.cancel(request.messageId) })
      case 'move-queued': return server.move(request.messageId, request.index) ? done() : failed('failed')
      case 'send-now': return done({ success: server.move(request.messageId, 0) })
      case 'resume-queue': return done(server.hold(false))
      case 'stop': return done(server.stop(request.turnId))
      case 'resolve-approval': return done({ success: server.decide(request.callId, request.decision) })
      case 'resync': return done(server.snapshot())
      case 'edit-queued': return failed('failed')
    }
  }
  const fits = (ask: Ask, what: string, whose: string | undefined) => {
    const [kind, name] = named(ask.request)
    return (kind === what && (whose === undefined || MODES.has(whose) || whose === name)) || (kind === 'send' && name === what)
  }

  function onAnswer(line: Line, what: string, whose: string | undefined): void {
    const client = clientOf(line)
    const open = client.asks().filter(ask => fits(ask, what, whose))
    const ask = line.names.includes('last') ? open.at(-1) : open[0]
    if (ask === undefined) throw new Error('no such request is open')
    const isLost = line.names.includes('fails') || line.names.includes('timeout')
    const answer = ask.answer === undefined || isLost ? answered(ask, line) : (ask.answer as ReturnType<typeof answered>)
    const rest = client.asks().filter(other => other !== ask)
    if (line.names.includes('sent')) {
      client.setAsks([{ ...ask, answer }, ...rest])
      return spread()
    }
    client.setAsks(rest)
    spread()
    client.answer(ask, answer)
  }

  function onChannel(line: Line): void {
    const client = clientOf(line)
    const [word] = line.names
    const taken = () => {
      const [sent] = client.socket.splice(Number(word ?? 1) - 1, 1)
      if (sent === undefined) throw new Error('nothing is on its way')
      return sent.event
    }
    switch (line.verb) {
      case 'slow': client.state.isSlow = true; return
      case 'fast': client.state.isSlow = false; client.hearAll(); return
      case 'hear': client.hear(taken()); return
      case 'miss': taken(); return
      case 'lose': client.state.lose += Number(word ?? 1); return
      case 'drop':
        client.state.isLinked = false
        client.socket.length = 0
        client.feed(() => client.store.setConnection('offline'))
        return
      case 'reconnect': reconnect(client); return
      default: {
        const timer = client.timers.shift()
        if (timer === undefined) throw new Error('no timer runs')
        client.feed(() => client.store.handleEvent({ type: 'timer-fired', timer: timer.timer }))
      }
    }
  }

  function onQuiet(): void {
    for (const client of clients) {
      Object.assign(client.state, { isSlow: false, lose: 0 })
      if (!client.state.isLinked) reconnect(client)
      client.act(thread => thread.setScrolledUp(false))
    }
    for (let [round, still] = [0, 0]; round < ROUNDS; round += 1) {
      let isBusy = false
      spread()
      for (const client of clients) {
        const asks = client.asks()
        const timers = client.timers.splice(0)
        client.setAsks([])
        isBusy ||= asks.length > 0 || timers.length > 0
        for (const ask of asks) {
          const answer = ask.answer === undefined ? answered(ask, { names: [] }) : (ask.answer as ReturnType<typeof answered>)
          spread()
          client.answer(ask, answer)
        }
        for (const { timer } of timers) client.feed(() => client.store.handleEvent({ type: 'timer-fired', timer }))
      }
      still = isBusy || server.outbox.length > 0 ? 0 : still + 1
      if (still === 1) server.ping()
      else if (still > 1) return
    }
    throw new Error('it never comes to rest')
  }

  function onUser(line: Line): void {
    const client = clientOf(line)
    const [name = '', more = ''] = line.names
    const text = line.texts[0] ?? ''
    const keyOf = () => client.store.renderGroups('main').find(group => group.key === name || group.messageId === name || group.clientId === name)?.key ?? name
    switch (line.verb) {
      case 'open': client.thread(); return
      case 'send':
      case 'steer': {
        const intent = line.verb === 'send' ? 'queue' as const : 'steer' as const
        if (!server.typed.has(name)) server.typed.set(name, { text, intent })
        client.naive.send(name, text)
        client.act(thread => void thread.send(text, { clientId: name, intent }))
        return
      }
      case 'stop': client.act(thread => thread.stop()); return
      case 'approve': client.act(thread => thread.approve(name)); return
      case 'deny': client.act(thread => thread.deny(name)); return
      case 'retry': client.act(thread => thread.retry(name)); return
      case 'dismiss': client.act(thread => thread.dismiss(keyOf())); return
      case 'scroll': client.act(thread => thread.setScrolledUp(name === 'up')); return
      case 'older': client.act(thread => void thread.loadOlder()); return
      case 'take-back': client.act(thread => thread.cancelQueued(name)); return
      case 'move': client.act(thread => thread.moveQueued(name, Number(more))); return
      case 'send-now': client.act(thread => thread.sendNow(name)); return
      default: client.act(thread => thread.resumeQueue())
    }
  }

  function onServer(line: Line): void {
    const [name = '', second = '', third = 'ls'] = line.names
    const [text] = line.texts
    switch (line.verb) {
      case 'turn-start': {
        const ids = line.names.slice(1).map(known => {
          if (server.messages.has(known)) return known
          server.accept(`m-${known}`, known, undefined)
          return `m-${known}`
        })
        if (ids.length === 0) server.accept(`m-${name}`, undefined, text)
        return server.start(name, ids.length === 0 ? [`m-${name}`] : ids)
      }
      case 'delta': return server.delta(name, text ?? '')
      case 'call': return server.call(name, second, third, text ?? '{}')
      case 'result': return server.result(name, second, text ?? '', line.names.includes('error'))
      case 'ask': return server.ask(name, second, text)
      case 'decided': return void server.decide(second, third === 'approved' ? 'approved' : 'denied')
      case 'notice': return server.notice(name, text ?? '')
      case 'turn-end': return server.end(name, second as 'done' | 'aborted' | 'error', text)
      case 'queue': {
        const client = second === '' || second === 'steer' ? undefined : second
        return server.enqueue(name, client, text, line.names.includes('steer') ? 'steer' : undefined)
      }
      case 'consume': return server.consume(line.names)
      case 'cancel': return void server.cancel(name)
      case 'hold': return server.hold(true)
      case 'release': return server.hold(false)
      case 'seal': return server.seal(name)
      case 'write': return server.write(name)
      default: throw new Error(`the lab does not know the verb ${line.verb}`)
    }
  }

  function run(line: Line): void {
    const [first] = line.names
    if (line.verb === 'clients') clients = Array.from({ length: Number(first) }, (_, index) => createClient(make, index + 1))
    else if (USER.has(line.verb)) onUser(line)
    else if (line.verb === 'load' || line.verb === 'resync') onAnswer(line, line.verb, undefined)
    else if (line.verb === 'answer') onAnswer(line, first ?? '', line.names[1])
    else if (line.verb === 'take') {
      server.take(first ?? '')
      spread()
    } else if (line.verb === 'quiet') onQuiet()
    else if (line.verb === 'ping') {
      server.ping()
      spread()
    } else if (CHANNEL.has(line.verb)) onChannel(line)
    else {
      onServer(line)
      spread()
    }
  }

  /** What is on its way, soonest first. */
  function flights(): Flight[] {
    const out = clients.flatMap(client => [
      ...client.socket.map((sent, at) => eventFlight(client.number, sent, at)),
      ...client.asks().map(ask => askFlight(client, ask)),
    ])
    for (const { id } of out) if (!dues.has(id)) dues.set(id, (due += 1))
    return out.map(flight => ({ ...flight, due: dues.get(flight.id) ?? 0 })).sort((one, other) => one.due - other.due)
  }

  return {
    server,
    clients: (): readonly Client[] => clients,
    flights,
    /** Plays one line. Throws where it makes no sense here; then nothing has changed but what the line names. */
    play(raw: string) {
      const line = parse(raw)
      if (line !== undefined) run(line)
      flights()
    },
    /** These, of one client, arrive in this order from now on. */
    order(ids: readonly string[]) {
      const places = ids.map(id => dues.get(id) ?? 0).sort((one, other) => one - other)
      ids.forEach((id, at) => dues.set(id, places[at] ?? 0))
    },
    free: () => clients.forEach(client => client.free()),
  }
}
export type World = ReturnType<typeof createWorld>

const USER = new Set(['open', 'send', 'steer', 'stop', 'approve', 'deny', 'retry', 'dismiss', 'scroll', 'older', 'take-back', 'move', 'send-now', 'resume'])
const CHANNEL = new Set(['slow', 'fast', 'hear', 'miss', 'lose', 'drop', 'reconnect', 'wait'])
const MODES = new Set(['fails', 'stale', 'sent', 'last', 'timeout'])
