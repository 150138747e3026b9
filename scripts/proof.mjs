// make proof: the long random runs, then every mutant. The seeds stand in the output, a table closes it.
//   SHARE=0.01   plays that share of the runs
//   PARTS="loops mutants"   plays those parts only
import { at, fail, run, table } from './lib.mjs'

const share = Number(process.env.SHARE ?? 1)
const wanted = process.env.PARTS?.split(' ').filter(Boolean) ?? []
const cargo = 'cargo test --quiet --release'
const parts = [
  { name: 'interleavings', what: 'clients over a bad network: L1 to L8', runs: 100_000, command: `${cargo} --test interleavings -- --nocapture` },
  { name: 'engine', what: 'the engine: L9 to L13', runs: 100_000, command: `${cargo} --all-features --test machine random -- --nocapture` },
  { name: 'loops', what: 'engine, log and two stores: L8, L11', runs: 20_000, command: `${cargo} --all-features --test engine network -- --nocapture` },
  { name: 'mutants', what: 'each law broken on purpose', command: `node '${at('scripts/mutants.mjs')}'` },
]
const unknown = wanted.filter(name => !parts.some(part => part.name === name))
if (unknown.length > 0) fail(`proof: there is no part ${unknown.join(', ')}`)

const rows = [['part', 'plays', 'runs', 'result', 'took']]
for (const { name, what, runs, command } of parts.filter(part => wanted.length === 0 || wanted.includes(part.name))) {
  const count = runs && Math.max(1, Math.round(runs * share))
  console.log(`\n== ${name}: ${count ? `RUNS=${count} ` : ''}${command}`)
  const begun = Date.now()
  const { code } = await run(command, { env: count ? { RUNS: String(count) } : {}, minutes: 120 })
  rows.push([name, what, String(count ?? ''), code === 0 ? 'ok' : 'FAILED', `${((Date.now() - begun) / 1000).toFixed(0)} s`])
}
console.log(`\n${table(rows)}`)
if (rows.some(row => row[3] === 'FAILED')) process.exitCode = 1
