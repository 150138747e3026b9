// assistant-ui's external store: the core that `useExternalStoreRuntime` makes, given a new adapter for each change as the
// hook does after each render. No component is drawn, so React costs it nothing here. The host's list is patched immutably.
import { ExternalStoreRuntimeCore } from '@assistant-ui/core/internal'
import { FIRST, past } from './words.mjs'

export const name = 'assistant-ui external store'
export const hasWire = false
export const packages = ['@assistant-ui/react', '@assistant-ui/core']
export const choice = 'the core behind `useExternalStoreRuntime`, with `setAdapter` for each delta as the hook does; JSON lines are parsed and the list is patched by hand, unchanged messages stay the same objects, so that its converter\'s cache holds; nothing is drawn'

const convertMessage = ({ id, role, parts }) => ({ id, role, content: parts })

/** The runtime that is measured. */
export async function setup(groups) {
  const live = part => ({ id: 'answer', role: 'assistant', parts: [part] })
  let messages = [
    ...past(groups - 2).map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] })),
    { id: 'question', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
    live({ type: 'text', text: FIRST }),
  ]
  const adapter = () => ({ messages, isRunning: true, convertMessage, onNew: async () => {} })
  const runtime = new ExternalStoreRuntimeCore(adapter())
  const thread = runtime.threads.getMainThreadRuntimeCore()
  let looks = 0
  thread.subscribe(() => { looks += thread.messages.length > 0 ? 1 : 0 })
  const show = part => {
    messages = messages.slice()
    messages[messages.length - 1] = live(part)
    runtime.setAdapter(adapter())
  }
  const lines = texts => texts.map(delta => JSON.stringify({ type: 'text-delta', threadId: 'main', turnId: 'turn-live', delta }))
  const last = () => messages.at(-1).parts[0]
  return {
    delta: texts => {
      const list = lines(texts)
      return () => { for (const line of list) show({ type: 'text', text: last().text + JSON.parse(line).delta }) }
    },
    openCall: () => show({ type: 'tool-call', toolCallId: 'call', toolName: 'write', argsText: `{"text":"${FIRST}` }),
    args: texts => {
      const list = lines(texts)
      return () => { for (const line of list) show({ ...last(), argsText: last().argsText + JSON.parse(line).delta }) }
    },
    view: () => thread.messages,
    looks: () => looks,
    said: () => {
      const part = thread.messages.at(-1).content.at(-1)
      return part.text ?? part.argsText.slice('{"text":"'.length)
    },
    close: () => {},
  }
}
