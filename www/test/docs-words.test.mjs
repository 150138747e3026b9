// What the pages of docs list is what there is: codes, events, states, versions, entries, languages.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { blocksOf } from '../../pkg/test/blocks.mjs'
import { root } from './chromium.mjs'

const folder = `${root}/docs`
const pages = readdirSync(folder).filter(name => name.endsWith('.md'))
const textOf = page => readFileSync(join(folder, page), 'utf8')

test('each code that the package can say is explained, and no other', () => {
  const read = path => readFileSync(`${root}/${path}`, 'utf8')
  const all = path => readdirSync(`${root}/${path}`, { recursive: true }).filter(name => /\.(ts|rs)$/.test(name)).map(name => read(`${path}/${name}`)).join('\n')
  const words = (text, pattern) => [...text.matchAll(pattern)].map(([, word]) => word)
  const store = words(read('src/store/effect.rs').split('pub fn as_str')[1], /=> "([a-z-]+)"/g)
  const wire = words(all('src/wire').replace(/^.*assert.*$/gm, ''), /(?:refuse|Fault::new|whole)\(\s*"([a-z-]+)"/g)
  const facade = words(all('pkg/src'), /\bcode: '([a-z-]+)'/g).filter(code => !['timeout', 'failed', 'aborted', ...wire].includes(code))
  const errors = words(read('pkg/src/errors.ts').split('/** The only error')[0], /\| '([a-z-]+)'/g)
  const told = title => words(textOf('diagnostics.md').split(`\n## ${title}`)[1].split('\n## ')[0], /^\| `([a-z-]+)` \|/gm)
  const sorted = list => [...new Set(list)].sort()
  assert.deepEqual(sorted(told('What the store says')), sorted(store))
  assert.deepEqual(sorted(told('What an event is refused for')), sorted(wire))
  assert.deepEqual(sorted(told('What the package says')), sorted(facade))
  assert.deepEqual(sorted(told('Errors')), sorted(errors))
})

test('the protocol page tells of each event that the package knows', () => {
  const union = readFileSync(`${root}/pkg/src/events.ts`, 'utf8').split('export type KnownEvent')[1].split('\n  )\n')[0]
  // A type stands behind `type:`, alone, beside others, or below it.
  const types = [...union.matchAll(/readonly type:((?:\s*\|?\s*'[a-z-]+')+)/g)].flatMap(([, names]) => [...names.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name))
  const known = types.filter(name => !['file', 'source', 'data'].includes(name)) // Those of a part.
  const table = textOf('protocol.md').split('\n## Every event')[1].split('\n## ')[0]
  const told = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name))
  assert.ok(known.length > 30)
  assert.deepEqual(told.sort(), known.sort())
})

test('the versions that are compared are those that tests and benchmark run against', () => {
  const of = path => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'))
  const { dependencies, devDependencies } = of('bench/package.json')
  const used = { ...of('pkg/package.json').devDependencies, ...dependencies, ...devDependencies }
  const compared = [...textOf('compare.md').matchAll(/\[(@?[\w/-]+) (\d[\w.]+)\]\(https:\/\/www\.npmjs\.com\/package\/(\S+)\/v\/(\S+)\)/g)]
  assert.equal(compared.length, 6)
  for (const [, name, version, ...linked] of compared) {
    assert.deepEqual(linked, [name, version])
    if (name !== '@langchain/react') assert.equal(used[name], version, name)
  }
})

test('the picture of the owners has each state that a row may have', () => {
  const view = readFileSync(`${root}/pkg/src/view.ts`, 'utf8')
  const known = [...view.match(/type GroupState = (.*)/)[1].matchAll(/'(\w+)'/g)].map(([, state]) => state).sort()
  const drawn = [...readFileSync(`${folder}/owners.svg`, 'utf8').matchAll(/class="name"[^>]*>(\w+)</g)].map(([, state]) => state).sort()
  assert.deepEqual(drawn, known)
})

test('each link leads to a page, each entry exists, each language has its check', () => {
  const entries = Object.keys(JSON.parse(readFileSync(`${root}/pkg/package.json`, 'utf8')).exports)
  for (const page of pages) {
    for (const [, to] of textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) assert.ok(existsSync(join(dirname(join(folder, page)), to)), `${page}: ${to}`)
    for (const [, entry] of textOf(page).matchAll(/`turnseal\/([a-z-]+)`/g)) assert.ok(entries.includes(`./${entry}`), `${page}: ${entry}`)
    if (page !== 'README.md') assert.ok(textOf('README.md').includes(`(${page})`), `docs/README.md lists ${page}`)
  }
  assert.deepEqual([...new Set(pages.flatMap(page => blocksOf(textOf(page))).map(({ language }) => language))].sort(), ['go', 'js', 'jsonl', 'python', 'rust', 'sh'])
})
