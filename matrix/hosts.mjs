// Hosts without a page: each runs the same program, with the store and with the engine.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WORDS, freePort } from './pages.mjs'

const program = `import { createStore, init, replay } from 'turnseal'
import { createStore as createInline } from 'turnseal/inline'
import { createEngine } from 'turnseal/engine'
await init()
export const text = () => {
  const store = createStore({ schedule: 'sync' })
  store.handleMessage('{"type":"notice","message":"${WORDS}"}')
  const words = replay(store.record()).renderGroups()[0].parts[0].text
  const [first] = createEngine().apply('t', { type: 'send', messageId: 'm', text: 'hi' })
  return words + ', ' + createInline().renderGroups().length + ', ' + typeof first.type
}
`
const wanted = `${WORDS}, 0, string`
const expect = output => {
  if (!output.includes(wanted)) throw new Error(`it says ${JSON.stringify(output.slice(-500))}`)
}

/** The program of a package that comes as one package for each platform. */
const platform = (packages, scope, start, path) => {
  const folder = join(packages, scope)
  const name = readdirSync(folder).filter(name => name.startsWith(start)).sort((a, b) => a.length - b.length)[0]
  if (name === undefined) throw new Error(`${scope} has no package for this platform`)
  return join(folder, name, path)
}

export const hosts = [
  {
    name: 'node',
    says: 'nothing',
    run: async tools => {
      tools.write({ 'text.mjs': program, 'main.mjs': "import { text } from './text.mjs'\nconsole.log(text())\n" })
      expect(await tools.sh(`'${process.execPath}' main.mjs`))
    },
  },
  {
    name: 'bun',
    says: 'nothing',
    run: async tools => {
      tools.write({ 'text.mjs': program, 'main.mjs': "import { text } from './text.mjs'\nconsole.log(text())\n" })
      expect(await tools.sh(`'${platform(tools.packages, '@oven', 'bun-', 'bin/bun')}' main.mjs`))
    },
  },
  {
    name: 'deno',
    says: 'nodeModulesDir: "manual"; --allow-read',
    run: async tools => {
      tools.write({ 'text.mjs': program, 'main.mjs': "import { text } from './text.mjs'\nconsole.log(text())\n" })
      expect(await tools.sh(`'${platform(tools.packages, '@deno', '', 'deno')}' run --no-lock --node-modules-dir=manual --allow-read main.mjs`))
    },
  },
  {
    name: 'workerd',
    says: 'a bundle with the condition workerd, and the wasm as a module',
    run: async tools => {
      const { build } = await import(pathToFileURL(tools.require.resolve('esbuild')).href)
      // Inline wasm is compiled from bytes, which this host does not do: it has the file as a module.
      const only = program.replace(/^.*turnseal\/inline.*\n/m, '').replace('createInline().renderGroups().length', '0')
      tools.write({
        'text.mjs': only,
        'main.mjs': "import { text } from './text.mjs'\nexport default { fetch: () => new Response(text()) }\n",
        // The README says that the inline entry does not work here.
        'inline.mjs': "import { createStore } from 'turnseal/inline'\nconst tried = () => {\n  try {\n    return createStore().renderGroups().length\n  } catch (error) {\n    return error.code\n  }\n}\nexport default { fetch: () => new Response(tried()) }\n",
      })
      const wasm = []
      const modules = {
        name: 'modules',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
            const name = `${wasm.length}.wasm`
            cpSync(join(resolveDir, path), join(tools.folder, name))
            wasm.push(name)
            return { path: `./${name}`, external: true }
          }),
      }
      await build({ entryPoints: ['main.mjs', 'inline.mjs'].map(name => join(tools.folder, name)), bundle: true, format: 'esm', outdir: join(tools.folder, 'out'), conditions: ['workerd', 'worker', 'browser'], plugins: [modules], logLevel: 'silent' })
      const [port, second] = [await freePort(), await freePort()]
      const module = (name, kind, file) => `(name = "${name}", ${kind} = embed "${file}")`
      const worker = (file, ...more) => `(modules = [${[module('worker.js', 'esModule', file), ...more].join(', ')}], compatibilityDate = "2026-01-01")`
      const socket = (name, port) => `(name = "${name}", address = "127.0.0.1:${port}", http = (), service = "${name}")`
      tools.write({
        'config.capnp': `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = ${worker('out/main.js', ...wasm.map(name => module(name, 'wasm', name)))}), (name = "inline", worker = ${worker('out/inline.js')})],
  sockets = [${socket('main', port)}, ${socket('inline', second)}],
);
`,
      })
      const file = platform(tools.packages, '@cloudflare', 'workerd-', 'bin/workerd')
      expect(await tools.start(file, ['serve', 'config.capnp'], `http://127.0.0.1:${port}/`, tools.folder))
      const inline = await (await fetch(`http://127.0.0.1:${second}/`)).text()
      if (inline !== 'init-failed') throw new Error(`the inline entry says ${inline}`)
    },
  },
]
