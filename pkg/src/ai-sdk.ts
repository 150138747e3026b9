export {
  type ChunkReader,
  type ChunkReaderOptions,
  type ResponseOptions,
  type ResponseReader,
  createChunkReader,
} from './ai-sdk/reader.js'
export type { DataChunk, KnownChunk } from './ai-sdk/chunks.js'
export type { Asked } from './ai-sdk/turn.js'
export { groupOf, toUIMessages } from './ai-sdk/messages.js'
export { type ChatHost, type ChatOptions, type ToolOutput, createChat } from './ai-sdk/chat.js'
export { type ChatStateParts, type ThreadChatState, createChatState } from './ai-sdk/state.js'
export type { ChatCallbacks } from './ai-sdk/watch.js'
export { toChunks, toPage } from './ai-sdk/history.js'
export { type ChatServer, type ChatServerOptions, fromChatTransport } from './ai-sdk/server.js'
