// make matrix: builds a tiny app from the packed tarball with each bundler, framework and host, and looks whether it
// renders. CELLS="webpack node" runs only those; --quick leaves out the slow ones. No cell is skipped: what cannot run fails.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { bundlers } from '../matrix/bundlers.mjs'
import { frameworks } from '../matrix/frameworks.mjs'
import { hosts } from '../matrix/hosts.mjs'
import { createPages } from '../matrix/pages.mjs'
import { at, fail, files, must, run, table, version } from './lib.mjs'

const cells = [...bundlers, ...frameworks, ...hosts]
const words = process.argv.slice(2)
const names = words.filter(word => !word.startsWith('--'))
const unknown = names.filter(name => !cells.some(cell => cell.name === name))
if (unknown.length > 0) fail(`matrix: no cell ${unknown.join(', ')}; there are ${cells.map(({ name }) => name).join(', ')}`)
const wanted = cells.filter(({ name, isSlow }) => (names.length > 0 ? names.includes(name) : !(isSlow && words.includes('--quick'))))

/** The packages of a set of cells, as locked, with the tarball among them as a user would have it. */
async function install(set) {
  const folder = at('target/matrix', set)
  const lock = readFileSync(at('matrix', set, 'package-lock.json'), 'utf8')
  const stamp = join(folder, 'node_modules/.turnseal-lock')
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(at('matrix', set, name), join(folder, name))
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    console.log(`matrix: npm packages of ${set}`)
    await must('npm ci --ignore-scripts --no-audit --no-fund --loglevel=error', { cwd: folder, minutes: 10 })
    writeFileSync(stamp, lock)
  }
  const own = join(folder, 'node_modules/turnseal')
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  await must(`tar -xzf '${at('target/pack', `turnseal-${version}.tgz`)}' --strip-components=1 -C '${own}'`)
  return folder
}

/** What a cell works with: an empty folder of its own below the packages. */
function workshop(name, root) {
  const folder = join(root, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const bin = program => join(root, 'node_modules/.bin', program)
  return {
    folder,
    packages: join(root, 'node_modules'),
    require: createRequire(join(root, 'package.json')),
    bin,
    write: contents => {
      for (const [path, text] of Object.entries(contents)) {
        mkdirSync(join(folder, path, '..'), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
    },
    files: () => files(folder),
    /** Runs a command line there and gives what it printed. */
    sh: async (command, { minutes = 4 } = {}) => {
      const { code, output, hung } = await run(command, { cwd: folder, quiet: true, minutes, env: { NEXT_TELEMETRY_DISABLED: '1', CI: '1' } })
      if (code !== 0) throw new Error(`${command}: ${hung ? 'took too long' : `exit code ${code}`}\n${output.slice(-2000)}`)
      return output
    },
  }
}

if (!existsSync(at('target/pack', `turnseal-${version}.tgz`))) fail('matrix: there is no tarball: run make pack')
const roots = {}
const rows = []
const pages = createPages()
for (const { name, set = 'quick', says, run: test } of wanted) {
  const started = Date.now()
  // A development server of another cell sets it for the whole process.
  delete process.env.NODE_ENV
  let why = ''
  try {
    roots[set] ??= await install(set)
    await test({ ...workshop(name, roots[set]), ...pages })
  } catch (error) {
    why = String(error?.message ?? error)
  }
  await pages.closeAll()
  rows.push([name, why === '' ? 'ok' : 'FAILED', `${((Date.now() - started) / 1000).toFixed(1)} s`, says])
  console.log(`${name}: ${why === '' ? 'ok' : `FAILED\n${why}`}`)
}
await pages.end()
const failed = rows.filter(([, result]) => result !== 'ok').length
console.log(`\n${table([['cell', '', 'took', 'what it needs'], ...rows])}\n`)
console.log(`${rows.length - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
