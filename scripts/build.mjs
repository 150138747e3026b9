// make build: Rust to wasm and its glue in pkg/wasm, then TypeScript, glue and wasm into pkg/dist.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { buildSync, transformSync } from '../pkg/node_modules/esbuild/lib/main.js'
import { at, fail, files, hash, locked, must, npmBin, run, tool } from './lib.mjs'
import { loaded } from './loaded.mjs'
import { named } from './order.mjs'

// One wasm file each. `inline`: also as base64 in a module, for bundlers that cannot load wasm.
const builds = [
  { name: 'store', features: 'store,wasm', inline: true },
  { name: 'engine', features: 'engine,wasm', inline: false },
]

// Named one by one: what is not named here must not appear, so that each host that has these can run the file.
const features = [
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

/**
 * How cargo builds. With the sources of std (the component rust-src) std is built along, for size and without the texts of
 * panics: an eighth less to download. That asks the compiler for what is not stable yet, so it is tried once for each
 * version of it; where it does not work, std comes as it is.
 */
let built
async function std() {
  const { output: root } = await run('rustc --print sysroot', { quiet: true })
  const { output: version } = await run('rustc --version', { quiet: true })
  const plain = { env: {}, flags: '', key: version }
  if (!existsSync(join(root.trim(), 'lib/rustlib/src/rust/library/Cargo.lock'))) {
    console.log('build: without rust-src (rustup component add rust-src) the wasm is larger')
    return plain
  }
  const small = {
    env: {
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: '-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none -Zfmt-debug=none',
    },
    flags: '-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size',
    key: `${version} std`,
  }
  const known = at('target/stamps/std')
  const fails = existsSync(known) && readFileSync(known, 'utf8') === small.key
  return fails ? plain : { ...small, plain }
}

/** Builds with std where that works, else without. */
async function cargo(command) {
  built ??= await std()
  const { env, flags, plain } = built
  const result = await run(`${command} ${flags}`, { env, quiet: plain !== undefined })
  if (result.code === 0) return
  if (plain === undefined) fail(`${command}: exit code ${result.code}`)
  // Our own error, or one of building std: without std it shows.
  await must(command)
  console.log('build: std cannot be built here; the wasm is larger')
  stamp('std', built.key)
  built = plain
}

async function wasm({ name, features: wanted, inline }) {
  // A target folder each: cargo gives both builds one file name, and would take one for the other.
  const target = at('target', `wasm-${name}`)
  await cargo(
    'cargo build --quiet --lib --profile wasm --target wasm32-unknown-unknown --no-default-features ' +
      `--features ${wanted} --target-dir '${target}'`,
  )
  const raw = `${target}/wasm32-unknown-unknown/wasm/turnseal.wasm`
  const out = at('pkg/wasm', name)
  const key = [hash([raw, at('scripts/build.mjs'), at('scripts/order.mjs')]), locked('wasm-bindgen')].join(' ')
  if (fresh(`wasm-${name}`, key, [`${out}/turnseal.wasm`, `${out}/turnseal.js`])) return
  rmSync(out, { recursive: true, force: true })
  // `web` gives one module with init and initSync; where the file lies is for pkg/src to say, per host.
  await must(
    `'${tool('wasm-bindgen')}' '${raw}' --target web --omit-default-module-path ` +
      `--out-name turnseal --out-dir '${out}'`,
  )
  const optimise = (passes, from, to) => must(`'${npmBin('wasm-opt')}' ${passes} ${features} '${out}/${from}' -o '${out}/${to}'`)
  await optimise('-Oz --converge -g', 'turnseal_bg.wasm', 'turnseal.wasm')
  writeFileSync(`${out}/turnseal_bg.wasm`, named(readFileSync(`${out}/turnseal.wasm`)))
  await optimise('--reorder-functions-by-name -g', 'turnseal_bg.wasm', 'turnseal.wasm')
  await optimise('--strip-debug --strip-producers', 'turnseal.wasm', 'turnseal.wasm')
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
  const settings = ['pkg/package.json', 'pkg/tsconfig.json', 'pkg/tsconfig.build.json', 'scripts/loaded.mjs'].map(path => at(path))
  const inputs = [...sources, ...files(at('pkg/wasm')), ...settings]
  const key = hash([...inputs, at('pkg/package-lock.json'), at('scripts/build.mjs')])
  if (fresh('dist', key, [at('pkg/dist')])) return
  rmSync(at('pkg/dist'), { recursive: true, force: true })
  await must(`'${npmBin('tsc')}' -p pkg/tsconfig.build.json`)
  cpSync(at('pkg/wasm'), at('pkg/dist/wasm'), { recursive: true })
  // Modules of types alone leave empty code behind, and inner modules types that no entry shows.
  prune()
  for (const path of files(at('pkg/dist')).filter(path => path.endsWith('.js') && !path.endsWith('base64.js'))) minify(path)
  bundle(at('pkg/dist'))
  prune()
  stamp('dist', key)
  console.log(`build: pkg/dist, ${files(at('pkg/dist')).length} files`)
}

/** A module and all that it imports by relative path. */
function closure(path, seen = new Set()) {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const [, next] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*['"](\.[^'"]+\.js)['"]/g)) closure(join(dirname(path), next), seen)
  return seen
}

/** Takes away what nobody can load. */
function prune() {
  const wanted = loaded(at('pkg'))
  for (const path of files(at('pkg/dist'))) if (!wanted.has(path)) rmSync(path)
}

/** Comments and long names are for the types and maps beside it; a browser without a bundler loads these files as they are. */
function minify(path) {
  const map = `${path}.map`
  const text = readFileSync(path, 'utf8')
  const inline = () => `//# sourceMappingURL=data:application/json;base64,${readFileSync(map).toString('base64')}`
  const mapped = existsSync(map) ? text.replace(/\/\/# sourceMappingURL=.*$/m, inline) : text
  const options = { minify: true, format: 'esm', target: 'es2022', sourcefile: basename(path) }
  const out = transformSync(mapped, mapped === text ? options : { ...options, sourcemap: 'external' })
  writeFileSync(path, mapped === text ? out.code : `${out.code}//# sourceMappingURL=${basename(map)}\n`)
  if (mapped !== text) writeFileSync(map, out.map)
}

/** Modules that are loaded where somebody asks for them; a file each, with all that only they need. */
const LATER = ['connect.js']

/** Puts into one file what only this module needs. What the store has, too, stays where it is. */
function whole(dist, name) {
  const kernel = closure(join(dist, 'index.js'))
  const path = join(dist, name)
  const { outputFiles } = buildSync({
    entryPoints: [path], outfile: path, allowOverwrite: true, bundle: true, minify: true, format: 'esm', platform: 'neutral', target: 'es2022',
    write: false, sourcemap: 'external', external: [...kernel],
  })
  for (const { path, text } of outputFiles)
    writeFileSync(path, path.endsWith('.map') ? text : `${text}//# sourceMappingURL=${basename(name)}.map\n`)
}

/**
 * What the store is made of becomes one file: small files compress badly, and each costs a browser without a bundler a
 * request. Each module stays importable by its path and is the same one for all who import it.
 */
function bundle(dist) {
  for (const later of LATER) whole(dist, later)
  const modules = [...closure(join(dist, 'index.js'))].slice(1).sort()
  const { metafile } = buildSync({ entryPoints: modules, outdir: dist, outbase: dist, write: false, metafile: true, format: 'esm' })
  const exported = new Map(modules.map(path => [path, metafile.outputs[relative(process.cwd(), path)].exports]))
  const inside = path => basename(path, '.js').replace(/\W/g, '_')
  const alias = (path, name) => `${inside(path)}_${name}`
  const { outputFiles } = buildSync({
    stdin: {
      contents: modules.map(path => `export { ${exported.get(path).map(name => `${name} as ${alias(path, name)}`)} } from './${relative(dist, path)}'`).join('\n'),
      resolveDir: dist,
    },
    // Neutral: for browsers esbuild would decide by itself that this is production.
    bundle: true, minify: true, format: 'esm', platform: 'neutral', target: 'es2022', write: false, external: ['node:*', ...LATER.map(name => join(dist, name))],
    sourcemap: 'external', outfile: join(dist, 'kernel.js'),
  })
  for (const path of modules) {
    const kernel = relative(dirname(path), join(dist, 'kernel.js'))
    const names = exported.get(path).map(name => `${alias(path, name)} as ${name}`)
    writeFileSync(path, `export{${names}}from"${kernel.startsWith('.') ? kernel : `./${kernel}`}"\n`)
    rmSync(`${path}.map`, { force: true })
  }
  for (const { path, text } of outputFiles)
    writeFileSync(path, path.endsWith('.map') ? text : `${text}//# sourceMappingURL=kernel.js.map\n`)
}

for (const build of builds) await wasm(build)
await typescript()
