export { type AdapterOptions, externalStoreAdapter } from './assistant-ui/adapter.js'
export { useThreadRuntime } from './assistant-ui/hook.js'
export { toThreadMessage } from './assistant-ui/message.js'
