// What an adapter brings along: nothing of its peer that it does not call, and nothing of the store but types and errors.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('..', import.meta.url))
const { exports, peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
const wanted = { 'ai-sdk': [], 'ag-ui': [], 'assistant-ui': ['@assistant-ui/react', 'react'] }

for (const [entry, packages] of Object.entries(wanted)) {
  test(`turnseal/${entry} imports ${packages.join(' and ') || 'no package'}, and is small`, async context => {
    const path = `${folder}/${exports[`./${entry}`].default}`
    const { metafile, outputFiles } = await build({ entryPoints: [path], bundle: true, format: 'esm', minify: true, write: false, packages: 'external', metafile: true, platform: 'browser' })
    const { imports } = Object.values(metafile.outputs)[0]
    assert.deepEqual([...new Set(imports.map(({ path: name }) => name))].sort(), packages)
    assert.ok(Object.keys(metafile.inputs).every(name => !name.includes('wasm')), 'the wasm comes with the store')
    const size = gzipSync(outputFiles[0].contents, { level: 9 }).length
    context.diagnostic(`${size} bytes, gzip -9`)
    assert.ok(size < 12.5 * 1024, `${size}`)
    for (const name of packages) assert.ok(peerDependencies[name] && peerDependenciesMeta[name].optional, name)
  })
  test(`turnseal/${entry} does nothing when it is loaded`, async () => {
    const { outputFiles } = await build({ stdin: { contents: `import '${folder}/${exports[`./${entry}`].default}'`, resolveDir: folder }, bundle: true, format: 'esm', minify: true, write: false, packages: 'external', logLevel: 'silent' })
    assert.match(outputFiles[0].text.trim(), /^(import"[^"]+";)*$/)
  })
}
