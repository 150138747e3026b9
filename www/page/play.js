// The people: a generated conversation on two clients. Each step waits until it makes sense, then acts.

const running = world => world.agent.running() !== undefined
const idle = world => world.server.turns.every(turn => turn.outcome !== undefined) && world.agent.running() === undefined
const parts = world => world.server.turns.filter(turn => turn.outcome === undefined).flatMap(turn => turn.rows).flatMap(row => row.parts)
const tool = world => parts(world).some(part => part.type === 'tool' && part.result === undefined)
const streams = world => parts(world).some(part => part.type === 'text' && part.text.length > 60 && part !== parts(world)[0])
const queued = count => world => world.server.queue.length >= count
const asked = (client, world) => world.clients[client].thread.getSnapshot().approvals.find(({ state }) => state === 'open')
const say = (client, text, intent = 'queue') => world => world.clients[client].act({ type: 'send', text, intent })
const own = (client, world) => world.clients[client].thread.getSnapshot().queue
const licences = world => own('A', world).find(({ text }) => text.includes('licences'))

const script = [
  [idle, say('A', 'The checkout test fails since this morning. Find out why.')],
  [running, say('B', 'Then write a changelog entry for it.')],
  [tool, say('A', 'Only look at tests of this week', 'steer')],
  [tool, say('A', 'And check the licences of our packages.')],
  [streams, world => world.clients.A.line.reconnect()],
  [world => asked('B', world) !== undefined, world => world.clients.B.act({ type: 'approve', callId: asked('B', world).callId })],
  [world => own('B', world).length > 0, say('B', 'Do we still need the old prices?')],
  [world => licences(world) !== undefined, world => world.clients.A.act({ type: 'edit-queued', messageId: licences(world).messageId, text: 'And check the licences of all packages.' })],
  [running, world => world.clients.B.line.reconnect()],
  [world => idle(world) && !queued(1)(world), say('B', 'Write a long report about the parts of the shop.')],
  [running, say('A', 'Where is a voucher used?')],
  [running, say('B', 'Never mind the vouchers.')],
  [world => own('B', world).length > 1, world => world.clients.B.act({ type: 'cancel-queued', messageId: own('B', world).at(-1).messageId })],
  [world => tool(world) || streams(world), world => world.clients.A.act({ type: 'stop' })],
  [world => idle(world) && world.server.held(), world => world.clients.B.line.reconnect()],
  [world => world.clients.B.thread.getSnapshot().held, world => world.clients.B.act({ type: 'resume-queue' })],
  [world => idle(world) && !queued(1)(world), say('A', 'Deploy it to staging.')],
  [running, world => world.clients.A.line.reconnect()],
  [idle, say('A', 'Thank you. Is there anything left to do?')],
]

// A step whose time does not come is passed over: the network may have lost what it was waiting for.
const PATIENCE = 12_000

/** Plays the conversation once; `done` hears its end. Gives a function that ends it early. */
export function play(world, done) {
  const { clock, random } = world
  let at = 0
  let since = clock.now()
  let end = () => {}
  const look = () => {
    for (const client of Object.values(world.clients)) again(client)
    const step = script[at]
    if (step === undefined) {
      if (idle(world) && !queued(1)(world) && !pending(world)) return done()
    } else if (step[0](world)) {
      step[1](world)
      at += 1
      since = clock.now()
    } else if (clock.now() - since > PATIENCE) {
      at += 1
      since = clock.now()
    }
    // A held queue would wait for ever where the act that lets it go on was lost.
    if (clock.now() - since > PATIENCE / 2 && world.server.held()) world.clients.A.act({ type: 'resume-queue' })
    if (clock.now() - since > PATIENCE / 2 && asked('A', world)) world.clients.A.act({ type: 'approve', callId: asked('A', world).callId })
    end = clock.after(250 + random() * 700, look)
  }
  const failedRows = client => client.thread.renderGroups().filter(group => group.state === 'failed')
  /** What was typed last may still be on its way to a server that is idle. */
  const pending = ({ clients }) => Object.values(clients).some(client => client.thread.renderGroups().some(group => ['sending', 'starting', 'failed'].includes(group.state)))
  /** A person sees that a message failed, and sends it again. */
  const again = client => {
    for (const { clientId } of failedRows(client)) if (clientId !== undefined) client.act({ type: 'retry', clientId })
  }
  look()
  return () => end()
}
