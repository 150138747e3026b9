import { flushSync, hydrate, mount, unmount } from 'svelte'
import Chat from './Chat.svelte'
import { changing } from './props.svelte.js'

/** Draws a thread with Svelte. */
export function driver({ store, threadId, by, place, tally, isHydrated = false }) {
  const props = changing({ store, threadId, by, tally })
  const app = (isHydrated ? hydrate : mount)(Chat, { target: place, props })
  flushSync()
  return {
    settle: async () => {
      await new Promise(done => setTimeout(done))
      flushSync()
    },
    show: async id => {
      props.threadId = id
      flushSync()
    },
    unmount: () => void unmount(app),
  }
}
