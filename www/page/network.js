/**
 * A bad network. Each client has two channels: a socket, which keeps its order, and requests, each on its own way. `settings`
 * is read at each use: `delay` in ms, `loss` in 0 .. 1, `skew` in 0 .. 1: how far the two channels drift apart.
 */
export function createNetwork({ clock, random, settings, server }) {
  const count = { sent: 0, lost: 0, air: 0 }
  const lag = wave => settings.delay * (0.5 + random()) * (1 + settings.skew * wave * 5)
  const lost = () => {
    count.sent += 1
    const gone = random() < settings.loss
    if (gone) count.lost += 1
    return gone
  }

  /** The line of one client. `frame` gets what the socket brings, `connection` what becomes of it. */
  function open({ frame, connection }) {
    const requests = new Map()
    let state = 'connecting'
    // A frame or answer of an earlier connection arrives nowhere.
    let life = 0
    let busyUntil = 0
    let wave = 0
    let heard = -1

    const carry = (text, n, counts) => {
      const mine = life
      if (lost()) return
      busyUntil = Math.max(busyUntil, clock.now() + lag(wave))
      count.air += counts
      clock.after(busyUntil - clock.now(), () => {
        count.air -= counts
        if (mine !== life) return
        heard = n
        frame(text)
      })
    }
    const turnTo = next => {
      state = next
      connection(next)
    }
    const settle = (id, outcome) => {
      const done = requests.get(id)
      requests.delete(id)
      done?.(outcome)
    }
    const connect = () => {
      const mine = life
      turnTo('connecting')
      clock.after(lag(0) * 2, () => {
        if (mine !== life) return
        turnTo('online')
        carry(JSON.stringify(server.snapshot()), server.n(), 1)
      })
    }
    const drift = () => {
      wave = random()
      clock.after(1500, drift)
    }
    server.subscribe((text, n, isPing) => {
      if (state === 'online') carry(text, n, isPing ? 0 : 1)
    })
    drift()
    connect()

    return {
      state: () => state,
      /** The number of the last event that arrived. */
      heard: () => heard,
      open: () => requests.size,
      /** Asks the server; `done` hears `{ok, value}` or `{ok: false, error}`, once. */
      request(id, name, query, done) {
        const mine = life
        const there = lag(random())
        const back = lag(random())
        const [isLostThere, isLostBack] = [lost(), lost()]
        requests.set(id, done)
        const fail = (ms, error, code) => clock.after(ms, () => settle(id, { ok: false, error, code }))
        if (state === 'offline') return fail(50, 'the line is down', 'failed')
        if (isLostThere) return fail(2500, 'no answer in 2.5 s', 'timeout')
        return clock.after(there, () => {
          if (mine !== life) return
          // As JSON, so that nobody holds what is the server's.
          const value = JSON.parse(JSON.stringify(server.answer(name, query) ?? null))
          if (isLostBack) fail(2500 - there, 'no answer in 2.5 s', 'timeout')
          else clock.after(back, () => settle(id, { ok: true, value }))
        })
      },
      cancel: id => requests.delete(id),
      /** Drops the line, with all that is on it, and comes back a little later. */
      reconnect() {
        life += 1
        const mine = life
        turnTo('offline')
        for (const id of [...requests.keys()]) settle(id, { ok: false, error: 'the line broke', code: 'failed' })
        clock.after(700, () => mine === life && connect())
      },
    }
  }

  return { open, count }
}
