// `turnseal init` adds what an app needs, shows it first, and changes nothing else; what it adds compiles and draws.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const pkg = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const program = join(pkg, 'dist/cli.js')
const { version } = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'))
const cache = join(pkg, 'node_modules/.cache/turnseal')
mkdirSync(cache, { recursive: true })
const home = mkdtempSync(join(cache, 'init-'))
after(() => rmSync(home, { recursive: true, force: true }))

let count = 0
function app(manifest, files = {}) {
  const folder = join(home, String((count += 1)))
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), typeof manifest === 'string' ? manifest : `${JSON.stringify(manifest, null, 2)}\n`)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
const init = (folder, ...options) => spawnSync(process.execPath, [program, 'init', ...options], { cwd: folder, encoding: 'utf8' })
const tree = folder => readdirSync(folder, { recursive: true }).filter(name => name.includes('.')).sort()
const react = { name: 'x', dependencies: { react: '19' } }

test('without --yes and without a terminal it shows what it would do, and does nothing', () => {
  const folder = app(react)
  const before = tree(folder)
  const { stdout, status } = init(folder)
  assert.equal(status, 0)
  for (const line of [`+    "turnseal": "^${version}",`, '+++ src/turnseal/store.js', '+++ src/turnseal/Chat.jsx', 'Nothing was changed.']) assert.ok(stdout.includes(line), line)
  assert.deepEqual(tree(folder), before)
})

test('a package that is on no registry is named as it was installed', () => {
  const away = join(home, 'away')
  const lock = resolved => JSON.stringify({ packages: { 'node_modules/turnseal': { version, resolved } } })
  // As npm installs it: beside the app's packages, or beside those of npx. What it is made of stands in pkg.
  const install = (folder, resolved) => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), lock(resolved))
    cpSync(join(pkg, 'dist'), join(folder, 'node_modules/turnseal/dist'), { recursive: true })
    copyFileSync(join(pkg, 'package.json'), join(folder, 'node_modules/turnseal/package.json'))
    return join(folder, 'node_modules/turnseal/dist/cli.js')
  }
  const named = (folder, cli) => {
    assert.equal(spawnSync(process.execPath, [cli, 'init', '--yes'], { cwd: folder, encoding: 'utf8' }).status, 0)
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies.turnseal
  }
  const own = app(react)
  assert.equal(named(own, install(own, 'file:../turnseal-0.1.0.tgz')), 'file:../turnseal-0.1.0.tgz')
  const byNpx = app(react)
  assert.equal(named(byNpx, install(away, 'file:../packed/turnseal-0.1.0.tgz')), 'file:../packed/turnseal-0.1.0.tgz')
  const fromRegistry = app(react)
  assert.equal(named(fromRegistry, install(fromRegistry, 'https://registry.example/turnseal.tgz')), `^${version}`)
  // What the manifest says already is kept, wherever it says it.
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    const manifest = `${JSON.stringify({ name: 'x', devDependencies: { react: '19' }, [field]: { react: '19', turnseal: 'file:../x.tgz' } })}\n`
    const folder = app(manifest)
    assert.equal(init(folder, '--yes').status, 0)
    assert.equal(readFileSync(join(folder, 'package.json'), 'utf8'), manifest, field)
  }
})

test('with --yes it writes that, and a second time nothing', () => {
  const folder = app(react)
  assert.equal(init(folder, '--yes').status, 0)
  assert.deepEqual(tree(folder), ['package.json', 'src/turnseal/Chat.jsx', 'src/turnseal/store.js'])
  assert.equal(readFileSync(join(folder, 'package.json'), 'utf8'), `${JSON.stringify({ name: 'x', dependencies: { turnseal: `^${version}`, react: '19' } }, null, 2)}\n`)
  writeFileSync(join(folder, 'src/turnseal/store.js'), 'mine')
  const again = init(folder, '--yes')
  assert.ok(again.stdout.includes('store.js is there already and is kept'))
  assert.equal(readFileSync(join(folder, 'src/turnseal/store.js'), 'utf8'), 'mine')
})

test('a manifest keeps its own form', () => {
  for (const [text, expected] of [
    ['{\r\n\t"devDependencies": {\r\n\t\t"svelte": "5"\r\n\t}\r\n}\r\n', `{\r\n\t"dependencies": {\r\n\t\t"turnseal": "^${version}"\r\n\t},\r\n\t"devDependencies": {\r\n\t\t"svelte": "5"\r\n\t}\r\n}\r\n`],
    ['{\n  "dependencies": {},\n  "devDependencies": { "svelte": "5" }\n}', `{\n  "dependencies": {\n    "turnseal": "^${version}"\n  },\n  "devDependencies": { "svelte": "5" }\n}`],
    ['{\n  "overrides": { "dependencies": { "a": "1" } },\n  "devDependencies": { "svelte": "5" }\n}', undefined],
  ]) {
    const folder = app(text)
    const { status } = init(folder, '--yes')
    const now = readFileSync(join(folder, 'package.json'), 'utf8')
    if (expected !== undefined) assert.equal(now, expected)
    assert.equal(status, 0)
    assert.equal(JSON.parse(now).dependencies.turnseal, `^${version}`)
  }
})

test('what cannot be planned is said, and nothing is written', () => {
  for (const [manifest, options, words] of [
    [{ name: 'x' }, [], 'neither react nor svelte'],
    [{ dependencies: { react: '19', svelte: '5' } }, [], 'say --framework'],
    [react, ['--framework', 'vue'], 'react or svelte, not vue'],
    ['{', [], 'no JSON'],
  ]) {
    const folder = app(manifest)
    const { status, stderr } = init(folder, '--yes', ...options)
    assert.equal(status, 1)
    assert.ok(stderr.includes(words), stderr)
    assert.deepEqual(tree(folder), ['package.json'])
  }
  const empty = join(home, 'empty')
  mkdirSync(empty)
  assert.ok(init(empty).stderr.includes('no package.json'))
  assert.equal(spawnSync(process.execPath, [program, 'dance']).status, 2)
  assert.equal(init(app(react), '--nonsense').status, 2)
})

const alias = entries => ({ alias: Object.fromEntries(entries.map(([name, file]) => [name, join(pkg, 'dist', file)])) })
const bundle = (folder, entry, more) => buildSync({ entryPoints: [join(folder, entry)], bundle: true, write: false, format: 'esm', platform: 'node', external: ['react', 'react-dom', 'svelte', `${join(pkg, 'dist')}/*`], ...alias([['turnseal/react', 'react.js'], ['turnseal/svelte', 'svelte.js'], ['turnseal/inline', 'node.js'], ['turnseal', 'node.js']]), ...more })

async function load(folder, text) {
  const file = join(folder, 'bundle.mjs')
  writeFileSync(file, text)
  globalThis.localStorage ??= { getItem: () => null, setItem() {}, removeItem() {} }
  globalThis.fetch = async path => Response.json(String(path).includes('/chunks') ? { chunks: [{ seq: 1, turnId: 'a', role: 'user', type: 'text', data: { text: 'from the log' } }], oldestSeq: 1 } : {})
  return import(file)
}
/** A call that a person is asked about, a message that waits, a queue that is held; and what is drawn of them. */
const acts = [
  { type: 'turn-start', turnId: 'b' },
  { type: 'tool-call', turnId: 'b', toolCall: { id: 'c', name: 'rm', arguments: {} } },
  { type: 'approval-request', turnId: 'b', callId: 'c', prompt: 'May I?' },
  { type: 'queue-snapshot', items: [{ messageId: 'q', message: 'later' }], held: true, version: 1 },
]
const ACTS = ['rm: awaiting-approval', 'May I?', '>Approve</button>', '>Deny</button>', 'later', '>Cancel</button>', '>Stop</button>', '>Resume</button>']
const soon = () => new Promise(done => setTimeout(done, 50))

test('the React component draws the thread of its store', async () => {
  const folder = app(react)
  init(folder, '--yes')
  writeFileSync(join(folder, 'src/all.jsx'), "export { Chat } from './turnseal/Chat'\nexport { store } from './turnseal/store'\nexport { createElement } from 'react'\nexport { renderToStaticMarkup } from 'react-dom/server'\n")
  const { Chat, store, createElement, renderToStaticMarkup } = await load(folder, bundle(folder, 'src/all.jsx', { jsx: 'automatic' }).outputFiles[0].text)
  store.thread('main').subscribe(() => {})
  await soon()
  const html = renderToStaticMarkup(createElement(Chat))
  assert.ok(html.includes('from the log'), html)
  store.handleEvents(acts)
  for (const words of ACTS) assert.ok(renderToStaticMarkup(createElement(Chat)).replaceAll('<!-- -->', '').includes(words), words)
  store.free()
})

test('the Svelte component draws the thread of its store', async () => {
  const folder = app({ devDependencies: { svelte: '5' } })
  init(folder, '--yes')
  const { compile } = require('svelte/compiler')
  const { js, warnings } = compile(readFileSync(join(folder, 'src/turnseal/Chat.svelte'), 'utf8'), { generate: 'server', filename: 'Chat.svelte' })
  assert.deepEqual(warnings, [])
  writeFileSync(join(folder, 'src/turnseal/Chat.js'), js.code)
  writeFileSync(join(folder, 'src/all.js'), "export { default as Chat } from './turnseal/Chat.js'\nexport { store } from './turnseal/store.js'\nexport { render } from 'svelte/server'\n")
  const { Chat, store, render } = await load(folder, bundle(folder, 'src/all.js', {}).outputFiles[0].text)
  store.thread('main').subscribe(() => {})
  await soon()
  assert.ok(render(Chat, { props: {} }).body.includes('from the log'))
  store.handleEvents(acts)
  for (const words of ACTS) assert.ok(render(Chat, { props: {} }).body.includes(words), words)
  store.free()
})

test('with --connect there is nothing to fill in, and on a server nothing connects', () => {
  const store = (manifest, url) => {
    const folder = app(manifest)
    const { stdout, status } = init(folder, '--yes', '--connect', url)
    assert.equal(status, 0)
    return [stdout.slice(stdout.indexOf('Done.')), readFileSync(join(folder, existsSync(join(folder, 'src/lib')) ? 'src/lib' : 'src', 'turnseal/store.js'), 'utf8')]
  }
  const [said, text] = store({ dependencies: { react: '19' }, devDependencies: { vite: '8' } }, '/')
  assert.match(text, /createStore\(\{\n  connect: \{ url: '\/' \},\n  onDiagnostic/)
  assert.doesNotMatch(text, /transport|listen/)
  assert.match(said, /^Done\. Now: install turnseal, draw the component of src\/turnseal\/Chat\.jsx\.\n\nWhile you develop, Vite/)
  const [plainly, next] = store({ dependencies: { react: '19', next: '16' } }, "https://x.example/o'clock")
  assert.doesNotMatch(plainly, /Vite/)
  assert.ok(next.includes(": { connect: { url: 'https://x.example/o\\'clock' } }),"), next)
})

test('rendered on a server the store asks nobody', () => {
  for (const options of [[], ['--connect', '/']]) {
    const folder = app({ devDependencies: { svelte: '5', '@sveltejs/kit': '2' } })
    mkdirSync(join(folder, 'src/lib'))
    init(folder, '--yes', ...options)
    assert.deepEqual(tree(folder), ['package.json', 'src/lib/turnseal/Chat.svelte', 'src/lib/turnseal/store.js'])
    writeFileSync(join(folder, 'src/all.js'), "export { store, thread } from './lib/turnseal/store.js'\n")
    const { outputFiles } = bundle(folder, 'src/all.js', {})
    const file = join(folder, 'server.mjs')
    writeFileSync(file, `${outputFiles[0].text}\nsetTimeout(() => { console.log(JSON.stringify(thread.getSnapshot())); store.free() }, 100)\n`)
    // A process of its own: this one has a storage and a fetch that were put here for others.
    const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
    assert.equal(stderr, '', options.join(' '))
    const { groups, loadError } = JSON.parse(stdout)
    assert.deepEqual([groups, loadError], [[], undefined])
  }
})

for (const [options, more] of [[[], {}], [[], { next: '16' }], [['--connect', '/'], { next: '16' }]]) test(`in TypeScript it has types that hold: ${[...options, ...Object.keys(more)].join(' ') || 'a transport'}`, () => {
  const folder = app({ dependencies: { react: '19', typescript: '5', ...more } })
  init(folder, '--yes', ...options)
  assert.ok(existsSync(join(folder, 'src/turnseal/Chat.tsx')))
  const paths = { turnseal: [join(pkg, 'dist/index.d.ts')], 'turnseal/inline': [join(pkg, 'dist/inline.d.ts')], 'turnseal/react': [join(pkg, 'dist/react.d.ts')] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, noEmit: true, jsx: 'react-jsx', module: 'esnext', target: 'es2022', moduleResolution: 'bundler', skipLibCheck: true, lib: ['es2022', 'dom', 'dom.iterable'], types: [], paths }, include: ['src'] }))
  const { stdout, status } = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
