// make proof: all states inside small bounds, the long random runs, every mutant. The seeds stand in the output, a table
// closes it.
//   SHARE=0.01   plays that share of the runs
//   PARTS="loops mutants"   plays those parts only
import { at, fail, run, table } from './lib.mjs'

const share = Number(process.env.SHARE ?? 1)
const wanted = process.env.PARTS?.split(' ').filter(Boolean) ?? []
const cargo = 'cargo test --quiet --release'
const parts = [
  { name: 'model', what: 'all states of clients and a network: L1 to L8', runs: 4_500_000, variable: 'STATES', command: `${cargo} --test model -- --nocapture` },
  { name: 'model-engine', what: 'states of the engine: L9 to L13', runs: 100_000, variable: 'STATES', command: `${cargo} --test machine model -- --nocapture` },
  { name: 'interleavings', what: 'clients over a bad network: L1 to L8', runs: 100_000, command: `${cargo} --test interleavings -- --nocapture` },
  { name: 'engine', what: 'the engine: L9 to L13', runs: 100_000, command: `${cargo} --all-features --test machine random -- --nocapture` },
  { name: 'loops', what: 'engine, log and two stores: L8, L11', runs: 20_000, command: `${cargo} --all-features --test engine network -- --nocapture` },
  { name: 'fuzz', what: 'bytes that no honest server sends', runs: 200_000, command: `${cargo} --features wasm --test fuzz -- --nocapture` },
  { name: 'faults', what: 'transports, storage, clocks and a core that break', runs: 600, command: `node --test ${['faults', 'poison', 'flow', 'hostile', 'recovery', 'storage'].map(name => `'${at(`pkg/test/${name}.test.mjs`)}'`).join(' ')}` },
  { name: 'mutants', what: 'each law broken on purpose', command: `node '${at('scripts/mutants.mjs')}'` },
]
const unknown = wanted.filter(name => !parts.some(part => part.name === name))
if (unknown.length > 0) fail(`proof: there is no part ${unknown.join(', ')}`)

const rows = [['part', 'plays', 'count', 'result', 'took']]
/** What a part has done: states visited, mutants killed, tests passed, or runs played. */
function done(name, count, output) {
  const sum = pattern => [...output.matchAll(pattern)].reduce((sum, [, number]) => sum + Number(number), 0)
  if (name.startsWith('model')) return `${sum(/^model .*?(\d+) states/gm)} states`
  if (name === 'mutants') return `${sum(/^(\d+) killed/gm)} killed`
  if (name === 'faults') return `${sum(/^(?:#|ℹ) faults: (\d+)/gm)} faults injected, ${sum(/^(?:#|ℹ) pass (\d+)/gm)} tests`
  return `${count} runs`
}

for (const { name, what, runs, variable = 'RUNS', command } of parts.filter(part => wanted.length === 0 || wanted.includes(part.name))) {
  const count = runs && Math.max(1, Math.round(runs * share))
  console.log(`\n== ${name}: ${count ? `${variable}=${count} ` : ''}${command}`)
  const begun = Date.now()
  const { code, output } = await run(command, { env: count ? { [variable]: String(count) } : {}, minutes: 120 })
  rows.push([name, what, done(name, count, output), code === 0 ? 'ok' : 'FAILED', `${((Date.now() - begun) / 1000).toFixed(0)} s`])
}
console.log(`\n${table(rows)}`)
if (rows.some(row => row[3] === 'FAILED')) process.exitCode = 1
