// The reference server as a process of its own, as `cargo build -p turnseal-server` leaves it.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from './chromium.mjs'

/** Starts it with these options; it says its address once it listens. */
export async function startServer(...options) {
  const child = spawn(`${root}/target/debug/turnseal-server`, options, { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise(done => child.once('exit', done))
  const url = await new Promise(done => createInterface(child.stdout).once('line', done))
  return {
    url,
    port: Number(new URL(url).port),
    kill: () => {
      child.kill('SIGKILL')
      return gone
    },
  }
}
