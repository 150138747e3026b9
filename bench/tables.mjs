// What was measured, as tables: a title, what it says, and rows of cells. Printed as text here, written as Markdown in write.mjs.
import { table } from '../scripts/lib.mjs'
import { verdicts } from './judge.mjs'

const WORKS = { delta: 'a text delta from the wire', parsed: 'a text delta as a parsed object', args: 'a piece of a tool\'s arguments from the wire' }
const HOSTS = { node: 'Node', chromium: 'Chromium' }

/** A number with three figures that count. */
export const short = value => (value === undefined ? '' : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3))
const spread = ({ median, low, high }, unit) => `${short(median / unit)} (${short(low / unit)}..${short(high / unit)})`
const micros = cost => spread(cost, 1e3)
const millis = cost => spread(cost, 1e6)
const megabytes = bytes => (bytes / 1e6).toFixed(1)
const groupsOf = groups => groups.toLocaleString('en')
const times = value => `${short(value)} x`

const RATIO = 'The ratio is the median of each round\'s own, below 1 where turnseal is faster.'
const clock = name => (name === 'node' ? 'processor time, median (quartiles), and the median on the wall' : 'on the wall of a page that does nothing else, median (quartiles)')
const PEER_CLOCK = { node: 'processor time, median (quartiles), and the median on the wall', chromium: 'median (quartiles), the peer\'s processor time as the browser tells it of the page\'s thread, ours on the wall' }
const hasBoth = name => name === 'node'
const SIDES = (first, name) => [first, 'groups', 'turnseal', ...(hasBoth(name) ? ['wall'] : []), 'slice', ...(hasBoth(name) ? ['wall'] : []), 'turnseal / slice']
const wall = (side, name) => (hasBoth(name) ? [short(side.wall.median / 1e3)] : [])
const sides = ({ what, groups, ours, slice, ratio }, name) => [what, groupsOf(groups), micros(ours.cpu), ...wall(ours, name), micros(slice.cpu), ...wall(slice, name), short(ratio.median)]

function deltaTable(name, { deltas }) {
  return deltas && {
    title: `${HOSTS[name]}: one text delta in, the groups out`,
    note: `Microseconds a delta, ${clock(name)}. ${RATIO}`,
    rows: [
      SIDES('form', name),
      ...deltas.map(one => sides(one, name)),
    ],
  }
}

function peerTable(name, { peers }, work) {
  return peers && {
    title: `${HOSTS[name]}: ${WORKS[work]} in each peer, its view read behind each`,
    note: `Microseconds a delta, ${PEER_CLOCK[name]}; ours in the same process, in rounds that take turns, by 16 and by one. The ratio says how many times more the peer takes.`,
    rows: [
      ['peer', 'messages', 'peer', 'wall', 'turnseal by 16', 'ratio', 'turnseal by 1', 'ratio'],
      ...peers.filter(one => one.work === work).map(({ peer, groups, theirs, frames, singles, ratio }) => [
        peer, groupsOf(groups), micros(theirs.cpu), short(theirs.wall.median / 1e3), short(frames.cpu.median / 1e3), times(ratio.frames.median),
        short(singles.cpu.median / 1e3), times(ratio.singles.median),
      ]),
    ],
  }
}

function workTable(name, { works }) {
  return works && {
    title: `${HOSTS[name]}: what else a thread goes through`,
    note: `Microseconds for one, ${clock(name)}, with the groups read behind each frame. ${RATIO}`,
    rows: [
      SIDES('work', name),
      ...works.map(one => sides(one, name)),
    ],
  }
}

function attachTable(name, { attach }) {
  const one = attach?.[0]
  return one && {
    title: `${HOSTS[name]}: attach of 10,000 chunks of an agent's thread, ${megabytes(one.bytes)} MB of text`,
    rows: [
      ['step', 'milliseconds', 'against JSON.parse'],
      ['JSON.parse of the text', millis(one.parse.cpu), '1'],
      ['handleMessage and the first renderGroups', millis(one.ours.cpu), short(one.ratio.median)],
      ['of which handleMessage', millis(one.feed.cpu), ''],
      ['the same, and each group looked at', millis(one.read.cpu), short(one.readRatio.median)],
    ],
  }
}

function reactTable(name, { react }) {
  const one = react?.[0]
  return one && {
    title: `${HOSTS[name]}: React with ${groupsOf(one.groups)} groups, one streaming`,
    rows: [['what', 'measured'], ['rows drawn for a delta', short(one.drawn)], ['microseconds from the frame to the page', micros(one.cost.wall)]],
  }
}

function memoryTable({ memory }) {
  return memory && {
    title: 'Memory of 10,000 chunks, Node',
    rows: [
      ['what', 'MB', 'against the JSON text'],
      ['the JSON text', megabytes(memory.text), '1'],
      ['turnseal', megabytes(memory.store), short(memory.store / memory.text)],
      ['turnseal, each group read and held', megabytes(memory.read), short(memory.read / memory.text)],
      ['parsed by JSON.parse', megabytes(memory.parsed), short(memory.parsed / memory.text)],
      ['after 100,000 events, after a million', memory.steady.map(megabytes).join(', '), ''],
      ['after 5 stores, after 100', memory.lifetimes.map(megabytes).join(', '), ''],
    ],
  }
}

function growthTable({ growth }) {
  return growth && {
    title: 'What must not cost more where there is more of it, Node',
    note: 'Microseconds for one event, the best of three.',
    rows: [['case', 'few', 'many', 'ratio'], ...growth.map(({ what, few, many, ratio }) => [what, short(few / 1e3), short(many / 1e3), short(ratio)])],
  }
}

function nativeTable({ native, engine }) {
  if (!native || !engine) return undefined
  const rate = value => `${short(value / 1e6)} million a second`
  const chunks = one => [`${groupsOf(one.size)} chunks for a model`, `${short(one.native)} ms`, `${short(one.ours)} ms`]
  return {
    title: 'The core beneath, native, and the engine',
    rows: [
      ['what', 'native', 'wasm in Node'],
      ['store: deltas, typed', rate(native.apply), ''],
      ['store: deltas from JSON in frames of 16', rate(native.json), ''],
      ['engine: inputs', rate(engine.native), rate(engine.wasm)],
      ...engine.projections.map(chunks),
    ],
  }
}

function divanTable({ divan }) {
  return divan && {
    title: 'The native store by itself',
    note: 'By divan: `deltas` is a frame of 16 from its text until a reader has what grew, `turn_until_its_fold` a whole turn, `attach` the newest page until its groups are there.',
    text: divan.trimEnd(),
  }
}

function downloadTable({ download }) {
  return download && {
    title: 'Download of each entry, with its wasm',
    rows: [['entry', 'gzip -9, bytes', 'brotli, bytes'], ...download.map(({ entry, gzip, brotli }) => [entry, groupsOf(gzip), groupsOf(brotli)])],
  }
}

/** Each cell in which turnseal takes longer, the worst first. */
function slowerTable({ hosts }) {
  const cells = Object.entries(hosts).flatMap(([name, { deltas = [], works = [], peers = [] }]) => [
    ...[...deltas, ...works].map(({ what, groups, ratio }) => ({ name, what, groups, against: 'slice', ratio: ratio.median })),
    ...peers.flatMap(({ peer, work, groups, ratio }) => ['frames', 'singles'].map(form => ({
      name, what: `${WORKS[work]}, by ${form === 'frames' ? 16 : 1}`, groups, against: peer, ratio: 1 / ratio[form].median,
    }))),
  ])
  const slower = cells.filter(({ ratio }) => ratio > 1).sort((one, other) => other.ratio - one.ratio)
  return {
    title: 'Where the other side is faster',
    note: slower.length === 0 ? 'Nowhere in this run.' : `${slower.length} of ${cells.length} comparisons, the worst first: how many times longer turnseal takes.`,
    rows: slower.length === 0 ? [['', '']] : [['where', 'work', 'groups', 'than', 'times longer'], ...slower.map(({ name, what, groups, against, ratio }) => [HOSTS[name], what, groupsOf(groups), against, short(ratio)])],
  }
}

/** All tables of a result, in order. */
export function all(result) {
  const perHost = Object.entries(result.hosts).flatMap(([name, host]) => [
    deltaTable(name, host), ...Object.keys(WORKS).map(work => peerTable(name, host, work)), workTable(name, host), attachTable(name, host), reactTable(name, host),
  ])
  const budget = { title: 'Budgets', rows: [['budget', 'limit', 'measured', '', 'of'], ...verdicts(result.rows)] }
  return [budget, slowerTable(result), ...perHost, memoryTable(result), growthTable(result), nativeTable(result), divanTable(result), downloadTable(result)].filter(Boolean)
}

/** The tables as text; the budgets are said at the end of the run. */
export const tables = result => all(result).slice(1).map(({ title, note, rows, text }) => [`== ${title}`, ...(note ? [note] : []), text ?? table(rows), ''].join('\n')).join('\n')
