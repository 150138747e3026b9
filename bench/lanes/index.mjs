// Every lane by its name: what is measured in one process or one page, and the peers. Each is loaded only where it runs.
const LANES = {
  deltas: () => import('./deltas.mjs'),
  works: () => import('./works.mjs'),
  attach: () => import('./attach.mjs'),
  peers: () => import('./peers.mjs'),
  react: () => import('./react.mjs'),
}
const PEERS = {
  'ai-sdk': () => import('../peers/ai-sdk.mjs'),
  'ai-sdk-react': () => import('../peers/ai-sdk-react.mjs'),
  tanstack: () => import('../peers/tanstack.mjs'),
  'ag-ui': () => import('../peers/ag-ui.mjs'),
  'assistant-ui': () => import('../peers/assistant-ui.mjs'),
  zustand: () => import('../peers/zustand.mjs'),
}

export const peers = Object.keys(PEERS)

/** What a peer's module says of itself. */
export async function about(id) {
  const { name, packages, choice } = await PEERS[id]()
  return { id, name, packages, choice }
}

/** Plays one lane with a way to make stores. */
export async function play(createStore, { lane, peer, ...options }) {
  const newStore = window => createStore({ limits: { window }, schedule: 'sync', transport: 'manual' })
  const { run } = await LANES[lane]()
  return run({ newStore, createStore }, { ...options, ...(peer === undefined ? {} : { peer: await PEERS[peer]() }) })
}
