// zustand with its immer middleware: a store of groups, written as its docs write one. Frames are parsed here as JSON
// lines, since it is host's code that does it; a subscriber reads the groups after each change.
import { createStore } from 'zustand/vanilla'
import { immer } from 'zustand/middleware/immer'
import { setAutoFreeze } from 'immer'
import { FIRST, past } from './words.mjs'

export const name = 'zustand with immer'
export const hasWire = false
export const packages = ['zustand', 'immer']
export const choice = 'JSON lines are parsed as in the slice; one `set` for each event; immer\'s freezing is off, since with it a delta at 1,000 messages costs some thirty times more'

setAutoFreeze(false)

/** The store that is measured. */
export async function setup(groups) {
  const store = createStore(immer(() => ({
    groups: [
      ...past(groups - 2).map(({ id, role, text }) => ({ key: id, role, parts: [{ type: 'text', text }] })),
      { key: 'question', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
      { key: 'answer', role: 'assistant', parts: [{ type: 'text', text: FIRST }] },
    ],
  })))
  let looks = 0
  store.subscribe(({ groups: seen }) => { looks += seen.length > 0 ? 1 : 0 })
  const apply = event => store.setState(state => {
    const { parts } = state.groups[state.groups.length - 1]
    if (event.type === 'text-delta') parts[parts.length - 1].text += event.delta
    if (event.type === 'tool-input-start') parts.push({ type: 'tool', callId: event.callId, argumentsText: FIRST })
    if (event.type === 'tool-input-delta') parts[parts.length - 1].argumentsText += event.delta
  })
  const ready = (type, texts) => {
    const lines = texts.map(delta => JSON.stringify({ type, threadId: 'main', turnId: 'turn-live', callId: 'call', delta }))
    return () => { for (const line of lines) apply(JSON.parse(line)) }
  }
  const last = () => store.getState().groups.at(-1).parts.at(-1)
  return {
    delta: texts => ready('text-delta', texts),
    openCall: () => apply({ type: 'tool-input-start', callId: 'call' }),
    args: texts => ready('tool-input-delta', texts),
    view: () => store.getState().groups,
    looks: () => looks,
    said: () => last().text ?? last().argumentsText,
    close: () => {},
  }
}
