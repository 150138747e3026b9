// make proof: all states inside small bounds, the long random runs, every mutant. The seeds stand in the output, a table
// closes it.
//   SHARE=0.01   plays that share of the runs
//   PARTS="loops mutants"   plays those parts only; `cargo-mutants`, which takes hours, is played only where it is named
import { readFileSync } from 'node:fs'
import { at, fail, run, table } from './lib.mjs'

const share = Number(process.env.SHARE ?? 1)
const wanted = process.env.PARTS?.split(' ').filter(Boolean) ?? []
// One set of features for all parts, and no optimising over crates: so the core is built once, in a third of the time.
const cargo = 'cargo test --quiet --release --all-features'
const quick = { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16' }
const node = names => `node --test ${names.map(name => `'${at(`pkg/test/${name}.test.mjs`)}'`).join(' ')}`

/** The sum of what a pattern finds. */
const sum = (output, pattern) => [...output.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0)
const states = output => sum(output, /^model .*?(\d+) states/gm)
const faults = output => sum(output, /^(?:#|ℹ) faults: (\d+)/gm)
const killed = output => sum(output, /(\d+) killed/g)

// `runs` is played whole by `make proof`; `counts` says what kind of thing a part counts, and how many there were.
const parts = [
  { name: 'model', what: 'all states of clients and a network: L1 to L8', runs: 4_500_000, variable: 'STATES', counts: ['states explored', states], command: `${cargo} --test model -- --nocapture` },
  { name: 'model-engine', what: 'states of the engine: L9 to L13', runs: 100_000, variable: 'STATES', counts: ['states explored', states], command: `${cargo} --test machine model -- --nocapture` },
  { name: 'interleavings', what: 'clients over a bad network: L1 to L8', runs: 100_000, counts: ['random runs'], command: `${cargo} --test interleavings -- --nocapture` },
  { name: 'engine', what: 'the engine: L9 to L13', runs: 100_000, counts: ['random runs'], command: `${cargo} --test machine random -- --nocapture` },
  { name: 'loops', what: 'engine, log and two stores: L8, L11', runs: 20_000, counts: ['random runs'], command: `${cargo} --test engine network -- --nocapture` },
  { name: 'fuzz', what: 'bytes that no honest server sends', runs: 200_000, counts: ['random runs'], command: `${cargo} --test fuzz -- --nocapture` },
  { name: 'faults', what: 'transports, storage, clocks and a core that break', runs: 600, counts: ['faults injected', faults], command: node(['faults', 'poison', 'flow', 'hostile', 'recovery', 'storage']) },
  { name: 'mutants', what: 'each law and each clause broken on purpose', counts: ['mutants killed', killed], command: `node '${at('scripts/mutants.mjs')}'` },
  { name: 'cargo-mutants', what: 'each line of some files changed', counts: ['mutants killed', killed], isLong: true, command: `WITH=cargo-mutants '${at('scripts/setup')}' && node '${at('scripts/cargo-mutants.mjs')}'` },
]
const unknown = wanted.filter(name => !parts.some(part => part.name === name))
if (unknown.length > 0) fail(`proof: there is no part ${unknown.join(', ')}`)

const rows = []
const totals = new Map()
const begun = Date.now()
for (const { name, what, runs, variable = 'RUNS', counts: [kind, count], command } of parts.filter(part => (wanted.length === 0 ? !part.isLong : wanted.includes(part.name)))) {
  const times = runs && Math.max(1, Math.round(runs * share))
  console.log(`\n== ${name}: ${times ? `${variable}=${times} ` : ''}${command}`)
  const { code, output, seconds } = await run(command, { env: { ...quick, ...(times ? { [variable]: String(times) } : {}) }, minutes: 120 })
  const done = count === undefined ? times : count(output)
  const isGood = code === 0 && done > 0
  rows.push([name, what, done, kind, isGood ? 'ok' : 'FAILED', `${seconds.toFixed(0)} s`])
  const total = totals.get(kind) ?? { done: 0, isGood: true }
  totals.set(kind, { done: total.done + done, isGood: total.isGood && isGood })
}
const equivalent = readFileSync(at('tests/mutants/survivors'), 'utf8').split('\n').filter(line => /^src\//.test(line)).length
console.log(`\n${table([['part', 'plays', 'count', 'of', 'result', 'took'], ...rows])}`)
console.log(`\n${table([['what', 'how many', 'result'], ...[...totals].map(([kind, { done, isGood }]) => [kind, done, isGood ? 'ok' : 'FAILED']), ['mutants that change nothing', equivalent, 'listed in tests/mutants/survivors']])}`)
console.log(`\nproof: ${((Date.now() - begun) / 60_000).toFixed(1)} minutes`)
if (rows.some(row => row[4] === 'FAILED')) process.exitCode = 1
