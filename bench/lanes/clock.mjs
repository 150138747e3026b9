// Time, as each host tells it, and what to make of many measurements. Node tells the processor time of the whole process,
// with its collector and its compilers; a page tells only the time on the wall, of a page that does nothing else.

const isNode = globalThis.process?.versions?.node !== undefined
export const host = isNode ? 'node' : 'chromium'

/** Nanoseconds on the wall. */
export const now = isNode ? () => Number(process.hrtime.bigint()) : () => performance.now() * 1e6

/** Nanoseconds of processor time. */
export const cpu = isNode ? () => {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1e3
} : now

/** Collects what nobody holds. */
export const collect = () => globalThis.gc?.()

/** What a run takes. */
export function timed(run) {
  const [wall, busy] = [now(), cpu()]
  run()
  return { wall: now() - wall, cpu: cpu() - busy }
}

/** The same where a promise tells it: a page can ask the browser for the processor time of its own thread. */
export const cpuLater = globalThis.threadTime ?? (async () => cpu())

/** What asking for it costs by itself. */
async function asking() {
  let least = Infinity
  for (let turn = 0; turn < 9; turn++) {
    const before = await cpuLater()
    least = Math.min(least, (await cpuLater()) - before)
  }
  return least
}
const overhead = await asking()

/** What a run takes until its promise is kept. */
export async function timedUntil(run) {
  const busy = await cpuLater()
  const wall = now()
  await run()
  const took = now() - wall
  return { wall: took, cpu: Math.max(1, (await cpuLater()) - busy - overhead) }
}

/** The median of numbers and their quartiles. */
export function summary(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = share => sorted[Math.round((sorted.length - 1) * share)]
  return { median: at(0.5), low: at(0.25), high: at(0.75), rounds: sorted.length }
}

const known = list => list.filter(one => one !== undefined)

/** What rounds took; one that was left out is undefined. */
export const each = times => ({ wall: summary(known(times).map(({ wall }) => wall)), cpu: summary(known(times).map(({ cpu: busy }) => busy)) })

/** How many times longer the first took than the second, round by round: what slows the machine down slows both. */
export const ratio = (ones, others) => summary(known(ones.map((one, turn) => (one && others[turn] ? one.cpu / others[turn].cpu : undefined))))

/** How many rounds are worth it: many of the quick ones, few of the slow. */
export const rounds = (groups, most = 25) => Math.min(most, groups > 10_000 ? 3 : groups > 1_000 ? 7 : 25)
