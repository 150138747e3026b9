// A model that needs no network: it does what the last words of the user ask for. Put your own in its place.
import { setTimeout as wait } from 'node:timers/promises'

const PACE_MS = Number(process.env.PACE ?? 60)

/** Yields `{ text }`, `{ thought }` and `{ call }` until it is done, or `signal` says that nobody wants it. */
export async function* ask(messages, signal) {
  const last = messages.at(-1)
  const said = messages.findLast(({ role }) => role === 'user').content
  if (last.role === 'tool') return yield* speak(`The tool says: ${last.content}`, signal)
  if (/\b(delete|remove)\b/i.test(said)) return yield { call: { callId: `call-${messages.length}`, name: 'delete_file', arguments: { path: 'notes.txt' } } }
  if (/\btime\b/i.test(said)) return yield { call: { callId: `call-${messages.length}`, name: 'clock', arguments: {} } }
  if (/\bcount\b/i.test(said)) return yield* speak(Array.from({ length: 10_000 }, (_, at) => at + 1).join(' '), signal)
  for await (const { text } of speak('The user wants an answer, and there is no network.', signal)) yield { thought: text }
  yield* speak(`You said “${said}”. Ask me to count and stop me, to tell the time, or to delete a file.`, signal)
}

async function* speak(text, signal) {
  for (const word of text.split(/(?<= )/)) {
    await wait(PACE_MS, undefined, { signal })
    yield { text: word }
  }
}

/** What tools do. Nothing is deleted. */
export const tools = {
  clock: async () => new Date().toLocaleTimeString('en-GB'),
  delete_file: async ({ path }) => `${path} would be gone now`,
}

/** The tools for which a person is asked. */
export const asksFirst = name => name === 'delete_file'
