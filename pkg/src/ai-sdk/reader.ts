import type { UIMessageChunk } from 'ai'
import type { KnownEvent, ThreadEvent } from '../events.js'
import { isRecord } from '../json.js'
import type { Diagnostic } from '../options.js'
import { type Told, freshOf } from '../replay.js'
import { type DataChunk, type KnownChunk, checkChunk } from './chunks.js'
import { isData, say } from './say.js'
import { type Asked, type Turn, asked, close, fail, newTurn } from './turn.js'

/** What `createChunkReader` takes; all of it may be absent. */
export interface ChunkReaderOptions {
  /** The thread that the streams are of: `main`. */
  readonly threadId?: string
  /** Hears of `data-*` chunks, also of transient ones, which no message keeps. */
  readonly onData?: (chunk: DataChunk) => void
  /** Hears of chunks that were ignored. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** How a stream belongs to what was read before. */
export interface ResponseOptions {
  /**
   * The turn. Absent: the one that the `messageId` of the `start` chunk names, so that a server which stores the message
   * under that id, and every other client, names the turn alike.
   */
  readonly turnId?: string
  /** The message that it answers. */
  readonly user?: Asked
  /** True: the stream is one that was read before, from its beginning. What was told already is not told again. */
  readonly resume?: boolean
}

/** One stream of chunks. */
export interface ResponseReader {
  /** What a chunk says, as events for `store.handleEvents`. */
  read(this: void, chunk: UIMessageChunk | KnownChunk): readonly ThreadEvent[]
  /** The stream is over. Without a reason it has ended well; `lost`: it broke, and may be resumed. */
  end(this: void, reason?: 'lost' | { readonly error: string } | 'aborted'): readonly ThreadEvent[]
  /** The turn, once it is known. */
  turnId(this: void): string | undefined
}

/** Reads the UI message streams of one thread. */
export interface ChunkReader {
  /** A stream begins. */
  open(this: void, response?: ResponseOptions): ResponseReader
}

// A stream that is resumed later than that many turns is told anew.
const TURNS_MAX = 16

/** A reader for the streams of one thread. It turns chunks into events, and decides nothing else. */
export function createChunkReader(options: ChunkReaderOptions = {}): ChunkReader {
  const { threadId } = options
  const turns = new Map<string, Turn>()
  let unnamed = 0

  const stamp = (events: readonly KnownEvent[]): readonly ThreadEvent[] =>
    threadId === undefined ? events : events.map(event => ({ threadId, ...event }))
  const report = (detail: string, type?: string) =>
    options.onDiagnostic?.({
      code: 'unknown-chunk',
      detail,
      ...(threadId === undefined ? {} : { threadId }),
      ...(type === undefined ? {} : { type }),
    })
  const newest = () => [...turns.values()].at(-1)

  /** The turn of a stream that begins, and what its beginning says of this and of other turns. */
  const begin = ({ turnId, user, resume = false }: ResponseOptions, messageId: string | undefined): [Turn, KnownEvent[]] => {
    const open = resume && messageId === undefined && newest()?.phase !== 'over' ? newest()?.turnId : undefined
    const id = turnId ?? messageId ?? open ?? `ai-sdk:${user?.clientId ?? ++unnamed}`
    const known = turns.get(id)
    if (known !== undefined && known.phase !== 'over') {
      // A response that has finished is not resumed: what comes is the next one of that turn.
      if (!resume || known.phase === 'waiting') {
        known.told = new Map()
        known.responses += 1
        // What waited was answered, or is not waited for any more.
        known.open.clear()
      }
      known.phase = 'streaming'
      return [known, []]
    }
    if (known !== undefined && resume) return [known, []]
    const ended = [...turns.values()]
      .filter(turn => turn.phase !== 'over')
      .flatMap(turn => close(turn, turn.phase === 'waiting' ? 'done' : 'aborted'))
    const turn = newTurn(id)
    turns.delete(id)
    turns.set(id, turn)
    for (const old of [...turns.keys()].slice(0, -TURNS_MAX)) turns.delete(old)
    return [turn, [...ended, { type: 'turn-start', turnId: id, ...asked(user) }]]
  }

  const open = (response: ResponseOptions = {}): ResponseReader => {
    let turn: Turn | undefined
    let ordinal = 0
    const heard: Told = new Map()
    const parts = new Map<string, string>()

    /** The part that an id names now: ids may come again, after their end and after a reset. */
    const partId = (of: Turn, type: string, id: string) => {
      const key = `${kindOf(type)}:${id}`
      const known = parts.get(key)
      if (known !== undefined && !type.endsWith('-start')) return known
      ordinal += 1
      const made = `${of.responses}.${ordinal}`
      parts.set(key, made)
      return made
    }
    const read = (raw: UIMessageChunk | KnownChunk): readonly ThreadEvent[] => {
      const checked = checkChunk(raw)
      if (!('chunk' in checked)) {
        report(checked.wrong, checked.type)
        return []
      }
      const { chunk } = checked
      const begun = turn === undefined ? begin(response, chunk.type === 'start' ? chunk.messageId : undefined) : undefined
      const of = (turn ??= begun?.[0])
      if (of === undefined) return []
      const id = nameOf(chunk)
      const isDelta = chunk.type === 'text-delta' || chunk.type === 'reasoning-delta' || chunk.type === 'tool-input-delta'
      const text = chunk.type === 'tool-input-delta' ? chunk.inputTextDelta : isDelta ? chunk.delta : ''
      const place = 'id' in chunk && typeof chunk.id === 'string' ? partId(of, chunk.type, chunk.id) : ''
      if (chunk.type === 'reset-step') parts.clear()
      if (chunk.type === 'text-end' || chunk.type === 'reasoning-end') parts.delete(`${kindOf(chunk.type)}:${chunk.id}`)
      const news = freshOf(of.told, heard, `${isDelta ? kindOf(chunk.type) : chunk.type}\n${id}`, isDelta ? text.length : 1)
      const events = begun?.[1] ?? []
      // An empty delta may carry what a provider wants back, as a signature of the thought.
      if (isDelta && 'providerMetadata' in chunk && chunk.providerMetadata !== undefined)
        of.metadataOf.set(place, chunk.providerMetadata)
      if (news === 0) return stamp(events)
      if (chunk.type === 'data-turnseal') return [...stamp(events), ...carriedEvents(chunk.data, threadId)]
      if (isData(chunk)) options.onData?.(chunk)
      return stamp([...events, ...say(of, chunk, place, isDelta ? text.slice(text.length - news) : '')])
    }
    return {
      read,
      end: reason => {
        if (turn === undefined || turn.phase !== 'streaming' || reason === 'lost') return []
        if (reason === undefined) return stamp(close(turn, 'done'))
        return stamp(reason === 'aborted' ? close(turn, 'aborted') : fail(turn, reason.error))
      },
      turnId: () => turn?.turnId,
    }
  }
  return { open }
}

/** Text and reasoning ids are names of their own. */
function kindOf(type: string): string {
  return type.replace(/-(start|delta|end)$/, '')
}

/** What a chunk is about: together with its type it tells chunks apart. */
function nameOf(chunk: KnownChunk): string {
  for (const field of ['id', 'toolCallId', 'approvalId', 'sourceId', 'url', 'kind']) {
    const name: unknown = Reflect.get(chunk, field)
    if (typeof name === 'string') return name
  }
  return ''
}

/** The events in a `data-turnseal` chunk, for this thread where they name none. */
function carriedEvents(data: unknown, threadId: string | undefined): readonly ThreadEvent[] {
  const list: readonly unknown[] = Array.isArray(data) ? data : [data]
  return list.filter(isEvent).map(event => (threadId === undefined ? event : { threadId, ...event }))
}

function isEvent(value: unknown): value is ThreadEvent {
  return isRecord(value) && typeof value['type'] === 'string'
}
