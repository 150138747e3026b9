import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list_rows as rows } from '../dist/kernel.js'
import { chance } from './lib.mjs'

/** Lists of many sizes, changed at random beside a plain array; every version is checked again at the end. */
function play(seed, isFrozen) {
  const { below, next } = chance(seed)
  const list = rows(isFrozen)
  let model = []
  const versions = []
  let made = 0
  for (let step = 0; step < 120; step++) {
    const kind = next()
    if (kind < 0.4 && model.length > 0) {
      const at = below(model.length)
      model = model.with ? model.with(at, ++made) : Object.assign(model.slice(), { [at]: ++made })
      list.set(at, made)
    } else {
      const at = below(model.length + 1)
      const removed = below(next() < 0.1 ? 900 : 4)
      const added = Array.from({ length: below(next() < 0.2 ? 700 : 3) }, () => ++made)
      model = model.slice()
      model.splice(at, removed, ...added)
      list.splice(at, removed, added)
    }
    assert.equal(list.length(), model.length)
    if (next() < 0.5) {
      assert.equal(list.view(), list.view())
      versions.push([list.view(), model])
    }
  }
  for (const [view, expected] of versions) assert.deepEqual([...view], expected)
  return versions
}

test('a list of any size is what a plain array would be, and old versions stay', () => {
  for (let seed = 1; seed <= 60; seed++) play(seed, seed % 2 === 0)
})

/** A view of many leaves, and the array it stands for. */
function long(isFrozen = false) {
  const list = rows(isFrozen)
  const plain = Array.from({ length: 2000 }, (_, index) => ({ index }))
  list.splice(0, 0, plain)
  return { list, view: list.view(), plain }
}

test('a long list reads as an array does', () => {
  const { view, plain } = long()
  assert.ok(Array.isArray(view))
  assert.equal(view.length, 2000)
  for (const index of [0, 1, 255, 256, 1023, 1999]) assert.equal(view[index], plain[index])
  for (const odd of [-1, 2000, 1.5, '01', ' 1', '1e3', 'x', Symbol('x'), 4294967295]) assert.equal(view[odd], undefined)
  for (const at of [0, -1, -2000, -2001, 1999, 2000, undefined, NaN, 1.9, Infinity]) assert.equal(view.at(at), plain.at(at))
  assert.deepEqual(view.map(row => row.index), plain.map(row => row.index))
  assert.deepEqual(view.filter(row => row.index % 7 === 0), plain.filter(row => row.index % 7 === 0))
  for (const range of [[], [5], [-3], [10, 20], [20, 10], [0, 2000], [-5000, 5000], [undefined, 3], [NaN, 2]]) {
    assert.deepEqual(view.slice(...range), plain.slice(...range))
  }
  assert.equal(view.find(row => row.index === 1234), plain[1234])
  assert.equal(view.indexOf(plain[77]), 77)
  assert.equal(view.includes(plain[1999]), true)
  assert.deepEqual([...view], plain)
  assert.deepEqual(Array.from(view), plain)
  assert.deepEqual([].concat(view, [1]), [...plain, 1])
  assert.equal(JSON.stringify(view), JSON.stringify(plain))
  assert.deepEqual(Object.keys(view), Object.keys(plain))
  assert.deepEqual(Object.entries(view)[300], ['300', plain[300]])
  assert.ok(5 in view && '5' in view && !(2000 in view) && 'length' in view && 'map' in view)
  const seen = []
  for (const index in view) seen.push(index)
  assert.deepEqual(seen, Object.keys(plain))
  assert.deepEqual({ ...view }, { ...plain })
  const [first, ...rest] = view
  assert.equal(first, plain[0])
  assert.equal(rest.length, 1999)
  assert.equal(view.map, view.map)
  assert.ok(view instanceof Array)
  assert.equal(view.constructor, Array)
  assert.equal(Math.max(...view.map(row => row.index)), 1999)
  assert.equal(Array.prototype.map.call(view, row => row.index).length, 2000)
  assert.equal(String(view.entries().next().value), String(plain.entries().next().value))
  assert.deepEqual(Object.getOwnPropertyDescriptor(view, 'length').value, 2000)
})

test('writes to a list throw, and change nothing', () => {
  const { view, plain } = long()
  const writes = [
    () => { view[0] = 1 },
    () => { view[2000] = 1 },
    () => { view.length = 0 },
    () => { delete view[0] },
    () => view.push(1),
    () => view.pop(),
    () => view.sort(),
    () => view.splice(0, 1),
    () => view.reverse(),
    () => view.fill(0),
    () => view.copyWithin(0, 1),
    () => Object.defineProperty(view, 0, { value: 1 }),
    () => Object.setPrototypeOf(view, null),
    () => Object.assign(view, [1]),
    () => Array.prototype.push.call(view, 1),
  ]
  for (const write of writes) assert.throws(write, TypeError, String(write))
  assert.deepEqual([...view], plain)
})

test('a long list may be frozen by its reader, and still reads the same', () => {
  const { list, view, plain } = long()
  assert.equal(Object.isFrozen(view), false)
  Object.freeze(view)
  assert.ok(Object.isFrozen(view))
  assert.deepEqual([...view], plain)
  assert.deepEqual(Object.keys(view), Object.keys(plain))
  assert.equal(view[1500], plain[1500])
  list.set(0, 'new')
  assert.equal(view[0], plain[0])
  assert.equal(list.view()[0], 'new')
})

test('short lists are frozen in development and plain otherwise', () => {
  const development = rows(true)
  development.splice(0, 0, [1, 2])
  assert.ok(Object.isFrozen(development.view()))
  development.splice(2, 0, [3])
  assert.deepEqual(development.view(), [1, 2, 3])
  const production = rows(false)
  production.splice(0, 0, [1])
  assert.equal(Object.isFrozen(production.view()), false)
})

test('a change of one row in a long list leaves the other leaves alone', () => {
  const { list, view } = long()
  const before = view.slice(0, 10)
  list.set(1999, 'x')
  const after = list.view()
  assert.notEqual(after, view)
  assert.deepEqual(after.slice(0, 10), before)
  assert.equal(view[1999].index, 1999)
})
