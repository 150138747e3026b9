// Bundles the suite with a driver for a page, and compiles components for a server.
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { basename } from 'node:path'
import { build } from 'esbuild'
import { compile, compileModule } from 'svelte/compiler'

const here = fileURLToPath(new URL('.', import.meta.url))

const svelte = generate => ({
  name: 'svelte',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({ contents: compile(await readFile(path, 'utf8'), { generate, filename: basename(path), dev: generate === 'client' }).js.code, resolveDir: here }))
    onLoad({ filter: /\.svelte\.js$/ }, async ({ path }) => ({ contents: compileModule(await readFile(path, 'utf8'), { generate, filename: basename(path) }).js.code, resolveDir: here }))
  },
})

/** One script for a page: what `code` exports is `window.skin`. */
export async function bundle(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: here, sourcefile: 'page.js' },
    bundle: true, write: false, format: 'iife', globalName: 'skin', conditions: ['browser', 'development'],
    define: { 'process.env.NODE_ENV': '"development"' }, plugins: [svelte('client')],
  })
  return outputFiles[0].text
}

/** A module for Node, with its components compiled for a server. Packages are Node's own, and so is this one. */
export async function served(code, name) {
  const own = {
    name: 'own',
    setup: ({ onResolve }) => onResolve({ filter: /\/dist\// }, ({ path }) => ({ path: new URL(path, import.meta.url).href, external: true })),
  }
  // Below the packages that it imports.
  const outfile = fileURLToPath(new URL(`../../node_modules/.cache/turnseal/${name}.mjs`, import.meta.url))
  await build({ stdin: { contents: code, resolveDir: here, sourcefile: 'server.js' }, bundle: true, outfile, format: 'esm', platform: 'node', packages: 'external', plugins: [own, svelte('server')] })
  return import(pathToFileURL(outfile).href)
}
