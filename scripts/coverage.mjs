// make coverage: which lines of the core the tests run; the rooms in a table, then every line that none runs.
//   TESTS="scenarios machine"   counts what these tests run, not all
import { existsSync } from 'node:fs'
import { delimiter, dirname, relative } from 'node:path'
import { at, fail, must, root, run, table, tool } from './lib.mjs'

const ROOMS = ['store', 'engine', 'transcript', 'wire']
/** Percent of the lines of each room. */
const WANTED = 97
/** What is a test itself. */
const TESTS_INSIDE = ['src/wire/tests.rs', 'src/wire/properties.rs']
const TESTS = ['scenarios', 'edges', 'machine', 'engine', 'transcript', 'interleavings', 'fuzz', 'recordings', 'drive', 'binding']

if ((await run('rustup component list --installed', { quiet: true })).output.match(/^llvm-tools/m) === null) await must('rustup component add llvm-tools')
const tests = process.env.TESTS?.split(' ').filter(Boolean) ?? TESTS
const unknown = tests.filter(name => !TESTS.includes(name))
if (unknown.length > 0) fail(`coverage: there is no test ${unknown.join(', ')}`)
const env = { PATH: `${dirname(tool('cargo-llvm-cov'))}${delimiter}${process.env.PATH}`, CARGO_TERM_COLOR: 'never' }
await must(`cargo llvm-cov --no-report --all-features --lib ${tests.map(name => `--test ${name}`).join(' ')} -- --quiet`, { env, minutes: 60 })
const { output } = await must('cargo llvm-cov report --json', { env, quiet: true })

/** The lines of a file that hold code, each with how often it ran: what llvm-cov draws beside the source. */
function linesOf({ segments }) {
  const lines = new Map()
  let [open, from] = [undefined, 0]
  const note = (line, count) => lines.set(line, Math.max(lines.get(line) ?? 0, count))
  for (const [line, , count, hasCount, isEntry] of segments) {
    if (open !== undefined) for (let next = from + 1; next < line; next++) note(next, open)
    if (hasCount && isEntry) note(line, count)
    open = hasCount ? count : undefined
    from = line
  }
  return lines
}

const rows = [['room', 'lines', 'run', 'percent', 'wanted']]
const left = []
const [{ files }] = JSON.parse(output.slice(output.indexOf('{'))).data
let isLow = false
for (const room of ROOMS) {
  let [all, ran] = [0, 0]
  for (const file of files) {
    const path = relative(root, file.filename)
    if (!path.startsWith(`src/${room}/`) || TESTS_INSIDE.includes(path) || !existsSync(at(path))) continue
    const bare = [...linesOf(file)].filter(([, count]) => count === 0).map(([line]) => line)
    all += file.summary.lines.count
    ran += file.summary.lines.covered
    if (bare.length > 0) left.push(`${path}: ${spans(bare)}`)
  }
  const percent = (100 * ran) / all
  isLow ||= percent < WANTED
  rows.push([`src/${room}`, all, ran, percent.toFixed(2), percent < WANTED ? `${WANTED}: TOO FEW` : WANTED])
}

/** 3, 5-8 for lines. */
function spans(lines) {
  const out = []
  for (const line of lines.sort((a, b) => a - b)) {
    const last = out.at(-1)
    if (last !== undefined && last[1] === line - 1) last[1] = line
    else out.push([line, line])
  }
  return out.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ')
}

console.log(`\nno test runs\n${left.join('\n')}\n\n${table(rows)}`)
if (isLow) process.exitCode = 1
