// The table of the README says what the matrix looks at: its cells and their versions.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bundlers } from '../matrix/bundlers.mjs'
import { frameworks } from '../matrix/frameworks.mjs'
import { hosts } from '../matrix/hosts.mjs'
import { at } from './lib.mjs'

const section = readFileSync(at('README.md'), 'utf8').split('## Where it runs')[1].split('\n## ')[0]
const rows = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, first]) => first).slice(2)
const pinned = Object.assign({}, ...['quick', 'next'].map(set => JSON.parse(readFileSync(at('matrix', set, 'package.json'), 'utf8')).devDependencies))

test('the table has each cell once', () => {
  const told = rows.flatMap(row => [...row.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name))
  const cells = [...bundlers, ...frameworks, ...hosts].map(({ name }) => name)
  assert.deepEqual([...told].sort(), cells.filter(name => !name.endsWith('-inline')).sort())
  for (const name of cells.filter(name => name.endsWith('-inline'))) assert.ok(told.includes(name.replace('-inline', '')), name)
})

test('the versions of the table are those that are pinned', () => {
  const names = { Vite: 'vite', SvelteKit: '@sveltejs/kit', Next: 'next', webpack: 'webpack', Rollup: 'rollup', Bun: 'bun', Deno: 'deno' }
  for (const [told, name] of Object.entries(names)) {
    const [, major] = new RegExp(`${told} (\\d+)`).exec(section) ?? []
    assert.equal(major, pinned[name].split('.')[0], told)
  }
  for (const [name, version] of Object.entries(pinned)) assert.match(version, /^\d+\.\d+\.\d+$/, name)
})
