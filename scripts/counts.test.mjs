import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counts, trouble } from './counts.mjs'

test('cargo: the closing lines of all test binaries are added up', () => {
  const output = `running 2 tests
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
\x1b[31mtest result: FAILED\x1b[0m. 3 passed; 1 failed; 4 ignored; 0 filtered out; finished in 0.02s
`
  assert.deepEqual(counts('cargo', output), { passed: 5, failed: 1, skipped: 4 })
})

test('node: both reporters are read, and a cancelled test failed', () => {
  const tap = '# tests 9\n# pass 5\n# fail 1\n# cancelled 2\n# skipped 1\n# todo 0\n'
  const expected = { passed: 5, failed: 3, skipped: 1 }
  assert.deepEqual(counts('node', tap), expected)
  assert.deepEqual(counts('node', tap.replaceAll('#', 'ℹ')), expected)
})

test('plain: only a line of its own counts', () => {
  assert.deepEqual(counts('plain', 'x 1 passed, 2 failed\n3 passed, 0 failed\n'), { passed: 3, failed: 0, skipped: 0 })
  assert.deepEqual(counts('plain', '3 passed, 1 failed, 2 skipped\n'), { passed: 3, failed: 1, skipped: 2 })
})

test('a stage that only ended well proves nothing', () => {
  const ended = { code: 0, hung: false, seconds: 60 }
  const all = { passed: 1, failed: 0, skipped: 0 }
  assert.equal(trouble(ended, all), '')
  assert.equal(trouble(ended, { ...all, passed: 0 }), 'ran no test (exit code 0)')
  assert.equal(trouble(ended, { ...all, skipped: 2 }), '2 skipped')
  assert.equal(trouble({ ...ended, hung: true }, all), 'took longer than 60 s')
  assert.equal(trouble(ended, { ...all, failed: 1 }), 'exit code 0, but a test failed')
})

test('a bad end is one failure more only where no failed test explains it', () => {
  const ended = { code: 101, hung: false, seconds: 1 }
  assert.equal(trouble(ended, { passed: 1, failed: 1, skipped: 0 }), '')
  assert.match(trouble(ended, { passed: 1, failed: 0, skipped: 0 }), /^exit code 101, but no test failed/)
})
