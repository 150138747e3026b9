import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))

test('the package, packed and installed in an empty folder, works by each entry', () => {
  const place = mkdtempSync(join(tmpdir(), 'turnseal-'))
  try {
    const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], folder)
    const tarball = readdirSync(place).find(name => name.endsWith('.tgz'))
    const app = join(place, 'app')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}')
    run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', join(place, tarball)], app)
    assert.deepEqual(readdirSync(join(app, 'node_modules')).filter(name => !name.startsWith('.')), ['turnseal'], 'no dependency comes along')
    for (const entry of ['turnseal', 'turnseal/inline']) {
      writeFileSync(join(app, 'use.mjs'), `
        import { createStore, init, isReady, replay, TurnsealError } from '${entry}'
        const store = createStore({ schedule: 'sync' })
        await init()
        if (!isReady() || !(new TurnsealError('freed', 'x') instanceof Error)) throw new Error('not ready')
        store.handleMessage('{"type":"notice","message":"hello"}')
        console.log(store.renderGroups()[0].parts[0].text, replay(store.record()).renderGroups().length)
      `)
      assert.equal(run('node', ['use.mjs'], app).trim(), 'hello 1', entry)
      if (process.allowedNodeEnvironmentFlags.has('--experimental-require-module')) {
        const text = `const { createStore } = require('${entry}'); console.log(createStore().renderGroups().length)`
        assert.equal(run('node', ['--experimental-require-module', '--no-warnings', '-e', text], app).trim(), '0', `require ${entry}`)
      }
    }
    writeFileSync(join(app, 'stream.jsonl'), '{"type":"turn-start","turnId":"a"}\n{"type":"turn-end","turnId":"a","outcome":"done"}\n{"type":"turn-sealed","turnId":"a"}\n')
    assert.match(run(join(app, 'node_modules/.bin/turnseal-check'), ['stream.jsonl'], app), /no rule is broken/)
    const wasm = readFileSync(join(app, 'node_modules/turnseal/dist/wasm/store/turnseal.wasm'))
    assert.ok(WebAssembly.validate(wasm))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
