// What a browser downloads for each entry: its JavaScript as published, with what that imports, and its wasm, each
// gzip -9 and brotli. SPEC section 10 sets the limit for `.`. `--inside`: also what is in each wasm, by crate, room and
// function. `--json`: the entries alone, for `bench/measure.mjs`.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { inside } from './inside.mjs'
import { at, fail, root, table } from './lib.mjs'

// The budget of SPEC section 10, not met yet, and the size that is held until it is: it may only be lowered.
const BUDGET = 80 * 1024
const HELD = 151 * 1024

/** The file that a browser gets for an entry: conditions are tried as a bundler for browsers tries them. */
function browserFile(entry) {
  if (typeof entry === 'string') return entry
  const condition = Object.keys(entry).find(name => ['browser', 'import', 'default'].includes(name))
  return browserFile(entry[condition])
}

/** A module and all that it imports by relative path, but for what it imports on demand; a wasm file where it names one. */
function closure(path, seen = new Set()) {
  if (seen.has(path)) return seen
  seen.add(path)
  if (!path.endsWith('.js')) return seen
  const text = readFileSync(path, 'utf8')
  for (const [, next] of text.matchAll(/(?:from|import|URL\()\s*['"](\.[^'"]+\.(?:js|wasm))['"]/g)) closure(join(dirname(path), next), seen)
  return seen
}

const sizes = path => {
  const bytes = readFileSync(path)
  return [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length]
}
/** What a module imports on demand, with what only that needs. */
function later(files) {
  const names = files.filter(path => path.endsWith('.js')).flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/import\(\s*['"](\.[^'"]+\.js)['"]/g)].map(([, name]) => join(dirname(path), name)))
  return [...new Set(names)].map(path => [relative(root, path), [...closure(path)].filter(file => !files.includes(file))])
}
const sum = rows => rows.reduce(([gzip, brotli], [one, other]) => [gzip + one, brotli + other], [0, 0])

const { exports } = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8'))
const entries = Object.entries(exports)
  .map(([name, entry]) => [name, at('pkg', browserFile(entry))])
  .filter(([, path]) => path.endsWith('.js'))
for (const [, path] of entries) if (!existsSync(path)) fail(`size: ${path} is missing: run make build`)

const files = [...closure(at('pkg', browserFile(exports['.'])))]
const rows = files.map(path => [relative(root, path), ...sizes(path)])
const [total, brotli] = sum(rows.map(([, ...both]) => both))
if (!files.some(path => path.endsWith('.wasm'))) fail('size: the entry names no wasm')

const told = entries.map(([entry, path]) => {
  const [gzip, small] = sum([...closure(path)].map(sizes))
  return { entry, gzip, brotli: small }
})
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ status: total > HELD ? 1 : 0, entries: told }))
  process.exit(0)
}
console.log(table([['', 'gzip -9', 'brotli'], ...rows, ['`.` in all, as published', total, brotli]]))
console.log(table([
  ['each entry, with its wasm', 'gzip -9', 'brotli'],
  ...told.map(({ entry, gzip, brotli: small }) => [entry, gzip, small]),
  ...later(files).map(([name, files]) => [`on demand: ${name}`, ...sum(files.map(sizes))]),
]))
if (process.argv.includes('--inside')) for (const name of ['store', 'engine']) console.log(await inside(name))
console.log(`size: ${(total / 1024).toFixed(1)} KB; held are ${HELD / 1024} KB, the budget is ${BUDGET / 1024} KB`)
if (total > HELD) fail('size: grown beyond what is held')
// What the README says stays what is held, rounded up: no run of the benchmark is needed to make it true again.
const [, said] = /entry `turnseal` is (\d+) KB/.exec(readFileSync(at('README.md'), 'utf8')) ?? []
if (Number(said) !== HELD / 1024) fail(`size: the README says ${said} KB`)
