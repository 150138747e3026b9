/** What a chunk holds, by its `type`. Types of later versions are kept and not drawn. */
export type ChunkBody =
  /** What somebody said. */
  | { readonly role: 'user' | 'assistant'; readonly type: 'text'; readonly data: { readonly text: string } }
  /** What the model thought. */
  | {
      readonly role: 'assistant'
      readonly type: 'reasoning' | 'thinking'
      readonly data: { readonly text: string; readonly metadata?: unknown }
    }
  /** A tool was called. */
  | {
      readonly role: 'assistant'
      readonly type: 'tool_call'
      readonly data: { readonly callId: string; readonly name: string; readonly arguments: unknown }
    }
  /** A tool has answered. */
  | {
      readonly role: 'tool'
      readonly type: 'tool_result'
      readonly data: {
        readonly callId: string
        readonly name?: string
        readonly result: unknown
        readonly isError?: boolean
        readonly output?: { readonly stdout: string; readonly stderr: string }
      }
    }
  /** The turn failed. */
  | {
      readonly role: 'assistant'
      readonly type: 'error'
      readonly data: { readonly message: string; readonly statusCode?: number | string }
    }
  /** A file, a source or data. */
  | {
      readonly role: 'assistant' | 'user'
      readonly type: 'file' | 'source' | 'data'
      readonly data: Readonly<Record<string, unknown>>
    }
  /** A line for the reader. */
  | { readonly role: 'system'; readonly type: 'system'; readonly data: { readonly kind: string; readonly text: string } }
  /** What it cost; kept, not drawn. */
  | { readonly role: 'user' | 'assistant' | 'tool' | 'system'; readonly type: 'usage'; readonly data: unknown }

/** One sealed row of the server's log. */
export type Chunk = ChunkBody & {
  /** Its place in the log: ascending, gaps allowed. */
  readonly seq: number
  /** The turn that wrote it. */
  readonly turnId: string
  /** The execution that wrote it, where a turn has several. */
  readonly executionId?: string
  /** The step of the turn, from 0. */
  readonly step?: number
  /** The message that it is. */
  readonly messageId?: string
  /** The messages that became this row, where several did. */
  readonly messageIds?: readonly string[]
  /** The client ids of the messages that became this row. */
  readonly clientIds?: readonly string[]
  /** When it was written; carried, not read. */
  readonly createdAt?: unknown
}

/** The reply to a load: chunks in ascending `seq`. */
export interface Page {
  /** The rows. */
  readonly chunks: readonly Chunk[]
  /** How many rows the whole log has. */
  readonly total?: number
  /** The smallest seq of the log. */
  readonly oldestSeq?: number
  /** The seq before the first row of this page. */
  readonly prevSeq?: number
  /** The limit that the server kept to, where it is another than asked for. */
  readonly limit?: number
  /** The generation of the log. */
  readonly epoch?: string | number
}
