// A copy of the tree under target/mutants, whose builds are kept: what breaks the code on purpose works there.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { at, files, root } from './lib.mjs'

export const copy = at('target/mutants/tree')
/** How cargo builds there: quickly, since each build is run once. */
export const env = {
  CARGO_TARGET_DIR: at('target/mutants/target'),
  CARGO_PROFILE_TEST_OPT_LEVEL: '0',
  CARGO_PROFILE_TEST_DEBUG: '0',
  CARGO_PROFILE_DEV_DEBUG: '0',
  CARGO_TERM_COLOR: 'never',
  PROPTEST_FAILURE_PERSISTENCE: 'off',
}

/** Makes the copy equal to the tree. Only what differs is written: cargo builds anew by time of change. */
export function restore() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const tracked = listed.toString().split('\0').filter(path => path && existsSync(at(path)))
  const kept = new Set(tracked.map(path => join(copy, path)))
  for (const path of files(copy)) if (!kept.has(path)) rmSync(path)
  for (const path of tracked) {
    const [from, to] = [readFileSync(at(path)), join(copy, path)]
    if (existsSync(to) && readFileSync(to).equals(from)) continue
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, from)
  }
}
