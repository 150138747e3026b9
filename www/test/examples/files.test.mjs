// What the examples are made of: exact versions, the package as it is packed, one style sheet, a README each.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { examples } from '../../../scripts/examples.mjs'
import { root } from '../chromium.mjs'

const read = path => readFileSync(`${root}/${path}`, 'utf8')
const names = Object.keys(examples)
const { version } = JSON.parse(read('pkg/package.json'))

test('each example is a folder with a README, and is named where a user looks', () => {
  const folders = readdirSync(`${root}/www/examples`, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => name)
  assert.deepEqual(folders.sort(), [...names].sort())
  const index = read('www/examples/README.md')
  for (const name of names) {
    assert.ok(index.includes(`make example NAME=${name}\``), name)
    assert.ok(read(`www/examples/${name}/README.md`).includes(`make example NAME=${name}`), name)
  }
})

test('packages are pinned, and turnseal is the tarball of this version, whatever is in it', () => {
  for (const name of names.filter(name => existsSync(`${root}/www/examples/${name}/package.json`))) {
    const { dependencies, devDependencies = {} } = JSON.parse(read(`www/examples/${name}/package.json`))
    const { turnseal, ...others } = { ...dependencies, ...devDependencies }
    assert.equal(turnseal, `file:../../../target/pack/turnseal-${version}.tgz`)
    for (const [other, wanted] of Object.entries(others)) assert.match(wanted, /^\d+\.\d+\.\d+$/, `${name}: ${other}`)
    const locked = JSON.parse(read(`www/examples/${name}/package-lock.json`)).packages['node_modules/turnseal']
    assert.deepEqual([locked.version, locked.resolved, locked.integrity], [version, turnseal, undefined], `${name}: package-lock.json`)
  }
})

test('the style sheet is one', () => {
  const [first, ...others] = ['plain', 'react/src', 'sveltekit/src'].map(folder => read(`www/examples/${folder}/style.css`))
  for (const other of others) assert.equal(other, first)
})
