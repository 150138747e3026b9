// make test: runs each stage of stages.mjs, reads its counts, and closes with one line "N passed, N failed".
// A stage that ran no test, skipped one, hung, or ended badly without naming a failed test counts as one failure.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { counts, trouble } from './counts.mjs'
import { at, fail, run, table } from './lib.mjs'
import { stages } from './stages.mjs'

// The whole run has to end, whatever hangs.
const MINUTES = Number(process.env.TURNSEAL_TEST_MINUTES ?? 60)
const deadline = Date.now() + MINUTES * 60_000

/** The environment for a browser, or why there is none. */
async function chromium() {
  const chrome = process.env.CHROME || '/usr/bin/chromium'
  const driver = process.env.CHROMEDRIVER || (await run('command -v chromedriver', { quiet: true })).output.trim()
  if ((await run(`command -v '${chrome}'`, { quiet: true })).code !== 0) return { missing: `no Chromium at ${chrome} (CHROME= names one)` }
  if (!existsSync(driver)) return { missing: 'no chromedriver on PATH (CHROMEDRIVER= names one)' }
  const capabilities = JSON.parse(readFileSync(at('webdriver.json'), 'utf8'))
  if (process.env.CHROME) capabilities['goog:chromeOptions'].binary = chrome
  const path = at('target/webdriver.json')
  mkdirSync(at('target'), { recursive: true })
  writeFileSync(path, JSON.stringify(capabilities))
  return { env: { CHROME: chrome, CHROMEDRIVER: driver, WASM_BINDGEN_TEST_WEBDRIVER_JSON: path } }
}

let built
/** Why a stage's needs are not met, or the environment that they give. */
async function prepare(needs) {
  if (needs.includes('build')) {
    built ??= await run('node scripts/build.mjs', { minutes: 20 })
    if (built.code !== 0) return { missing: 'make build failed' }
  }
  return needs.includes('chromium') ? chromium() : { env: {} }
}

async function stage({ name, run: command, reads, needs }) {
  console.log(`\n== ${name}: ${command}`)
  const { missing, env } = await prepare(needs)
  if (missing) return { name, passed: 0, failed: 1, why: missing, seconds: 0 }
  const result = await run(command, {
    env: { CARGO_TERM_COLOR: 'never', NO_COLOR: '1', ...env },
    minutes: Math.max((deadline - Date.now()) / 60_000, 0.1),
    log: at('target/test-logs', `${name}.log`),
  })
  const seen = counts(reads, result.output)
  const why = trouble(result, seen)
  // A failed test explains a bad end already; anything else is a failure of its own.
  return { name, passed: seen.passed, failed: seen.failed + (why ? 1 : 0), why, seconds: result.seconds }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !stages.some(known => known.name === name))
if (unknown.length > 0) fail(`test: no stage ${unknown.join(', ')}; there are ${stages.map(({ name }) => name).join(', ')}`)

const done = []
for (const next of stages.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) done.push(await stage(next))

const rows = done.map(({ name, passed, failed, seconds, why }) => [name, passed, failed, `${seconds.toFixed(1)} s`, why])
console.log(`\n${table([['stage', 'passed', 'failed', 'took', ''], ...rows])}\n`)
const sum = field => done.reduce((total, row) => total + row[field], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 ? 1 : 0
