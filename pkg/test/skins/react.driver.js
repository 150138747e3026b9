import { createElement as h, StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Chat } from './chat.react.js'

const task = () => new Promise(done => setTimeout(done))

/** Draws a thread with React. */
export function driver({ store, threadId, by, place, tally, isHydrated = false, isStrict = false }) {
  const chat = id => h(isStrict ? StrictMode : 'div', null, h(Chat, { store, threadId: id, by, tally }))
  const root = isHydrated ? hydrateRoot(place, chat(threadId)) : createRoot(place)
  if (!isHydrated) flushSync(() => root.render(chat(threadId)))
  return {
    // Hydration, and what stores tell, are drawn in tasks of React's own.
    settle: async () => {
      for (let round = 0; round < 4; round++) await task()
    },
    show: async id => flushSync(() => root.render(chat(id))),
    unmount: () => flushSync(() => root.unmount()),
  }
}
