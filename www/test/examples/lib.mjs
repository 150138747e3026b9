// An example as a user starts it, and a promise of a state.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../chromium.mjs'

/** A machine with much to do is slow, and no more than that. */
export const PATIENCE_MS = 60_000

/** What is installed in an example. */
export const packagesOf = name => `${root}/www/examples/${name}/node_modules`

/** Starts an example by the command of the README but for its packing; Ctrl-C ends it, and nothing of it is left. */
export async function startExample(t, name) {
  const child = spawn(process.execPath, ['scripts/example.mjs', name], { cwd: root, env: { ...process.env, PACE: '25' }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', text => (said += text))
  const gone = new Promise(done => child.once('exit', done))
  const url = await Promise.race([new Promise(done => createInterface(child.stdout).once('line', done)), gone.then(code => assert.fail(`${name} ended with ${code}: ${said}`))])
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.after(async () => {
    child.kill('SIGINT')
    assert.equal(await gone, 0, said)
    await assert.rejects(fetch(url), 'nobody serves any more')
  })
  return url
}

/** What is true of a thread, once it is. */
export function until(thread, isTrue, what) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => over(fail, new Error(`never: ${what}\n${drawn(thread).join('\n')}\n${JSON.stringify({ ...thread.getSnapshot(), groups: undefined })}`)), PATIENCE_MS)
    const end = thread.subscribe(look)
    function over(act, value) {
      clearTimeout(timer)
      end()
      act(value)
    }
    function look() {
      if (isTrue(thread.getSnapshot())) over(done)
    }
    look()
  })
}

/** Nothing runs, nothing waits, and all is written. */
export const isQuiet = ({ status, groups }) => status === 'idle' && groups.length > 0 && groups.every(({ state }) => state === 'sealed')

/** What is read, top to bottom. */
export const drawn = thread => thread.renderGroups().map(({ role, state, parts }) => `${role} ${state} ${parts.map(part => (part.type === 'tool' ? `[${part.name} ${part.state}]` : part.text)).join(' / ')}`)
