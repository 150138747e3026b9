// Compiled, never run: what a user writes has to type-check, and what is wrong has to fail.
import { type Group, type Part, type Store, type Thread, type ThreadEvent, type Transport, TurnsealError, createStore, init, replay } from '../src/index.js'
import { type Engine, type Transcript, check, createEngine, transcript } from '../src/engine.js'
import { createStore as createInline } from '../src/inline.js'

export async function use(): Promise<readonly Group[]> {
  await init()
  const transport: Transport = {
    loadChunks: async ({ threadId, limit, before }, signal) => {
      const response = await fetch(`/threads/${threadId}/chunks?limit=${limit}&before=${before ?? ''}`, { signal })
      return response.json()
    },
    send: ({ text }) => ({ status: text === undefined ? 'refused' : 'queued', messageId: 'm' }),
  }
  using store: Store = createStore({ transport, storage: localStorage, schedule: 'microtask', limits: { window: 5 } })
  const thread: Thread = store.thread('a')
  const id: string = thread.send('hello', { intent: 'steer' })
  thread.dispatch({ type: 'retry', clientId: id })
  // @ts-expect-error there is no such command
  thread.dispatch({ type: 'explode' })
  // @ts-expect-error a snapshot is not written to
  thread.getSnapshot().groups.push()
  // @ts-expect-error an answer has a status
  createInline({ transport: { send: () => ({ messageId: 'm' }) } })
  const known: ThreadEvent = { type: 'text-delta', delta: 'x', turnId: 'a', n: 1 }
  const later: ThreadEvent = { type: 'of-a-later-version', anything: 1 }
  store.handleEvents([known, later])
  replay(store.record()).free()
  await thread.loadOlder()
  return thread.renderGroups()
}

export function draw(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'notice':
    case 'error':
      return part.text
    case 'tool':
      return `${part.name} ${part.state} ${part.output?.stdout ?? ''}`
    case 'file':
    case 'source':
    case 'data':
      return String(part['url'])
    default: {
      const none: never = part
      return none
    }
  }
}

export const freed = (error: unknown): boolean => error instanceof TurnsealError && error.code === 'freed'

export function serve(engine: Engine): void {
  for (const effect of engine.apply('t', { type: 'send', messageId: 'm', text: 'hello', models: ['p', 'q'] })) {
    if (effect.type === 'publish') console.log(effect.event.type)
    if (effect.type === 'request') console.log(effect.executionId, effect.step)
  }
  // @ts-expect-error a message says something
  engine.apply('t', { type: 'send', messageId: 'm' })
  // @ts-expect-error there is no such input
  engine.apply('t', { type: 'explode' })
  // @ts-expect-error there is no such policy
  createEngine({ policy: { steer: 'explode' } }).free()
  const told: Transcript = transcript([], { vendor: 'openai-chat' })
  check(told.messages, 'openai-chat')
}

export function connected(store: Store): string {
  const thread = store.thread()
  thread.draft.set(thread.draft.get())
  const { state, attempt, retryAt } = store.connection.getSnapshot()
  // @ts-expect-error there is no such state
  if (state === 'online') store.connection.retry()
  return `${state} ${attempt} ${(retryAt ?? 0) - Date.now()}`
}
createStore({ connect: { url: new URL('https://a'), protocols: ['token'], headers: async () => ({ authorization: 'x' }), storage: false, tabs: false, name: 'user' } }).free()
createStore({ connect: { url: '/', WebSocket, fetch, storage: localStorage } }).free()
// @ts-expect-error a connection has an address
createStore({ connect: {} })
