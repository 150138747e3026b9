// make cargo-mutants: changes one thing after the other in files of the core, and lists what no test sees.
//   FILES="src/store/loader.rs src/engine/queue.rs"   those files; a folder is all of its files
// The tests are the fast ones. What is left stands in tests/mutants/survivors, each with the reason why it changes nothing
// that can be seen; what is neither seen nor listed there fails.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, delimiter } from 'node:path'
import { copy, env, restore } from './copy.mjs'
import { at, fail, run, table, tool } from './lib.mjs'

/** The tests that look, by room. */
const TESTS = {
  store: '--test=scenarios --test=edges --test=fuzz',
  engine: '--test=machine',
  transcript: '--test=transcript',
  wire: '--lib --test=fuzz',
}
/** What is looked at where nothing is said: where rows and messages are decided about. */
const FILES = ['src/store/evidence.rs', 'src/store/loader.rs', 'src/store/load.rs', 'src/engine/queue.rs', 'src/engine/decide.rs', 'src/transcript/check.rs']

const wanted = process.argv.length > 2 ? process.argv.slice(2) : FILES
const missing = wanted.filter(path => !existsSync(at(path)))
if (missing.length > 0) fail(`cargo-mutants: there is no ${missing.join(', ')}`)
const room = path => Object.keys(TESTS).find(name => path.startsWith(`src/${name}/`))
if (wanted.some(path => room(path) === undefined)) fail(`cargo-mutants: files of ${Object.keys(TESTS).join(', ')}`)

/** `src/x.rs: what is changed`, each with its reason. */
const listed = new Map(
  readFileSync(at('tests/mutants/survivors'), 'utf8').split('\n').filter(line => line !== '' && !line.startsWith('#') && !line.startsWith(' '))
    .map(line => [line, true]),
)
/** A mutant without the place in its file, which moves. */
const named = line => line.replace(/:\d+:\d+: /, ': ')

const path = `${dirname(tool('cargo-mutants'))}${delimiter}${process.env.PATH}`
const rows = [['file', 'mutants', 'killed', 'hung', 'do not build', 'equivalent', 'survive']]
const alive = []
for (const file of wanted) {
  restore()
  const out = at('target/mutants/out')
  rmSync(out, { recursive: true, force: true })
  // In place, in the copy: its builds are kept. Random runs are few: each mutant has to wait for them.
  const command = `cargo mutants --in-place --no-shuffle --timeout 120 --output '${out}' --file '${file}' ${TESTS[room(file)].split(' ').map(word => `--cargo-arg=${word}`).join(' ')}`
  const { code, output } = await run(command, { cwd: copy, minutes: 240, env: { ...env, RUNS: '100', PATH: path, GIT_CEILING_DIRECTORIES: at('target/mutants') } })
  // 0: all are seen; 2: some are missed; 3: some hung.
  if (![0, 2, 3].includes(code)) fail(`cargo-mutants: ${file}: exit code ${code}\n${output.slice(-2000)}`)
  const list = name => readFileSync(`${out}/mutants.out/${name}.txt`, 'utf8').split('\n').filter(Boolean)
  const [caught, missed, hung, unviable] = ['caught', 'missed', 'timeout', 'unviable'].map(list)
  const left = missed.filter(line => !listed.has(named(line)))
  alive.push(...left)
  rows.push([file, caught.length + missed.length + hung.length + unviable.length, caught.length, hung.length, unviable.length, missed.length - left.length, left.length])
}
restore()
for (const line of alive) console.log(`SURVIVES ${line}`)
const sum = column => rows.slice(1).reduce((total, row) => total + row[column], 0)
console.log(`\n${table(rows)}\n\ncargo-mutants: ${sum(2) + sum(3)} killed, ${sum(5)} equivalent, ${sum(6)} survive`)
if (alive.length > 0) process.exitCode = 1
