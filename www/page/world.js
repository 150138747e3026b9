import { createAgent } from './agent.js'
import { earlier } from './answers.js'
import { createClient } from './client.js'
import { createClock, createRandom } from './clock.js'
import { createNetwork } from './network.js'
import { difference } from './project.js'
import { createServer } from './server.js'
import { createWatch } from './watch.js'

const LIMITS = { window: 40, page: 12 }

/** All that runs on one clock: a server, an agent, a network, two clients, and a judge. */
export function createWorld({ createStore, seed, settings, onChange = () => {}, onDiagnostic = () => {}, isEmpty = false }) {
  const clock = createClock()
  // Each has its own chance, so that a slider changes the network and not the conversation.
  const chance = kind => createRandom(seed * 7919 + kind)
  const server = createServer({ clock })
  const agent = createAgent({ server, clock, random: chance(1) })
  server.employ(agent)
  if (!isEmpty) for (const [index, chunk] of earlier().entries()) server.append({ seq: index + 1, ...chunk })
  const network = createNetwork({ clock, random: chance(2), settings, server })
  const watch = createWatch({ server })
  const make = (name, kind) =>
    createClient({ name, createStore, network, clock, random: chance(kind), limits: LIMITS, watch, onChange: () => onChange(name), onDiagnostic })
  const clients = { A: make('A', 3), B: make('B', 4) }
  server.subscribe((_, __, isPing) => {
    if (!isPing) onChange('server')
  })
  const verdict = { state: 'busy', checks: 0, faults: 0, detail: '' }
  let seen = -1

  const isQuiet = () =>
    server.turns.length === 0 && agent.running() === undefined && (server.held() || server.queue.length === 0) && network.count.air === 0 &&
    Object.values(clients).every(({ line, waits }) => line.state() === 'online' && line.heard() === server.n() && !waits())
  const judge = () => {
    clock.after(100, judge)
    // Nothing is folded under the eyes of a reader, so a client that reads older rows is behind on purpose.
    const isLocked = Object.values(clients).some(client => client.isLocked)
    if (isLocked || !isQuiet()) {
      verdict.state = isLocked ? 'locked' : 'busy'
      seen = -1
      return
    }
    if (seen === server.n()) return
    seen = server.n()
    const found = Object.values(clients).flatMap(client => {
      const words = difference(client, server)
      return words === undefined ? [] : [`${client.name}: ${words}`]
    })
    verdict.checks += 1
    verdict.faults += found.length > 0 ? 1 : 0
    verdict.state = found.length > 0 ? 'differs' : 'equal'
    verdict.detail = found.join('; ')
  }
  judge()

  return {
    clock, server, agent, network, clients, verdict, watch: watch.state,
    random: chance(5),
    free: () => Object.values(clients).forEach(client => client.free()),
  }
}
