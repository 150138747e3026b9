export type { AgUiEvent } from './ag-ui/events.js'
export { type AgUiReader, type AgUiReaderOptions, type AgUiStream, createAgUiReader } from './ag-ui/reader.js'
export { agentSubscriber } from './ag-ui/subscriber.js'
