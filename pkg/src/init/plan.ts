import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson, isRecord } from '../json.js'
import { type App, chatComponent, storeModule } from './templates.js'

/** A file as it is, and as it will be. */
export interface Change {
  readonly path: string
  /** Absent: the file is new. */
  readonly before?: string
  readonly after: string
}

/** What `init` would do, and what it lets be. */
export interface Plan {
  readonly changes: readonly Change[]
  readonly kept: readonly string[]
  /** Where the component is, from the app's folder. */
  readonly component: string
  /** The app is made with Vite, which hands requests on while one develops. */
  readonly hasVite: boolean
}

/** What was said on the command line. */
export interface Wishes {
  /** React or Svelte, where both are here. */
  readonly framework?: string | undefined
  /** Where a server is that speaks the protocol. */
  readonly connect?: string | undefined
}

/** Why nothing can be planned; the text is for the user. */
export class CannotPlan extends Error {}

/** Looks at an app and says what it needs; `source` is where its package comes from, unless that is said already. Reads only. */
export function plan(folder: string, source: string, { framework: wanted, connect }: Wishes = {}): Plan {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) throw new CannotPlan('there is no package.json here: run it in the folder of an app')
  const text = readFileSync(file, 'utf8')
  const names = dependencies(text)
  const framework = wanted ?? only(['react', 'svelte'].filter(name => names.has(name)))
  if (framework !== 'react' && framework !== 'svelte') throw new CannotPlan(`--framework is react or svelte, not ${framework}`)
  const app: App = {
    framework,
    typed: names.has('typescript') || existsSync(join(folder, 'tsconfig.json')),
    onServer: names.has('next') || names.has('@sveltejs/kit'),
    ...(connect === undefined ? {} : { connect }),
  }
  const home = ['src/lib', 'src', 'app', '.'].find(place => existsSync(join(folder, place)) && (place !== 'src/lib' || names.has('@sveltejs/kit'))) ?? '.'
  const place = (name: string) => join(home, 'turnseal', name)
  const component = place(framework === 'svelte' ? 'Chat.svelte' : app.typed ? 'Chat.tsx' : 'Chat.jsx')
  const made: Change[] = [
    { path: place(app.typed ? 'store.ts' : 'store.js'), after: storeModule(app) },
    { path: component, after: names.has('next') ? `'use client'\n\n${chatComponent(app)}` : chatComponent(app) },
  ]
  const kept = made.filter(({ path }) => existsSync(join(folder, path))).map(({ path }) => path)
  const fresh = made.filter(({ path }) => !kept.includes(path))
  const manifest: Change[] = names.has('turnseal') ? [] : [{ path: 'package.json', before: text, after: withDependency(text, source) }]
  return { changes: [...manifest, ...fresh], kept, component, hasVite: names.has('vite') }
}

function only(found: readonly string[]): string {
  const [name] = found
  if (found.length === 1 && name !== undefined) return name
  throw new CannotPlan(found.length === 0 ? 'neither react nor svelte is among the dependencies' : 'react and svelte are both here: say --framework react or --framework svelte')
}

function dependencies(text: string): ReadonlySet<string> {
  const value = fromJson(text)
  if (value === undefined) throw new CannotPlan('package.json is no JSON')
  const of = (name: string) => (isRecord(value) && isRecord(value[name]) ? Object.keys(value[name]) : [])
  return new Set([...of('dependencies'), ...of('devDependencies'), ...of('optionalDependencies'), ...of('peerDependencies')])
}

/** The manifest with one line more; the others stay as they are written. */
function withDependency(text: string, source: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const line = `${eol}${indent}${indent}"turnseal": ${JSON.stringify(source)}`
  const whole = (inner: string) => `"dependencies": {${inner}`
  const attempts = [
    text.replace(/"dependencies"\s*:\s*\{\s*\}/, whole(`${line}${eol}${indent}}`)),
    text.replace(/"dependencies"\s*:\s*\{/, whole(`${line},`)),
    text.replace(/\{/, `{${eol}${indent}${whole(`${line}${eol}${indent}}`)},`),
  ]
  const after = attempts.find(attempt => attempt !== text && dependsOn(attempt))
  if (after === undefined) throw new CannotPlan('package.json is written in a way that cannot be added to: add turnseal to its dependencies')
  return after
}

function dependsOn(text: string): boolean {
  const value = fromJson(text)
  return isRecord(value) && isRecord(value['dependencies']) && 'turnseal' in value['dependencies']
}

/** The change as a patch reads: unchanged lines around what is new. */
export function diff({ path, before, after }: Change): string {
  const now = after.split('\n')
  const was = before?.split('\n') ?? []
  let [first, last] = [0, 0]
  while (first < was.length && was[first] === now[first]) first += 1
  while (last < was.length - first && was[was.length - 1 - last] === now[now.length - 1 - last]) last += 1
  const from = Math.max(0, first - 2)
  const lines = [
    ...now.slice(from, first).map(line => ` ${line}`),
    ...was.slice(first, was.length - last).map(line => `-${line}`),
    ...now.slice(first, now.length - last).map(line => `+${line}`),
    ...now.slice(now.length - last, now.length - last + 2).map(line => ` ${line}`),
  ]
  return [`--- ${before === undefined ? '/dev/null' : path}`, `+++ ${path}`, ...lines].join('\n')
}
