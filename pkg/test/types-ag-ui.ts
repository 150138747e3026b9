// Compiled, never run: the adapter names every event of the peer, and is used as its users use it.
import { HttpAgent } from '@ag-ui/client'
import type { AGUIEvent, EventType } from '@ag-ui/core'
import { REQUIRED } from '../src/ag-ui/events.js'
import { type AgUiEvent, agentSubscriber, createAgUiReader } from '../src/ag-ui.js'
import { createStore } from '../src/index.js'

// A type that is new in the peer is missing in the table: the compiler says which. And the other way round.
export const named = REQUIRED satisfies Record<`${EventType}`, readonly string[]>
export const known: readonly `${EventType}`[] = [] satisfies readonly (keyof typeof REQUIRED)[]

export async function use(event: AGUIEvent, wire: AgUiEvent): Promise<void> {
  const store = createStore()
  const agent = new HttpAgent({ url: '/agent', threadId: 't' })
  agent.subscribe(agentSubscriber(store, { mode: 'strict', onDiagnostic: ({ code }) => console.log(code) }))
  await agent.runAgent()
  const stream = createAgUiReader({ threadId: 't' }).open()
  store.handleEvents(stream.read(event))
  store.handleEvents(stream.read(wire))
  store.handleEvents(stream.read({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' }))
  // @ts-expect-error an event has its fields
  stream.read({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm' })
  store.handleEvents(stream.end({ error: 'gone' }))
}
