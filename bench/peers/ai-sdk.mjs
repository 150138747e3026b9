// AI SDK `AbstractChat`, over its own transport and server-sent events, or over one that hands on parsed chunks. Its state is
// the cheapest that it takes: a plain list, patched in place, as the SDK's own Svelte state does it.
import { AbstractChat, DefaultChatTransport } from 'ai'
import { FIRST, FRAME, past, sum, watch, wire } from './words.mjs'

export const name = 'AI SDK AbstractChat'
export const hasWire = true
export const packages = ['ai']
export const choice = '`DefaultChatTransport` over a response of server-sent events, or a transport that gives parsed chunks; a plain list as state, patched in place; no throttle'

class PlainState {
  status = 'ready'
  error = undefined
  experimental_queuedMessages = []
  constructor(messages, changed) {
    this.messages = messages
    this.changed = changed
  }
  pushMessage = message => {
    this.messages.push(message)
    this.changed()
  }
  popMessage = () => {
    this.messages.pop()
    this.changed()
  }
  replaceMessage = (index, message) => {
    this.messages[index] = message
    this.changed()
  }
  snapshot = value => structuredClone(value)
}

class PlainChat extends AbstractChat {
  constructor({ messages, changed, ...init }) {
    super({ ...init, state: new PlainState(messages, changed) })
  }
}

/** The chat that is measured. */
export const setup = (groups, isParsed) => streaming(groups, isParsed, (init, changed) => new PlainChat({ ...init, changed }))

/** Its own way from the wire. */
function sent() {
  const stream = wire({ 'x-vercel-ai-ui-message-stream': 'v1' })
  return { ...stream, transport: new DefaultChatTransport({ api: 'http://peer/', fetch: stream.fetch }), prepare: chunks => stream.ready(chunks, FRAME) }
}

/** Chunks as objects. */
function parsed() {
  let controller
  const transport = {
    sendMessages: async () => new ReadableStream({ start: made => { controller = made } }),
    reconnectToStream: async () => null,
  }
  return { transport, isOpen: () => controller !== undefined, prepare: chunks => chunks, push: chunks => { for (const chunk of chunks) controller.enqueue(chunk) } }
}

/** A chat of the SDK with so many messages, of which the last streams. `make` gives it and tells of each change. */
export async function streaming(groups, isParsed, make) {
  const size = view => {
    const part = view.at(-1)?.parts.at(-1)
    return part?.text?.length ?? part?.input?.text?.length ?? 0
  }
  const watched = watch(size)
  const { transport, isOpen, prepare, push } = isParsed ? parsed() : sent()
  const messages = past(groups - 2).map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] }))
  const chat = make({ id: 'main', messages, transport }, () => watched.look(chat.messages))
  const failed = chat.sendMessage({ text: 'And now?' }).then(() => new Error('the stream ended'))
  while (!isOpen()) await new Promise(done => setTimeout(done))
  let length = 0
  const ready = (chunks, more) => {
    const pieces = prepare(chunks)
    return async () => {
      length += more
      const shown = watched.until(length)
      push(pieces)
      const error = await Promise.race([shown, failed])
      if (error) throw chat.error ?? error
    }
  }
  const text = delta => ({ type: 'text-delta', id: 'text', delta })
  await ready([{ type: 'start' }, { type: 'start-step' }, { type: 'text-start', id: 'text' }, text(FIRST)], FIRST.length)()
  return {
    delta: texts => ready(texts.map(text), sum(texts)),
    openCall: () => {
      length = 0
      return ready([
        { type: 'tool-input-start', toolCallId: 'call', toolName: 'write', dynamic: true },
        { type: 'tool-input-delta', toolCallId: 'call', inputTextDelta: `{"text":"${FIRST}` },
      ], FIRST.length)()
    },
    args: texts => ready(texts.map(inputTextDelta => ({ type: 'tool-input-delta', toolCallId: 'call', inputTextDelta })), sum(texts)),
    view: () => chat.messages,
    looks: watched.looks,
    said: () => chat.messages.at(-1).parts.at(-1).text ?? chat.messages.at(-1).parts.at(-1).input.text,
    close: () => chat.stop(),
  }
}
