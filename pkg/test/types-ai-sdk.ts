// Compiled, never run: the adapter names every chunk of every version of the AI SDK that it takes.
import type { UIMessageChunk as Chunk5 } from 'ai5'
import type { UIMessageChunk as Chunk6 } from 'ai'
import type { UIMessageChunk as Chunk7 } from 'ai7'
import { REQUIRED } from '../src/ai-sdk/chunks.js'
import { type KnownChunk, createChunkReader } from '../src/ai-sdk.js'

type Word<Chunk extends { readonly type: string }> = Exclude<Chunk['type'], `data-${string}`>

// A type that is new in a peer is missing in the table: the compiler says which.
export const named = [
  REQUIRED satisfies Record<Word<Chunk5>, readonly string[]>,
  REQUIRED satisfies Record<Word<Chunk6>, readonly string[]>,
  REQUIRED satisfies Record<Word<Chunk7>, readonly string[]>,
]

// And so is a field that changed its type.
export const fields = [(chunk: Chunk5): KnownChunk => chunk, (chunk: Chunk6): KnownChunk => chunk, (chunk: Chunk7): KnownChunk => chunk]

export function read(five: Chunk5, six: Chunk6, seven: Chunk7) {
  const response = createChunkReader({ threadId: 't' }).open({ resume: true })
  // @ts-expect-error a chunk has its fields
  response.read({ type: 'text-delta', id: 't' })
  return [five, six, seven].flatMap(chunk => response.read(chunk))
}
