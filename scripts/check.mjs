// make check: each step runs, also after one that failed; a table closes the run. STEPS="fmt clippy" runs only those.
import { fail, npmBin, run, table, tool, version } from './lib.mjs'

const wasm = '--target wasm32-unknown-unknown'
const tarball = `target/pack/turnseal-${version}.tgz`

// Name and command line. A step of another part of the tree is one more line.
const steps = [
  ['fmt', () => 'cargo fmt --all --check'],
  ['clippy', () => 'cargo clippy --quiet --all-targets --all-features -- -D warnings'],
  ['clippy-server', () => 'cargo clippy --quiet -p turnseal-server --all-targets -- -D warnings'],
  // Each feature alone as well: what only the other one uses would be dead code in its wasm.
  ['clippy-wasm', () => ['store,wasm', 'engine,wasm', 'browser']
    .map(features => `cargo clippy --quiet --lib ${wasm} --no-default-features --features ${features} -- -D warnings`)
    .concat(`cargo clippy --quiet --lib --example page ${wasm} --all-features -- -D warnings`).join(' && ')],
  ['clippy-wasm-tests', () => `cargo clippy --quiet ${wasm} --all-features --test wasm --test wasm_scenarios --test wasm_machine --test engine --test transcript --test browser -- -D warnings`],
  ['doc', () => ['', wasm]
    .map(target => `RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps --all-features ${target}`).join(' && ')],
  ['links', () => 'node scripts/links.mjs'],
  ['tidy', () => 'cargo test --quiet --test tidy'],
  ['deny', () => `'${tool('cargo-deny')}' --log-level error --all-features check licenses bans sources`],
  ['machete', () => `'${tool('cargo-machete')}' --skip-target-dir`],
  ['build', () => 'node scripts/build.mjs'],
  // It reads what was built. Its pages are written by `make docs`; here it reads all entries, and says what has no sentence, or leads nowhere.
  ['typedoc', () => `cd pkg && '${npmBin('typedoc')}' --emit none`],
  // Against every version of a peer that the package takes.
  ['types', () => ['', '.ai5', '.ai7'].map(peer => `'${npmBin('tsc')}' -p pkg/tsconfig${peer}.json`).join(' && ')],
  ['site-types', () => `node scripts/site.mjs && cd www/site && node_modules/.bin/tsc -p . && node_modules/.bin/svelte-check --fail-on-warnings --output human`],
  ['pack', () => 'node scripts/pack.mjs'],
  ['publint', () => `'${npmBin('publint')}' run --strict ${tarball}`],
  ['attw', () => `'${npmBin('attw')}' --profile esm-only --exclude-entrypoints ./turnseal.wasm -- ${tarball}`],
  ['npm-licences', () => 'node scripts/npm-licences.mjs'],
  ['size', () => 'node scripts/size.mjs'],
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !steps.some(([known]) => known === name))
if (unknown.length > 0) fail(`check: no step ${unknown.join(', ')}; there are ${steps.map(([name]) => name).join(', ')}`)

const rows = []
for (const [name, command] of steps.filter(([step]) => wanted.length === 0 || wanted.includes(step))) {
  console.log(`\n== ${name}`)
  const { code, seconds } = await run(command(), { minutes: 20 })
  rows.push([name, code === 0 ? 'ok' : 'FAILED', `${seconds.toFixed(1)} s`])
}
console.log(`\n${table([['check', '', 'took'], ...rows])}`)
if (rows.some(([, result]) => result !== 'ok')) process.exit(1)
