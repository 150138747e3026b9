export { type ChunkReader, type ChunkReaderOptions, type ResponseOptions, type ResponseReader, createChunkReader } from './ai-sdk/reader.js'
export type { DataChunk, KnownChunk } from './ai-sdk/chunks.js'
export type { Asked } from './ai-sdk/turn.js'
export { groupOf, toUIMessages } from './ai-sdk/messages.js'
