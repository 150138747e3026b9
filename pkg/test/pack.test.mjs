// What is in the tarball: all that somebody loads, and nothing else.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const packed = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))[0].files.map(({ path }) => path)

/** The files that an entry of the manifest names. */
const named = value => (typeof value === 'string' ? [normalize(value)] : Object.values(value).flatMap(named))

/** The files that a file names, each with its ending: imports, wasm beside it, its source map. */
function loads(path) {
  if (!/\.(js|d\.ts)$/.test(path)) return []
  const text = readFileSync(join(folder, path), 'utf8')
  const isTypes = path.endsWith('.d.ts')
  const code = isTypes ? text : text.replace(/^\/\/(?!# sourceMappingURL).*$|\/\*[\s\S]*?\*\//gm, '')
  const found = [...code.matchAll(/(?:from|import|import\(|new URL\()\s*['"](\.[^'"]+\.\w+)['"]|# sourceMappingURL=(\S+)/g)].map(([, module, map]) => module ?? map)
  return found.map(name => normalize(join(dirname(path), name))).map(name => (isTypes ? name.replace(/\.js$/, '.d.ts') : name))
}

test('every file is loaded by an entry, and every file that is named is there', () => {
  const seen = new Set()
  const queue = [...named(manifest.exports), ...named(manifest.bin)]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    assert.ok(existsSync(join(folder, path)), `${path} is named and missing`)
    queue.push(...loads(path))
  }
  assert.deepEqual(packed.filter(path => path.startsWith('dist/') && !seen.has(path)), [])
  assert.deepEqual([...seen].filter(path => !packed.includes(path)), [])
})

test('there is one wasm of the store, and a source map with its sources for each module that has code', () => {
  assert.deepEqual(packed.filter(path => path.endsWith('.wasm')), ['dist/wasm/engine/turnseal.wasm', 'dist/wasm/store/turnseal.wasm'])
  for (const path of packed.filter(path => /^dist\/[^/]+\.js$/.test(path))) {
    // What stands in the kernel is only named here.
    if (/^export\{[^}]*\}from"\.\/kernel\.js"\s*$/.test(readFileSync(join(folder, path), 'utf8'))) continue
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, `${path}.map`), 'utf8'))
    assert.ok(sources.length > 0 && sourcesContent.length === sources.length, path)
    assert.ok(sourcesContent.every(text => text.includes('import') || text.includes('export')), path)
  }
})

test('every entry has types, and no condition stands behind one that takes all', () => {
  for (const [name, entry] of Object.entries(manifest.exports)) {
    if (typeof entry === 'string') continue
    const conditions = Object.keys(entry)
    assert.deepEqual([conditions[0], conditions.at(-1)], ['types', 'default'], name)
  }
  assert.equal(manifest.dependencies, undefined)
  for (const peer of Object.keys(manifest.peerDependencies)) assert.equal(manifest.peerDependenciesMeta[peer].optional, true, peer)
})
