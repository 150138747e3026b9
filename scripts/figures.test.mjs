// Figures are measured: what BENCH.md and the README tell is what the last run of `make bench WRITE=1` found.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { text, untrue } from '../bench/write.mjs'
import { at } from './lib.mjs'

const file = readFileSync(at('bench/result.json'), 'utf8')
const result = JSON.parse(file)

test('the figures of BENCH.md and of the README are those of bench/result.json', () => {
  assert.equal(text(result), file)
  assert.deepEqual(untrue(result), [])
})

test('another run would be told', () => {
  const other = structuredClone(result)
  other.hosts.node.deltas.find(({ form, groups }) => form === 'message-16' && groups === 10).ratio.median *= 2
  assert.deepEqual(untrue(other), ['BENCH.md', 'README.md'])
})
