import type { AGUIEvent, RunAgentInput } from '@ag-ui/core'
import type { KnownEvent, ThreadEvent } from '../events.js'
import type { Diagnostic } from '../options.js'
import { type Told, freshOf } from '../replay.js'
import { type AgUiEvent, type EventOf, checkEvent } from './events.js'
import { createExpander } from './expand.js'
import { contentParts } from './history.js'
import { createOrder } from './order.js'
import { type Around, close, say } from './say.js'
import { type Run, type Turn, newThread, newTurn, turnsOf } from './thread.js'

/** What `createAgUiReader` takes; all of it may be absent. */
export interface AgUiReaderOptions {
  /** The thread of the store. Absent: the one that RUN_STARTED names. */
  readonly threadId?: string
  /**
   * `lenient`, the default: what breaks the order of AG-UI is told and read as well as it can be. `strict`: it is
   * refused as the peer's own client refuses it, with all that follows until the next run.
   */
  readonly mode?: 'lenient' | 'strict'
  /** Hears of events that were ignored, refused, or out of order. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** One stream of events: one connection. */
export interface AgUiStream {
  /** What an event says, as events for `store.handleEvents`. `input` is what the run was asked with, where it is known. */
  read(this: void, event: AGUIEvent | AgUiEvent, input?: RunAgentInput): readonly ThreadEvent[]
  /** The same for what nobody has looked at yet: the parsed text of a frame. */
  readUnknown(this: void, event: unknown, input?: RunAgentInput): readonly ThreadEvent[]
  /** The stream is over. Without a reason, a run that has not ended may go on in another stream. */
  end(this: void, reason?: 'aborted' | { readonly error: string }): readonly ThreadEvent[]
}

/** Reads the streams of one thread: several runs at once, and a run that is read again. */
export interface AgUiReader {
  /** A stream begins. */
  open(this: void): AgUiStream
  /** The shared state of the thread, as its events have made it. */
  state(this: void): unknown
}

// A run that is read again later than that many runs is told anew.
const RUNS_MAX = 256

/** A reader for the streams of one thread. It turns events of AG-UI into events of the store, and decides nothing else. */
export function createAgUiReader(options: AgUiReaderOptions = {}): AgUiReader {
  const thread = newThread()
  const isStrict = options.mode === 'strict'
  let { threadId } = options

  const stamp = (events: readonly ThreadEvent[]): readonly ThreadEvent[] =>
    events.map(event => (threadId === undefined ? event : { threadId, ...event }))
  const report = (code: string, detail: string, type?: string) =>
    options.onDiagnostic?.({
      code,
      detail,
      ...(threadId === undefined ? {} : { threadId }),
      ...(type === undefined ? {} : { type }),
    })

  /** The turn that a run belongs to, and what its start says. */
  const begin = (
    { runId, parentRunId, input: told }: EventOf<'RUN_STARTED'>,
    given: RunAgentInput | undefined,
  ): [Run, readonly KnownEvent[]] => {
    const known = thread.runs.get(runId)
    if (known !== undefined) {
      if (known.turn.phase === 'waiting') known.turn.phase = 'running'
      return [known, []]
    }
    const input = told ?? given
    const waiting = turnsOf(thread).findLast(turn => turn.phase === 'waiting')
    const parent = parentRunId === undefined ? undefined : thread.runs.get(parentRunId)?.turn
    const results = waiting === undefined || input === undefined ? [] : answersTo(waiting, input)
    // A run that answers what a turn waits for goes on with it; one that asks something new does not.
    const isNext =
      waiting !== undefined && (input === undefined || input.resume !== undefined || results.length > 0 || parent === waiting)
    const ended = waiting === undefined || isNext ? [] : close(waiting, 'done')
    const turn = isNext ? waiting : newTurn(runId)
    turn.phase = 'running'
    const run = { turn, told: new Map() }
    thread.runs.set(runId, run)
    for (const old of [...thread.runs.keys()].slice(0, -RUNS_MAX)) thread.runs.delete(old)
    if (isNext) return [run, [...results, ...resolved(turn, input)]]
    return [run, [...ended, { type: 'turn-start', turnId: turn.turnId, ...userOf(input) }]]
  }
  /** The question that a run answers: the newest message of the user, where no turn has it. */
  const userOf = (input: RunAgentInput | undefined) => {
    const message = input?.messages.findLast(({ role }) => role === 'user')
    if (message?.role !== 'user' || thread.asked.has(message.id)) return {}
    thread.asked.add(message.id)
    const { content, id } = message
    const said = typeof content === 'string' ? { text: content } : { parts: contentParts(content) }
    return { user: { ...said, messageId: id, clientIds: [id] } }
  }

  const open = (): AgUiStream => {
    const expander = createExpander()
    const order = createOrder()
    const whole: Around['whole'] = new Map()
    const thoughts = new Set<string>()
    let run: Run | undefined
    let heard: Told = new Map()
    let isRefused = false

    const one = (event: AgUiEvent, input: RunAgentInput | undefined): readonly ThreadEvent[] => {
      const { type } = event
      if (isRefused && type !== 'RUN_STARTED') return []
      const wrong = order.check(event)
      if (wrong !== undefined) {
        report('ag-ui-order', wrong, type)
        if (isStrict) {
          isRefused = true
          return run?.turn.phase === 'running' ? close(run.turn, 'error', wrong) : []
        }
      }
      if (type === 'RUN_STARTED') {
        isRefused = false
        heard = new Map()
        threadId ??= event.threadId
        const [begun, events] = begin(event, input)
        run = begun
        return events
      }
      if (type === 'TEXT_MESSAGE_CHUNK' || type === 'TOOL_CALL_CHUNK' || type === 'REASONING_MESSAGE_CHUNK') return []
      const delta = 'delta' in event && typeof event.delta === 'string' ? event.delta : undefined
      const news =
        run === undefined ? 1 : freshOf(run.told, heard, `${type}\n${nameOf(event)}`, delta === undefined ? 1 : delta.length)
      if (news === 0) return []
      const fresh = delta === undefined || run === undefined ? event : { ...event, delta: delta.slice(delta.length - news) }
      return say(isSame(fresh, event) ? fresh : event, {
        thread,
        turn: run?.turn,
        whole,
        thoughts,
        report: (detail, about) => report('ag-ui-ignored', detail, about),
      })
    }
    const read = (raw: unknown, input?: RunAgentInput): readonly ThreadEvent[] => {
      const checked = checkEvent(raw)
      if (!('event' in checked)) {
        report('unknown-event', checked.wrong, checked.type)
        return []
      }
      const events = expander.expand(checked.event)
      if (typeof events !== 'string') return stamp(events.flatMap(event => one(event, input)))
      report('ag-ui-order', events, checked.event.type)
      return []
    }
    return {
      read,
      readUnknown: read,
      end: reason => {
        if (run === undefined || run.turn.phase !== 'running' || reason === undefined) return []
        return stamp(reason === 'aborted' ? close(run.turn, 'aborted') : close(run.turn, 'error', reason.error))
      },
    }
  }
  return { open, state: () => thread.state }
}

/** The results that a client sends along for the calls that a turn waits for. */
function answersTo(turn: Turn, input: RunAgentInput): readonly KnownEvent[] {
  return input.messages.flatMap((message): KnownEvent[] => {
    if (message.role !== 'tool') return []
    const call = turn.calls.get(message.toolCallId)
    if (call?.phase !== 'whole') return []
    call.phase = 'answered'
    const isError = message.error === undefined ? {} : { isError: true }
    return [
      {
        type: 'tool-result',
        turnId: turn.turnId,
        toolResult: { toolCallId: message.toolCallId, result: message.content, ...isError },
      },
    ]
  })
}

/** The decisions that a client sends along. */
function resolved(turn: Turn, input: RunAgentInput | undefined): readonly KnownEvent[] {
  return (input?.resume ?? []).flatMap((entry): KnownEvent[] => {
    const callId = turn.interrupts.get(entry.interruptId)
    if (callId === undefined) return []
    const payload: unknown = entry.payload
    const isNo = typeof payload === 'object' && payload !== null && Reflect.get(payload, 'approved') === false
    const decision = entry.status === 'cancelled' ? 'cancelled' : isNo ? 'denied' : 'approved'
    return [{ type: 'approval-resolved', turnId: turn.turnId, callId, decision }]
  })
}

/** What an event is about: together with its type it tells events apart. */
function nameOf(event: AgUiEvent): string {
  for (const field of ['messageId', 'toolCallId', 'subagentRunId', 'stepName', 'entityId', 'name']) {
    const name: unknown = Reflect.get(event, field)
    if (typeof name === 'string') return name
  }
  return ''
}

function isSame<Event extends AgUiEvent>(copy: object, event: Event): copy is Event {
  return Reflect.get(copy, 'type') === event.type
}
