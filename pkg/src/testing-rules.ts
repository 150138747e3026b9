/** What a stream can do wrong, with the law that it breaks for its readers. */
export const RULES = {
  'bad-line': ['wire', 'a line is no JSON object'],
  refused: ['wire', 'an event is not what its type says'],
  'n-gap': ['L4', 'a number is missing: every reader will ask for the whole state'],
  'n-reused': ['L4', 'one number has two different events: the second is dropped'],
  'turn-reused': ['L9', 'a turn that was over starts again: its events are late'],
  'second-end': ['L9', 'a turn has two ends: the first wins'],
  'turn-without-end': ['L9', 'a turn has no end: it looks as if it ran until its rows are here'],
  'overlapping-turns': ['L9', 'a turn starts before the last has ended'],
  'late-event': ['L10', 'a turn goes on after its end: what comes is dropped'],
  'no-turn': ['L10', 'no turn runs, and the event names none: it is dropped'],
  'result-without-call': ['L13', 'a result has no call in its turn: it is not shown'],
  'second-result': ['L13', 'a call has two results'],
  'call-without-result': ['L13', 'a turn is done, but a call of it has no result: it is shown as interrupted'],
  'call-reused': ['L13', 'a call id comes again while the first call is open'],
  'chunk-without-seal': ['L8', 'rows of a turn are in the log, but nobody was told: they are loaded late or never'],
  'end-without-seal': ['L8', 'a turn ended and was never sealed: its rows stay live'],
  'seal-changed': ['L4', 'a second seal of a turn says something else'],
  'seal-without-chunk': ['L1', 'a page behind the seal has no row of the turn: it was sealed before it was written'],
  'row-behind-seal': ['L1', 'a turn has a row behind the last one that its seal names: who folded by then does not load it'],
  'seq-reused': ['L4', 'one seq has two different rows, and nobody was told of a change'],
  'seq-order': ['L7', 'the rows of a page do not ascend'],
  'message-reused': ['L11', 'one message id has two messages'],
  'consumed-unknown': ['L11', 'a message is consumed that was never queued'],
  'consumed-twice': ['L11', 'a message is consumed twice'],
  'cancelled-consumed': ['L11', 'a message is cancelled after it was consumed'],
  'shape-differs': ['L2', 'what a turn looked like live is not what its rows look like: it changes on the screen when it is sealed'],
} as const

/** The name of a rule. */
export type Rule = keyof typeof RULES

/** One rule that was broken. */
export interface Finding {
  /** The law of turnseal that it breaks; `wire`: the form of an event. */
  readonly law: string
  /** The rule. */
  readonly rule: Rule
  /** The line at which it shows. */
  readonly line: number
  /** What stands there. */
  readonly event: unknown
  /** What is wrong, in words. */
  readonly detail: string
}

/** All that was found. */
export interface Report {
  /** How many lines were read. */
  readonly lines: number
  /** How many turns were seen. */
  readonly turns: number
  /** How many rows of the log were seen. */
  readonly chunks: number
  /** How many turns were seen both live and sealed, and compared. */
  readonly compared: number
  /** How many turns still run where the recording ends. */
  readonly running: number
  /** What was broken, by line. */
  readonly findings: readonly Finding[]
}

/** A finding of a rule. */
export function found(rule: Rule, line: number, event: unknown, more: string): Finding {
  const [law, says] = RULES[rule]
  return { law, rule, line, event, detail: more === '' ? says : `${says} (${more})` }
}

/** A report as text, for people. */
export function formatReport(name: string, { lines, turns, chunks, compared, running, findings }: Report): string {
  const counts = `${lines} lines, ${turns} turns, ${chunks} rows of the log, ${compared} turns compared live and sealed${running === 0 ? '' : `, ${running} still running at the end`}`
  if (findings.length === 0) return `${name}: ${counts}: no rule is broken`
  const told = findings.flatMap(({ law, rule, line, event, detail }) => [`${name}:${line}: ${law} ${rule}: ${detail}`, `    ${short(event)}`])
  return [...told, `${name}: ${counts}: ${findings.length} broken`].join('\n')
}

function short(event: unknown): string {
  const text = JSON.stringify(event) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}
