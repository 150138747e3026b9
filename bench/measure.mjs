// Measures the store beside a hand-written slice and its peers, in one run and on the same work, in Node and in Chromium, and
// holds the budgets of SPEC section 10. LANES="deltas peers", PEERS="ag-ui" and HOSTS="node" run some of it; WRITE=1 puts
// a whole run into BENCH.md, README.md and bench/result.json.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem, type } from 'node:os'
import { at } from '../scripts/lib.mjs'
import { chromiumHost, nodeHost } from './hosts.mjs'
import { judge, said } from './judge.mjs'
import { about, peers } from './lanes/index.mjs'
import { tables } from './tables.mjs'
import { text, write } from './write.mjs'

const LANES = ['deltas', 'works', 'attach', 'peers', 'react', 'growth', 'memory', 'native', 'divan', 'engine', 'download']
const PEER_SIZES = [10, 1_000, 10_000, 100_000]

const words = (value, all) => {
  const wanted = value?.split(/\s+/).filter(word => word !== '') ?? []
  const unknown = wanted.filter(word => !all.includes(word))
  if (unknown.length > 0) throw new Error(`bench: no ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return wanted.length === 0 ? all : wanted
}
const wanted = {
  hosts: words(process.env.HOSTS, ['node', 'chromium']),
  lanes: words(process.env.LANES, LANES),
  peers: words(process.env.PEERS, peers),
}
const isWhole = wanted.hosts.length === 2 && wanted.lanes.length === LANES.length && wanted.peers.length === peers.length

const isWritten = process.env.WRITE === '1'
if (isWritten && !isWhole) throw new Error('bench: only a whole run is written down')

const started = Date.now()
const say = what => console.error(`bench: ${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${what}`)
const has = lane => wanted.lanes.includes(lane)

/** The lanes that run the same in every host. */
async function measured(host) {
  const costs = { version: host.version }
  for (const lane of ['deltas', 'works', 'attach']) {
    if (!has(lane)) continue
    say(`${host.name}: ${lane}`)
    costs[lane] = await host.play({ lane })
  }
  if (has('react') && host.name === 'chromium') costs.react = await host.play({ lane: 'react' })
  if (!has('peers')) return costs
  costs.peers = []
  for (const peer of wanted.peers) {
    say(`${host.name}: ${peer}`)
    costs.peers.push(...(await host.play({ lane: 'peers', peer, sizes: PEER_SIZES })))
  }
  return costs
}

const told = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', cwd: at() }).trim()
const json = (program, args) => JSON.parse(execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } }))
const script = (name, ...args) => json(process.execPath, ['--expose-gc', at('bench', name), ...args])

/** What is measured in Node or natively alone. */
const alone = {
  growth: () => script('growth.mjs'),
  memory: () => Object.fromEntries(['text', 'store', 'read', 'parsed', 'steady', 'lifetimes'].map(mode => [mode, script('memory.mjs', mode)])),
  native: () => json(at('target/release/examples/core_speed'), []),
  divan: () => execFileSync('cargo', ['bench', '--quiet', '--bench', 'store'], { encoding: 'utf8', cwd: at() }),
  engine: () => script('engine.mjs'),
  download: () => {
    const { status, entries } = script('../scripts/size.mjs', '--json')
    if (status !== 0) say('the download has grown beyond what is held')
    return entries
  },
}

/** Versions of all peers, as installed. */
async function versions() {
  const installed = name => JSON.parse(readFileSync(at('bench/node_modules', name, 'package.json'), 'utf8')).version
  const told = await Promise.all(wanted.peers.map(about))
  return told.map(peer => ({ ...peer, packages: peer.packages.map(name => `${name} ${installed(name)}`) }))
}

const result = {
  machine: { cpu: cpus()[0]?.model.trim(), cores: cpus().length, memory: totalmem(), system: type(), load: loadavg()[0], node: process.version, rust: told('rustc', '--version'), commit: told('git', 'rev-parse', '--short', 'HEAD') },
  peers: await versions(), hosts: {},
}
// After each host: a run that is broken off has told what it knew.
const keep = () => {
  mkdirSync(at('target/bench'), { recursive: true })
  writeFileSync(at('target/bench/result.json'), text(result))
}
for (const make of [nodeHost, chromiumHost]) {
  if (!wanted.hosts.includes(make === nodeHost ? 'node' : 'chromium')) continue
  const host = await make()
  try {
    result.hosts[host.name] = await measured(host)
  } finally {
    await host.end()
  }
  keep()
}
for (const [name, run] of Object.entries(alone)) {
  if (!has(name)) continue
  say(name)
  result[name] = run()
}
result.seconds = Math.round((Date.now() - started) / 1000)
result.rows = judge(result, isWhole)

keep()
console.log(tables(result))
if (isWritten) write(result)
const { verdict, isBroken } = said(result.rows)
console.log(verdict)
if (isBroken) process.exitCode = 1
