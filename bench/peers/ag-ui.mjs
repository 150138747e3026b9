// AG-UI `AbstractAgent`: as `HttpAgent` over server-sent events, or with a run that an observable feeds with parsed events.
// Checks and clones are the agent's.
import { AbstractAgent, HttpAgent } from '@ag-ui/client'
import { Subject } from 'rxjs'
import { FIRST, FRAME, past, sum, watch, wire } from './words.mjs'

export const name = 'AG-UI AbstractAgent'
export const hasWire = true
export const packages = ['@ag-ui/client']
export const choice = '`HttpAgent`, which is an `AbstractAgent` over server-sent events, or parsed events from the observable of `run()`; its own order check is on, as it always is'

class Fed extends AbstractAgent {
  events = new Subject()
  run() {
    return this.events
  }
}

/** Its own way from the wire. */
function sent(init) {
  const stream = wire()
  return { ...stream, agent: new HttpAgent({ ...init, url: 'http://peer/', fetch: stream.fetch }), prepare: events => stream.ready(events, FRAME) }
}

/** Events as objects. */
function parsed(init) {
  const agent = new Fed(init)
  return { agent, isOpen: () => agent.events.observed, prepare: events => events, push: events => { for (const event of events) agent.events.next(event) } }
}

/** The agent that is measured. */
export async function setup(groups, isParsed) {
  const length = message => message?.toolCalls?.at(-1)?.function.arguments.length ?? message?.content?.length ?? 0
  const watched = watch(view => length(view.at(-1)))
  const { agent, isOpen, prepare, push } = (isParsed ? parsed : sent)({
    threadId: 'main',
    initialMessages: [...past(groups - 2).map(({ id, role, text }) => ({ id, role, content: text })), { id: 'question', role: 'user', content: 'And now?' }],
  })
  agent.subscribe({ onMessagesChanged: () => watched.look(agent.messages) })
  const failed = agent.runAgent({ runId: 'run' }).then(() => new Error('the run ended'), error => error)
  while (!isOpen()) await new Promise(done => setTimeout(done))
  let wanted = 0
  const ready = (events, more) => {
    const pieces = prepare(events)
    return async () => {
      wanted += more
      const shown = watched.until(wanted)
      push(pieces)
      const error = await Promise.race([shown, failed])
      if (error) throw error
    }
  }
  const text = delta => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'answer', delta })
  const piece = delta => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'call', delta })
  await ready([{ type: 'RUN_STARTED', threadId: 'main', runId: 'run' }, { type: 'TEXT_MESSAGE_START', messageId: 'answer', role: 'assistant' }, text(FIRST)], FIRST.length)()
  return {
    delta: texts => ready(texts.map(text), sum(texts)),
    openCall: () => {
      const opening = `{"text":"${FIRST}`
      wanted = 0
      return ready([
        { type: 'TEXT_MESSAGE_END', messageId: 'answer' },
        { type: 'TOOL_CALL_START', toolCallId: 'call', toolCallName: 'write', parentMessageId: 'answer' },
        piece(opening),
      ], opening.length)()
    },
    args: texts => ready(texts.map(piece), sum(texts)),
    view: () => agent.messages,
    looks: watched.looks,
    said: () => {
      const last = agent.messages.at(-1)
      return last.toolCalls?.at(-1)?.function.arguments.slice('{"text":"'.length) ?? last.content
    },
    close: () => agent.abortRun(),
  }
}
