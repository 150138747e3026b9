// What the server does next where nobody says it: an agent of few words. It only looks; what it gives is a line.
import { quoted } from './lines.ts'
import type { Paper, Turn } from './paper.ts'

const WORDS = [
  ['Let me look. ', 'The test compares a date ', 'with the wrong zone.'],
  ['Done: ', 'the entry names the fix ', 'and the version.'],
  ['There are three: ', 'two MIT, ', 'one Apache-2.0.'],
  ['It is one line. ', 'I would leave it ', 'as it is.'],
]

const said = (turn: Turn) => turn.rows.flatMap(row => (row.kind === 'text' ? [row.text] : [])).join('')
const openCall = (turn: Turn) => turn.rows.findLast(row => row.kind === 'call' && !row.isAnswered)

/** The next words of a turn; undefined: it has said all. */
export function wordsOf(server: Paper, turn: Turn): string | undefined {
  const words = WORDS[server.turns.indexOf(turn) % WORDS.length] ?? []
  const so = said(turn)
  return words.find((_, at) => words.slice(0, at + 1).join('').length > so.length)
}

/** The line that a turn goes on with, the one that seals what has ended, or the one that starts what waits. */
export function nextOf(server: Paper): string | undefined {
  const turn = server.running()
  if (turn !== undefined) {
    const call = openCall(turn)
    if (turn.asks.length > 0) return undefined
    if (call?.kind === 'call') return `result ${turn.id} ${call.call} "ok"`
    const steer = server.queue.find(id => server.message(id).intent === 'steer')
    if (steer !== undefined) return `consume ${steer}`
    const words = wordsOf(server, turn)
    return words === undefined ? `turn-end ${turn.id} done` : `delta ${turn.id} ${quoted(words)}`
  }
  const ended = server.turns.find(({ isSealed }) => !isSealed)
  if (ended !== undefined) return `seal ${ended.id}`
  const [head] = server.queue
  return head === undefined || server.isHeld() ? undefined : `turn-start t-${head} ${head}`
}

/** All that a person may make the server do now, by what a button calls it. */
export function acts(server: Paper): readonly (readonly [string, string])[] {
  const turn = server.running()
  const ended = server.turns.filter(({ isSealed, outcome }) => !isSealed && outcome !== undefined)
  const calls = server.turns.flatMap(({ rows }) => rows).filter(({ kind }) => kind === 'call').length
  const [head] = server.queue
  return [
    ...(turn ? running(server, turn, calls) : []),
    ...ended.map(({ id }) => [`Seal ${id}`, `seal ${id}`] as const),
    ...ended.filter(({ written, rows }) => written < rows.length).map(({ id }) => [`Write ${id}`, `write ${id}`] as const),
    ...(turn === undefined && head !== undefined ? [['Start next', `turn-start t-${head} ${head}`] as const] : []),
    ['Ping', 'ping'],
  ]
}

function running(server: Paper, turn: Turn, calls: number): (readonly [string, string])[] {
  const call = openCall(turn)
  const steer = server.queue.find(id => server.message(id).intent === 'steer')
  return [
    ['Say', `delta ${turn.id} ${quoted(wordsOf(server, turn) ?? 'And so on. ')}`],
    call?.kind === 'call' ? ['Answer the call', `result ${turn.id} ${call.call} "ok"`] : ['Call a tool', `call ${turn.id} c${calls + 1} run_tests "{}"`],
    ...(call?.kind === 'call' && turn.asks.length === 0 ? [['Ask for approval', `ask ${turn.id} ${call.call} "May it run?"`] as const] : []),
    ...(steer === undefined ? [] : [['Take the steer', `consume ${steer}`] as const]),
    ['End', `turn-end ${turn.id} done`],
  ]
}
