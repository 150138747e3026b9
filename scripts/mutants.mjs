// make mutants: each patch in tests/mutants breaks a law on purpose; the tests that its first lines name must see it.
//   # run: cargo test --test scenarios l03
//   # prints: # L\d     and print what matches this: a model prints what it found as a scenario
// Works on a copy of the tree under target/mutants, whose builds are kept, so the tree itself is never touched.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { copy, env, restore } from './copy.mjs'
import { counts } from './counts.mjs'
import { at, fail, files, run, table } from './lib.mjs'

/** Runs a patch's command in the copy; the tests have seen the mutant only where one is counted as failed. */
async function test(command) {
  const result = await run(command, { cwd: copy, env, minutes: 15, quiet: true })
  const seen = counts('cargo', result.output)
  const more = counts('node', result.output)
  return { ...result, passed: seen.passed + more.passed, failed: seen.failed + more.failed }
}

const sound = new Map()
/** A command proves something only if it passes, with a test in it, on the tree as it is. */
async function passes(command) {
  if (!sound.has(command)) {
    const { code, passed, output } = await test(command)
    if (code !== 0 || passed === 0) console.log(output)
    sound.set(command, code === 0 && passed > 0)
  }
  return sound.get(command)
}

async function judge(patch) {
  const head = readFileSync(patch, 'utf8').split(/^(?:diff |--- )/m)[0]
  const command = /^# run: (.+)$/m.exec(head)?.[1]
  const prints = /^# prints: (.+)$/m.exec(head)?.[1]
  if (!command) return ['', 'BROKEN: no "# run:" line', 0]
  restore()
  if (!(await passes(command))) return [command, 'BROKEN: fails without the mutant, or has no test', 0]
  // The copy lies inside the repository; git is not to find that, or it would take the paths for the outer tree's.
  const applied = await run(`git apply --whitespace=nowarn '${patch}'`, { cwd: copy, quiet: true, env: { GIT_CEILING_DIRECTORIES: at('target/mutants') } })
  if (applied.code !== 0) return [command, `BROKEN: does not apply: ${applied.output.trim().split('\n')[0]}`, 0]
  const { code, failed, hung, output, seconds } = await test(command)
  if (hung) return [command, 'killed (hung)', seconds]
  if (code === 0) return [command, 'SURVIVED', seconds]
  if (failed === 0) console.log(output)
  if (failed > 0 && prints && !new RegExp(`^${prints}`, 'm').test(output)) return [command, 'BROKEN: prints no scenario', seconds]
  return [command, failed > 0 ? `killed by ${failed}` : 'BROKEN: does not build', seconds]
}

const wanted = process.argv.slice(2)
const patches = files(at('tests/mutants')).filter(path => path.endsWith('.patch'))
const chosen = patches.filter(path => wanted.length === 0 || wanted.includes(basename(path, '.patch')))
if (chosen.length === 0) fail('mutants: there is no such patch in tests/mutants')

const rows = []
for (const patch of chosen) {
  const [command, result, seconds] = await judge(patch)
  console.log(`${basename(patch)}: ${result}`)
  rows.push([basename(patch, '.patch'), result, `${seconds.toFixed(1)} s`, command])
}
restore()
console.log(`\n${table([['mutant', 'result', 'took', 'run'], ...rows])}\n`)
const alive = rows.filter(([, result]) => !result.startsWith('killed')).length
console.log(`${rows.length - alive} killed, ${alive} not`)
process.exitCode = alive > 0 ? 1 : 0
