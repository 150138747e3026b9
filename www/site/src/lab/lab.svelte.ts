// The lab as a list of acts and a place in it. All that is shown is the outcome of the acts before that place, so going
// back is playing fewer of them, and a story, a file and what a person did are the same thing.
import { type Recording, createStore } from 'turnseal'
import { chance, sends } from './chance.ts'
import { parse } from './lines.ts'
import { scenario } from './scene.ts'
import { type Panes, type Shot, shoot } from './shot.ts'
import { PRELUDE, STORIES, type Story, told } from './stories.ts'
import { type World, createWorld } from './world.ts'

/** A line of a scenario, or messages of one wire that a person put into another order. */
export type Act = { readonly line: string; readonly says?: string } | { readonly order: readonly string[]; readonly says?: string }

const START: readonly Act[] = PRELUDE.map(line => ({ line }))
const LEAD = 'Write as client 1 or 2, or play a story. Nothing arrives until you let it.'
const CHANCE = 60
const make = createStore

export function createLab() {
  let world: World = createWorld(make)
  let panes: Panes = new Map()
  let acts = $state.raw<readonly Act[]>(START)
  let at = $state(0)
  let shot = $state.raw<Shot>(shoot(world, panes))
  let title = $state('What was played in the lab')
  let lead = $state(LEAD)
  let error = $state('')
  let isRunning = $state(false)
  let speed = $state(Number(new URLSearchParams(location.search).get('speed') ?? 1) || 1)
  let timer: ReturnType<typeof setTimeout> | undefined

  const play = (act: Act) => {
    if ('line' in act) world.play(act.line)
    else world.order(act.order)
    shot = shoot(world, panes)
  }
  const renew = () => {
    world.free()
    world = createWorld(make)
    panes = new Map()
  }
  /** Goes to a place, forward or back. */
  function go(to: number): void {
    const goal = Math.max(0, Math.min(to, acts.length))
    if (goal < at) {
      renew()
      at = 0
      shot = shoot(world, panes)
    }
    try {
      for (const act of acts.slice(at, goal)) {
        play(act)
        at += 1
      }
      error = ''
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown)
      // What a line half did is not there.
      acts = acts.slice(0, at)
      renew()
      for (const act of acts) play(act)
      pause()
    }
  }
  /** Something new happens here; what would have come is no more. */
  function add(act: Act): void {
    acts = [...acts.slice(0, at), act]
    go(at + 1)
  }
  function nextAct(): Act | undefined {
    const [flight] = world.flights()
    const waits = world.clients().find(({ timers }) => timers.length > 0)
    const away = world.clients().find(({ state }) => !state.isLinked)
    const line = flight?.arrives ?? shot.server.next ?? (away ? `${away.number}: reconnect` : waits ? `${waits.number}: wait` : undefined)
    return line === undefined ? undefined : { line }
  }
  /** The next of a story, or else the next message arrives, or else the server goes on. False: nothing is left. */
  function step(): boolean {
    if (at < acts.length) {
      go(at + 1)
      return error === ''
    }
    const act = nextAct()
    if (act !== undefined) add(act)
    return act !== undefined && error === ''
  }
  function pause(): void {
    clearTimeout(timer)
    isRunning = false
  }
  function tick(isStory: boolean): void {
    const has = step()
    // A story ends where its last line is; then it is yours.
    if (!has || (isStory && at === acts.length)) return pause()
    const says = acts[at]?.says
    timer = setTimeout(() => tick(isStory), (says === undefined ? 450 : 1900) / speed)
  }
  function run(): void {
    if (isRunning) return pause()
    isRunning = true
    tick(at < acts.length)
  }
  function begin(name: string, words: string, next: readonly Act[]): void {
    pause()
    acts = [...START, ...next]
    title = name
    lead = words
    error = ''
    renew()
    at = 0
    go(START.length)
  }
  const heard = () => acts.slice(0, at).findLast((act, index) => act.says !== undefined && index >= START.length)?.says
  begin('What was played in the lab', LEAD, [])

  return {
    get acts() { return acts },
    get at() { return at },
    get shot() { return shot },
    get title() { return title },
    get says() { return heard() ?? lead },
    get error() { return error },
    get isRunning() { return isRunning },
    get speed() { return speed },
    set speed(value) { speed = value },
    first: START.length,
    go(to: number) {
      pause()
      go(Math.max(START.length, to))
    },
    step: () => void step(),
    run,
    pause,
    line: (line: string) => add({ line }),
    send: (client: number, text: string, verb: 'send' | 'steer') => add({ line: sends(world, client, text, verb) }),
    order: (order: readonly string[], says: string) => add({ order, says }),
    story: (story: Story) => begin(story.title, story.lead, told(story.text)),
    empty: () => begin('What was played in the lab', LEAD, []),
    byChance(seed: number) {
      const scratch = createWorld(make)
      for (const line of PRELUDE) scratch.play(line)
      const lines = chance(scratch, seed, CHANCE)
      scratch.free()
      begin(`By chance, seed ${seed}`, `People, a server and a bad network by chance; seed ${seed} is always the same.`, lines.map(line => ({ line })))
    },
    /** A scenario file: its lines, without what they expect. */
    open(name: string, text: string) {
      const all = told(text)
      for (const { line } of all) parse(line)
      // The rest at the end is what a file expects, and would leave nothing to hold back.
      const lines = all.at(-1)?.line === 'quiet' ? all.slice(0, -1) : all
      const isOurs = PRELUDE.every((line, index) => lines[index]?.line === line)
      begin(name, `${name}: ${lines.length} lines. Step or run them.`, isOurs ? lines.slice(PRELUDE.length) : [])
      if (isOurs) return
      acts = lines
      renew()
      at = 0
      go(acts.length)
    },
    save(): string {
      const [now, rest] = [createWorld(make), createWorld(make)]
      const lines = acts.slice(0, at).flatMap(act => ('line' in act ? [act.line] : []))
      for (const line of lines) now.play(line)
      const text = scenario(title, lines, now, rest)
      now.free()
      rest.free()
      return text
    },
    recording: (client: number): Recording | undefined => world.clients()[client - 1]?.record(),
    stories: STORIES,
  }
}
export type Lab = ReturnType<typeof createLab>
