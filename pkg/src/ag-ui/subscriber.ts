import type { AgentSubscriber } from '@ag-ui/client'
import type { Store } from '../api.js'
import { type AgUiReaderOptions, type AgUiStream, createAgUiReader } from './reader.js'

/**
 * What `agent.subscribe` takes, so that the runs of the peer's own client go to a store. The agent keeps its messages as
 * before; nothing of them is changed. Events that the peer refuses do not come here, but as the end of the run.
 */
export function agentSubscriber(store: Store, options: AgUiReaderOptions = {}): AgentSubscriber {
  const reader = createAgUiReader(options)
  let stream: AgUiStream | undefined
  return {
    onRunInitialized: () => {
      stream = reader.open()
    },
    onEvent: ({ event, input }) => {
      stream ??= reader.open()
      // Its type is one of the peer's; one that is not is told as unknown.
      store.handleEvents(stream.readUnknown(event, input))
    },
    onRunFailed: ({ error }) => {
      store.handleEvents(stream?.end({ error: error.message }) ?? [])
    },
    onRunFinalized: () => {
      store.handleEvents(stream?.end('aborted') ?? [])
    },
  }
}
