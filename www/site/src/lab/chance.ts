// Lines by chance: what people, the server and a bad network may do next. The same seed gives the same lines.
import { quoted } from './lines.ts'
import { acts, nextOf } from './next.ts'
import type { World } from './world.ts'

const ASKS = ['Why does the test fail?', 'Write a changelog entry.', 'Which licences are used?', 'Is it still needed?', 'Then tidy it up.', 'How long does it take?']

/** Numbers in 0 .. 1 that look like chance (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** No two are equal: who looks for a lost one goes by the words. */
const question = (count: number) => `${ASKS[count % ASKS.length] ?? ''}${count < ASKS.length ? '' : ` (${count + 1})`}`

/** A message of a client that nobody has sent yet. */
export function sends(world: World, client: number, text: string, verb: 'send' | 'steer' = 'send'): string {
  return `${client}: ${verb} k${world.server.typed.size + 1} ${quoted(text)}`
}

function person(world: World, dice: () => number, from: <T>(list: readonly T[]) => T | undefined): string | undefined {
  const client = from(world.clients())
  if (client === undefined) return undefined
  const own = `${client.number}:`
  const [queued] = world.server.queue
  const approval = client.thread().getSnapshot().approvals.find(({ state }) => state === 'open')
  if (approval !== undefined) return `${own} ${dice() < 0.7 ? 'approve' : 'deny'} ${approval.callId}`
  const kind = dice()
  if (kind < 0.55) return sends(world, client.number, question(world.server.typed.size), dice() < 0.25 ? 'steer' : 'send')
  if (kind < 0.65 && world.server.running()) return `${own} stop`
  if (kind < 0.75 && world.server.isHeld()) return `${own} resume`
  if (kind < 0.85) return client.state.isLinked ? `${own} drop` : `${own} reconnect`
  return queued !== undefined && client.thread().getSnapshot().queue.some(({ messageId }) => messageId === queued) ? `${own} take-back ${queued}` : undefined
}

/** One line. It may give none where nothing can happen. */
export function pick(world: World, dice: () => number): string | undefined {
  const from = <T>(list: readonly T[]) => list[Math.floor(dice() * list.length)]
  const kind = dice()
  const flight = dice() < 0.6 ? world.flights()[0] : from(world.flights())
  if (flight !== undefined && kind < 0.62) return dice() < 0.08 ? flight.lost : flight.arrives
  const away = world.clients().find(({ state }) => !state.isLinked)
  if (away !== undefined && kind < 0.7) return `${away.number}: reconnect`
  if (kind < 0.86) return nextOf(world.server)
  const waits = world.clients().find(({ timers }) => timers.length > 0)
  if (waits !== undefined && kind < 0.88) return `${waits.number}: wait`
  return kind < 0.92 ? from(acts(world.server))?.[1] : person(world, dice, from)
}

/** So many lines, played on that world. */
export function chance(world: World, seed: number, count: number): string[] {
  const dice = random(seed * 7919)
  const out = [sends(world, 1, question(0))]
  world.play(out[0] ?? '')
  for (let tries = 0; out.length < count && tries < count * 6; tries += 1) {
    const line = pick(world, dice)
    if (line === undefined) continue
    world.play(line)
    out.push(line)
  }
  return out
}
