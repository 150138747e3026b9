// make example NAME=react: installs an example, starts it with its back end, and prints one address. Ctrl-C ends all of
// it; PORT= chooses the port. --install: the packages of all examples, and nothing more.
import { fail, table } from './lib.mjs'
import { examples, prepare, start } from './examples.mjs'

const [name] = process.argv.slice(2)
if (name === '--install') {
  for (const one of Object.keys(examples)) await prepare(one)
} else if (!Object.hasOwn(examples, name ?? '')) {
  fail(`example: ${name ? `there is no ${name}` : 'say which: make example NAME=react'}\n${table(Object.entries(examples).map(([one, { says }]) => [one, says]))}`)
} else {
  await prepare(name)
  const { url, stop, gone } = await start(name, { port: Number(process.env.PORT ?? 0) })
  console.log(url)
  // In the place of the handlers of lib.mjs, which end this script at once.
  let isEnding = false
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.removeAllListeners(signal).once(signal, () => {
      isEnding = true
      void stop().then(() => process.exit(0))
    })
  }
  const why = await gone
  if (isEnding) await new Promise(() => {})
  await stop()
  fail(`example: ${why}`)
}
