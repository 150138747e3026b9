// Bundlers, each with the entry whose wasm is a file, and with the one that carries it inside.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WORDS } from './pages.mjs'

const HTML = '<!doctype html><link rel="icon" href="data:,"><title>app</title><div id="app"></div><script type="module" src="main.js"></script>'
const show = `const store = createStore({ schedule: 'sync' })
store.handleMessage('{"type":"notice","message":"${WORDS}"}')
document.querySelector('#app').textContent = store.renderGroups()[0].parts[0].text\n`
const main = `import { createStore, init } from 'turnseal'\nawait init()\n${show}`
const inline = `import { createStore } from 'turnseal/inline'\n${show}`

/** One cell for each of the two entries. */
const both = (name, says, run) => [
  { name, says: says[0], run: tools => run(tools, main) },
  { name: `${name}-inline`, says: says[1] ?? 'nothing', run: tools => run(tools, inline) },
]

const tool = async ({ require }, name) => import(pathToFileURL(require.resolve(name)).href)
const hasWasm = files => files.some(file => file.endsWith('.wasm'))

async function vite(tools) {
  const { createServer, build, preview } = await import(pathToFileURL(join(tools.packages, 'vite/dist/node/index.js')).href)
  return { createServer, build, preview, base: { root: tools.folder, configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0 }, build: { target: 'es2022', emptyOutDir: true } } }
}

export const bundlers = [
  ...both('vite-dev', ['nothing'], async (tools, code) => {
    const { createServer, base } = await vite(tools)
    tools.write({ 'index.html': HTML, 'main.js': code })
    // Twice: with a cold cache packages are found while the page loads, with a warm one they are bundled before.
    for (let round = 0; round < 2; round++) {
      const server = await createServer({ ...base, cacheDir: join(tools.folder, '.vite') })
      await server.listen()
      await tools.look(server.resolvedUrls.local[0]).finally(() => server.close())
    }
  }),
  ...both('vite-build', ['nothing'], async (tools, code) => {
    const { build, preview, base } = await vite(tools)
    tools.write({ 'index.html': HTML, 'main.js': code })
    await build(base)
    if (hasWasm(tools.files()) !== (code === main)) throw new Error('the wasm is not where it should be')
    const server = await preview({ ...base, preview: { host: '127.0.0.1', port: 0 } })
    tools.later(() => server.close())
    await tools.look(server.resolvedUrls.local[0])
  }),
  ...both('webpack', ['nothing'], async (tools, code) => {
    const { default: webpack } = await tool(tools, 'webpack')
    tools.write({ 'src.mjs': code, 'dist/index.html': HTML })
    await new Promise((done, refuse) => {
      const options = { mode: 'production', context: tools.folder, entry: './src.mjs', output: { path: join(tools.folder, 'dist'), filename: 'main.js', module: true }, experiments: { outputModule: true }, performance: false, target: ['web', 'es2022'] }
      webpack(options, (error, stats) => (error || stats.hasErrors() || stats.hasWarnings() ? refuse(error ?? new Error(stats.toString())) : done()))
    })
    if (hasWasm(tools.files()) !== (code === main)) throw new Error('the wasm is not where it should be')
    await tools.look(await tools.serve({ '/': join(tools.folder, 'dist') }))
  }),
  // What is loaded on demand is a file of its own: a folder is written, not one file.
  ...both('rollup', ["node-resolve; output.dir; the wasm copied, and init('/turnseal.wasm')", 'node-resolve; output.dir'], async (tools, code) => {
    const { rollup } = await tool(tools, 'rollup')
    const { nodeResolve } = await tool(tools, '@rollup/plugin-node-resolve')
    tools.write({ 'src.js': code.replace('init()', "init('/turnseal.wasm')"), 'dist/index.html': HTML })
    if (code === main) cpSync(tools.require.resolve('turnseal/turnseal.wasm'), join(tools.folder, 'dist/turnseal.wasm'))
    const warnings = []
    const bundle = await rollup({ input: join(tools.folder, 'src.js'), plugins: [nodeResolve({ browser: true })], onwarn: warning => warnings.push(warning.message) })
    await bundle.write({ dir: join(tools.folder, 'dist'), entryFileNames: 'main.js', format: 'es' })
    if (warnings.length > 0) throw new Error(warnings.join('\n'))
    await tools.look(await tools.serve({ '/': join(tools.folder, 'dist') }))
  }),
  ...both('esbuild', ["loader: { '.wasm': 'file' }, and init(url) of turnseal/turnseal.wasm"], async (tools, code) => {
    const { build } = await tool(tools, 'esbuild')
    const source = code === main ? `import url from 'turnseal/turnseal.wasm'\n${main.replace('init()', 'init(url)')}` : code
    tools.write({ 'src.js': source, 'dist/index.html': HTML })
    const { warnings } = await build({ entryPoints: [join(tools.folder, 'src.js')], bundle: true, minify: true, format: 'esm', outfile: join(tools.folder, 'dist/main.js'), loader: { '.wasm': 'file' }, publicPath: '/', absWorkingDir: tools.folder, logLevel: 'silent' })
    if (warnings.length > 0) throw new Error(JSON.stringify(warnings))
    await tools.look(await tools.serve({ '/': join(tools.folder, 'dist') }))
  }),
  {
    name: 'script-module',
    says: 'an import map, or the path of dist/index.js',
    run: async tools => {
      const map = '<script type="importmap">{"imports":{"turnseal":"/turnseal/dist/index.js"}}</script>'
      const page = code => HTML.replace('<script type="module" src="main.js"></script>', `${map}<script type="module">${code}</script>`)
      tools.write({ 'index.html': page(main), 'path.html': page(main.replace("'turnseal'", "'/turnseal/dist/index.js'")) })
      const url = await tools.serve({ '/turnseal/': join(tools.packages, 'turnseal'), '/': tools.folder })
      await tools.look(url)
      await tools.look(`${url}path.html`)
    },
  },
]
