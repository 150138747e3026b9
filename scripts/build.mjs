// make build: Rust to wasm and its glue in pkg/wasm, then TypeScript, glue and wasm into pkg/dist.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { at, fail, files, hash, locked, must, npmBin, tool } from './lib.mjs'
import { loaded } from './loaded.mjs'

// One wasm file each. `inline`: also as base64 in a module, for bundlers that cannot load wasm.
const builds = [
  { name: 'store', features: 'store,wasm', inline: true },
  { name: 'engine', features: 'engine,wasm', inline: false },
]

// Named one by one: what is not named here must not appear, so that each host that has these can run the file.
const optimise = [
  '-O3', '--strip-producers', '--strip-debug',
  '--enable-reference-types', '--enable-bulk-memory', '--enable-nontrapping-float-to-int',
  '--enable-sign-ext', '--enable-mutable-globals', '--enable-multivalue',
].join(' ')

/** True where `make` was here before with the same inputs and the outputs still stand. */
function fresh(name, key, outputs) {
  const stamp = at('target/stamps', name)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === key && outputs.every(path => existsSync(path))
}

function stamp(name, key) {
  mkdirSync(at('target/stamps'), { recursive: true })
  writeFileSync(at('target/stamps', name), key)
}

async function wasm({ name, features, inline }) {
  // A target folder each: cargo gives both builds one file name, and would take one for the other.
  const target = at('target', `wasm-${name}`)
  await must(
    'cargo build --quiet --lib --release --target wasm32-unknown-unknown --no-default-features ' +
      `--features ${features} --target-dir '${target}'`,
  )
  const raw = `${target}/wasm32-unknown-unknown/release/turnseal.wasm`
  const out = at('pkg/wasm', name)
  const key = [hash([raw, at('scripts/build.mjs')]), locked('wasm-bindgen')].join(' ')
  if (fresh(`wasm-${name}`, key, [`${out}/turnseal.wasm`, `${out}/turnseal.js`])) return
  rmSync(out, { recursive: true, force: true })
  // `web` gives one module with init and initSync; where the file lies is for pkg/src to say, per host.
  await must(
    `'${tool('wasm-bindgen')}' '${raw}' --target web --omit-default-module-path ` +
      `--out-name turnseal --out-dir '${out}'`,
  )
  await must(`'${npmBin('wasm-opt')}' ${optimise} '${out}/turnseal_bg.wasm' -o '${out}/turnseal.wasm'`)
  rmSync(`${out}/turnseal_bg.wasm`)
  renameSync(`${out}/turnseal_bg.wasm.d.ts`, `${out}/turnseal.wasm.d.ts`)
  const bytes = readFileSync(`${out}/turnseal.wasm`)
  if (!WebAssembly.validate(bytes)) fail(`build: ${name}: this Node ${process.version} does not accept the wasm file`)
  if (inline) {
    writeFileSync(`${out}/base64.js`, `export const base64 = '${bytes.toString('base64')}'\n`)
    writeFileSync(`${out}/base64.d.ts`, '/** The bytes of turnseal.wasm. */\nexport declare const base64: string\n')
  }
  stamp(`wasm-${name}`, key)
  console.log(`build: wasm ${name}: ${statSync(raw).size} bytes, optimised ${bytes.length}`)
}

async function typescript() {
  const sources = files(at('pkg/src'))
  if (sources.length === 0) fail('build: pkg/src has no files')
  const inputs = [...sources, ...files(at('pkg/wasm')), at('pkg/package.json'), at('scripts/loaded.mjs'), at('pkg/tsconfig.json'), at('pkg/tsconfig.build.json')]
  const key = hash([...inputs, at('pkg/package-lock.json')])
  if (fresh('dist', key, [at('pkg/dist')])) return
  rmSync(at('pkg/dist'), { recursive: true, force: true })
  await must(`'${npmBin('tsc')}' -p pkg/tsconfig.build.json`)
  cpSync(at('pkg/wasm'), at('pkg/dist/wasm'), { recursive: true })
  // Modules of types alone leave empty code behind, and inner modules types that no entry shows.
  const wanted = loaded(at('pkg'))
  for (const path of files(at('pkg/dist'))) if (!wanted.has(path)) rmSync(path)
  stamp('dist', key)
  console.log(`build: pkg/dist, ${files(at('pkg/dist')).length} files`)
}

for (const build of builds) await wasm(build)
await typescript()
