// TanStack `ChatClient`, over its own connection for server-sent events, or over one that yields parsed events; with its
// default strategy, which tells of each delta.
import { ChatClient, fetchServerSentEvents, stream } from '@tanstack/ai-client'
import { FIRST, FRAME, channel, past, sum, watch, wire } from './words.mjs'

export const name = 'TanStack ChatClient'
export const hasWire = true
export const packages = ['@tanstack/ai-client', '@tanstack/ai']
export const choice = '`fetchServerSentEvents`, or `stream()` of parsed events; its default strategy, which tells of each delta'

/** Its own way from the wire. */
function sent() {
  const stream = wire()
  return { ...stream, connection: fetchServerSentEvents('http://peer/', { fetchClient: stream.fetch }), prepare: events => stream.ready(events, FRAME) }
}

/** Events as objects. */
function parsed() {
  const events = channel()
  return { connection: stream(() => events.read()), isOpen: () => true, prepare: list => list, push: events.push }
}

/** The client that is measured. */
export async function setup(groups, isParsed) {
  const watched = watch(view => {
    const part = view.at(-1)?.parts.at(-1)
    return (part?.content ?? part?.arguments ?? '').length
  })
  const { connection, isOpen, prepare, push } = isParsed ? parsed() : sent()
  let error
  const client = new ChatClient({
    threadId: 'main',
    initialMessages: past(groups - 2).map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', content: text }] })),
    connection,
    onMessagesChange: () => watched.look(client.getMessages()),
    onError: failed => { error = failed },
  })
  const failed = client.sendMessage('And now?').then(() => new Error('the stream ended'))
  let length = 0
  while (!isOpen()) await new Promise(done => setTimeout(done))
  const ready = (list, more) => {
    const pieces = prepare(list)
    return async () => {
      length += more
      const shown = watched.until(length)
      push(pieces)
      const ended = await Promise.race([shown, failed])
      if (ended) throw error ?? ended
    }
  }
  const text = delta => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'answer', delta, timestamp: 1 })
  const piece = delta => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'call', delta, timestamp: 1 })
  await ready([
    { type: 'RUN_STARTED', threadId: 'main', runId: 'run', timestamp: 1 },
    { type: 'TEXT_MESSAGE_START', messageId: 'answer', role: 'assistant', timestamp: 1 },
    text(FIRST),
  ], FIRST.length)()
  return {
    delta: texts => ready(texts.map(text), sum(texts)),
    openCall: () => {
      length = 0
      const opening = `{"text":"${FIRST}`
      return ready([
        { type: 'TEXT_MESSAGE_END', messageId: 'answer', timestamp: 1 },
        { type: 'TOOL_CALL_START', toolCallId: 'call', toolCallName: 'write', toolName: 'write', parentMessageId: 'answer', timestamp: 1 },
        piece(opening),
      ], opening.length)()
    },
    args: texts => ready(texts.map(piece), sum(texts)),
    view: () => client.getMessages(),
    looks: watched.looks,
    said: () => {
      const part = client.getMessages().at(-1).parts.at(-1)
      return part.content ?? part.arguments.slice('{"text":"'.length)
    },
    close: () => client.dispose?.(),
  }
}
