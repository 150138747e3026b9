import { env } from '$env/dynamic/private'
import { createStore } from 'turnseal'

const BACKEND = env.BACKEND ?? 'http://127.0.0.1:8787'

// Not the `fetch` that `load` is given: it speaks for the page, and the server takes nobody of another origin.
async function ask(path) {
  const response = await fetch(`${BACKEND}/threads/main/${path}`)
  if (!response.ok) throw new Error(`the server said ${response.status}`)
  return response.json()
}

/** What the page shows before it has run a line of script: the newest rows, and what is live. */
export async function load() {
  const [page, snapshot] = await Promise.all([ask('chunks?limit=100'), ask('snapshot')])
  const store = createStore({ transport: 'manual' })
  store.handleEvents([snapshot, { ...page, type: 'chunks-loaded', threadId: 'main' }])
  const from = store.dehydrate()
  store.free()
  return { from }
}
