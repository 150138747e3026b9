// Puts a run into the files that tell of it: between two marks each, so that the words around stay as they are.
import { readFileSync, writeFileSync } from 'node:fs'
import { at } from '../scripts/lib.mjs'
import { all, short } from './tables.mjs'

const MARKS = ['<!-- measured: make bench WRITE=1 -->', '<!-- measured: end -->']

const markdown = ([head, ...rows]) => [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`).join('\n')

/** A result as JSON; nothing is measured to more than six figures. */
export const text = result => `${JSON.stringify(result, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value), 1)}\n`

/** What stands between the marks of a file, and what stands around it. */
function parts(path) {
  const file = readFileSync(at(path), 'utf8')
  const [from, to] = MARKS.map(mark => file.indexOf(mark))
  if (from < 0 || to < from) throw new Error(`${path}: the marks are missing`)
  const start = from + MARKS[0].length
  return { before: file.slice(0, start), told: file.slice(start, to), behind: file.slice(to) }
}

function machine({ machine: { cpu, cores, memory, system, load, node, rust, commit, note }, hosts, seconds }) {
  return [
    `One run of turnseal at ${commit}, of ${Math.round(seconds / 60)} minutes on ${system}, ${cores} cores of ${cpu}, ${(memory / 2 ** 30).toFixed(0)} GiB; Node ${node}, Chromium ${hosts.chromium.version}, ${rust}.`,
    load < cores / 2
      ? 'Nothing else of weight ran on it.'
      : `Other work ran on it (load ${load.toFixed(0)} when it began): trust the ratios, which are of rounds that took turns; single times are longer than on an idle machine, those on the wall by far.`,
    ...(note ? [note] : []),
  ].join('\n')
}

const peers = result => markdown([['peer', 'versions', 'how it is driven'], ...result.peers.map(({ name, packages, choice }) => [name, packages.join(', '), choice])])

function missed({ rows }) {
  const list = rows.filter(({ holds }) => !holds)
  if (list.length === 0) return 'Every row of SPEC section 10 and every budget of our own was reached in this run.'
  return ['Not reached in this run:', '', ...list.map(row => `- ${row.what}: ${row.value.toFixed(2)}, wanted ${row.max === undefined ? `at least ${row.min}` : `at most ${row.max}`}`)].join('\n')
}

function page(result) {
  const tables = all(result).map(({ title, note, rows, text }) => [`## ${title}`, ...(note ? [note] : []), ...(text ? [`\`\`\`text\n${text}\n\`\`\``] : []), ...(rows?.length > 1 ? [markdown(rows)] : [])].join('\n\n'))
  return ['', machine(result), '', missed(result), '', '## Peers', '', peers(result), '', ...tables.flatMap(one => [one, ''])].join('\n')
}

/** The few figures that the README tells. */
function summary({ hosts: { node } }) {
  const delta = groups => node.deltas.find(one => one.form === 'message-16' && one.groups === groups)
  const against = peer => short(node.peers.find(one => one.peer === peer && one.work === 'delta' && one.groups === 1_000).ratio.frames.median)
  const [small, large] = [delta(10), delta(10_000)]
  return [
    `In Node, a text delta in frames of 16 and the groups read behind each frame take ${short(small.ours.cpu.median / 1e3)} us at 10 groups, ${short(small.ratio.median)} times what a`,
    `hand-written slice takes, and at 10,000 groups ${short(1 / large.ratio.median)} times less than it. At 1,000 messages the AI SDK's \`AbstractChat\` takes`,
    `${against('AI SDK AbstractChat')} times as much processor time for a delta, TanStack's \`ChatClient\` ${against('TanStack ChatClient')} times, AG-UI's \`AbstractAgent\` ${against('AG-UI AbstractAgent')} times.`,
  ].join('\n')
}

/** The files that tell of a run, with what they should tell. */
const pages = result => [['BENCH.md', page(result)], ['README.md', summary(result)]]

/** The files that tell something else than this run. */
export const untrue = result => pages(result).filter(([path, words]) => parts(path).told !== `\n${words}\n`).map(([path]) => path)

/** Writes all of it down. */
export function write(result) {
  for (const [path, words] of pages(result)) {
    const { before, behind } = parts(path)
    writeFileSync(at(path), `${before}\n${words}\n${behind}`)
  }
  writeFileSync(at('bench/result.json'), text(result))
}
