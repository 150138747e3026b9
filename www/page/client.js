/** One client: a store, and a host that carries its effects out over a line, on the page's own clock. */
export function createClient({ name, createStore, network, clock, random, limits, watch, onChange, onDiagnostic }) {
  const timers = new Map()
  let messages = 0
  const store = createStore({
    transport: 'manual',
    schedule: 'sync',
    limits,
    newClientId: () => `${name}-${(messages += 1)}`,
    onDiagnostic: diagnostic => onDiagnostic(name, diagnostic),
  })
  const answer = event => feed(() => store.handleEvent(event))

  const carry = effect => {
    const { id, type, ...query } = effect
    switch (type) {
      case 'persist':
        return
      case 'cancel':
        line.cancel(id)
        return
      case 'start-timer':
        timers.set(
          effect.timer,
          clock.after(effect.ms * (0.75 + random() / 2), () => {
            timers.delete(effect.timer)
            answer({ type: 'timer-fired', timer: effect.timer })
          }),
        )
        return
      case 'cancel-timer':
        timers.get(effect.timer)?.()
        timers.delete(effect.timer)
        return
      default:
        line.request(id, type, query, outcome => answer({ type: 'effect-result', id, ...outcome }))
    }
  }
  /** Runs one input and carries out what the store wants done for it. */
  function feed(input) {
    input()
    for (const effect of store.takeEffects()) carry(effect)
  }

  const line = network.open({
    frame: text => feed(() => store.handleMessage(text)),
    connection: state => feed(() => store.setConnection(state)),
  })
  let thread
  feed(() => (thread = store.thread()))
  thread.subscribe(({ groups }) => {
    watch.look(name, groups)
    onChange()
  })
  /** What the user means to happen to a row, for the one who watches. */
  const tell = ({ type, text, messageId, key }) => {
    if (type === 'send') watch.wrote(name, text)
    const isTaken = type === 'cancel-queued' || type === 'edit-queued' || type === 'dismiss'
    if (isTaken) watch.changed(thread.renderGroups().find(group => (key === undefined ? group.messageId === messageId : group.key === key)))
  }

  return {
    name,
    line,
    thread,
    /** True while its user reads older rows. */
    isLocked: false,
    /** An act of the user. */
    act(command) {
      tell(command)
      feed(() => thread.dispatch(command))
    },
    explain: key => store.explain(thread.id, key),
    /** True while the store waits for an answer or a timer. */
    waits: () => line.open() > 0 || timers.size > 0,
    free: () => store.free(),
  }
}
