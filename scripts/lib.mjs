// What the other scripts share: paths, running a command, folders, hashes. Plain Node, no packages.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const at = (...path) => join(root, ...path)
export const cache = process.env.TURNSEAL_CACHE || join(homedir(), '.cache', 'turnseal')
export const version = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')).version
export const npmBin = name => at('pkg/node_modules/.bin', name)

/** The version of a crate in Cargo.lock. */
export function locked(crate) {
  const found = new RegExp(`name = "${crate}"\\nversion = "([^"]+)"`).exec(readFileSync(at('Cargo.lock'), 'utf8'))
  if (!found) throw new Error(`${crate} is not in Cargo.lock`)
  return found[1]
}

/** A program that `make setup` put into the cache. wasm-bindgen's is at the version of the crate: they must be equal. */
export function tool(name) {
  const pinned = new RegExp(`^${name} (\\S+)`, 'm').exec(readFileSync(at('scripts/versions'), 'utf8'))
  const path = join(cache, `${name}-${pinned ? pinned[1] : locked(name)}`, 'bin', name)
  if (!existsSync(path)) throw new Error(`${path} is missing: run WITH=${name} scripts/setup`)
  return path
}

/** Every file below a folder, as paths, in order; none where there is no folder. */
export function files(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder).sort().flatMap(name => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? files(path) : [path]
  })
}

/** One hash over the contents and names of files. */
export function hash(paths) {
  const sum = createHash('sha256')
  for (const path of paths) sum.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return sum.digest('hex')
}

/**
 * Runs a command line in a group of its own, shows what it prints and returns it with its exit code.
 * After `minutes` the whole group is ended: a browser or server that a test started must not outlive it.
 */
export function run(command, { env = {}, cwd = root, minutes = 30, quiet = false, log } = {}) {
  return new Promise(done => {
    const started = Date.now()
    const child = spawn('sh', ['-c', command], {
      cwd, env: { ...process.env, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (log) mkdirSync(dirname(log), { recursive: true })
    const file = log && createWriteStream(log)
    let output = ''
    let hung = false
    const timer = setTimeout(() => { hung = true; end(child) }, minutes * 60_000)
    const onExit = () => end(child)
    process.once('exit', onExit)
    for (const [stream, shown] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
      stream.setEncoding('utf8')
      stream.on('data', text => { output += text; file?.write(text); if (!quiet) shown.write(text) })
    }
    // What a test left running would hold the pipes, and this script, open.
    child.on('exit', () => end(child))
    child.on('close', code => {
      clearTimeout(timer)
      process.removeListener('exit', onExit)
      file?.end()
      done({ code: code ?? 1, output, hung, seconds: (Date.now() - started) / 1000 })
    })
  })
}

function end(child) {
  try { process.kill(-child.pid, 'SIGKILL') } catch { /* It has ended by itself. */ }
}

// An interrupted script takes its children with it: they are in groups of their own and would not hear Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

/** Runs a command line and ends this script where it fails. */
export async function must(command, options) {
  const result = await run(command, options)
  if (result.code !== 0) {
    if (options?.quiet) process.stderr.write(result.output)
    fail(`${command}: ${result.hung ? 'took too long' : `exit code ${result.code}`}`)
  }
  return result
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

/** Rows as text in columns. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => String(row[column]).length)))
  return rows.map(row => row.map((cell, column) => String(cell).padEnd(widths[column])).join('  ').trimEnd()).join('\n')
}
