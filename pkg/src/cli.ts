#!/usr/bin/env node
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { messageOf } from './errors.js'
import { CannotPlan, type Wishes, diff, plan } from './init/plan.js'
import { sourceOf } from './init/source.js'
import { isRecord } from './json.js'

const HELP = `turnseal init [--yes] [--framework react|svelte] [--connect URL]

Adds a store, a transport to fill in and a chat component to the React or Svelte app in this folder. It prints what it
would change, asks, and changes nothing else. --yes: without asking. A file that is there already is kept.
--connect: the server at that address speaks the protocol of turnseal-server, so that there is nothing to fill in; / is
the page's own server.`

const PROXY = `
While you develop, Vite hands on what belongs to your server, in vite.config:
  server: { proxy: { '/threads': { target: 'http://127.0.0.1:8787' }, '/ws': { target: 'http://127.0.0.1:8787', ws: true } } }`

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return isRecord(manifest) ? String(manifest['version']) : '0'
}

async function agreed(yes: boolean): Promise<boolean> {
  if (yes) return true
  if (!process.stdin.isTTY) {
    console.log('\nNothing was changed. To change it: turnseal init --yes')
    return false
  }
  const ask = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await ask.question('\nChange these files? [y/N] ')
  ask.close()
  if (/^y(es)?$/i.test(answer.trim())) return true
  console.log('Nothing was changed.')
  return false
}

async function init(yes: boolean, wishes: Wishes): Promise<void> {
  const folder = process.cwd()
  // Above the node_modules in which this package is, if it is in one.
  const source = sourceOf(folder, fileURLToPath(new URL('../../..', import.meta.url))) ?? `^${version()}`
  const { changes, kept, component, hasVite } = plan(folder, source, wishes)
  for (const change of changes) console.log(diff(change))
  for (const path of kept) console.log(`${path} is there already and is kept.`)
  if (changes.length === 0) return console.log('Nothing is left to do.')
  if (!(await agreed(yes))) return
  for (const { path, after } of changes) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), after)
  }
  const install = changes.some(({ path }) => path === 'package.json') ? 'install turnseal, ' : ''
  const fill = wishes.connect === undefined ? "put your server's paths into the store, call its listen(url), and " : ''
  console.log(`\nDone. Now: ${install}${fill}draw the component of ${component}.`)
  if (hasVite && wishes.connect?.startsWith('/')) console.log(PROXY)
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: 'boolean', short: 'y', default: false }, framework: { type: 'string' }, connect: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help || positionals.join(' ') !== 'init') {
    console.log(HELP)
    process.exitCode = values.help ? 0 : 2
  } else await init(values.yes, values)
} catch (error) {
  console.error(`turnseal: ${messageOf(error)}`)
  process.exitCode = error instanceof CannotPlan ? 1 : 2
}
