import { type Finding, type Report, found } from './testing-rules.js'
import { type Line, readRecording } from './testing-read.js'
import { type MakeStore, compareShapes } from './testing-shape.js'
import { createStreamCheck } from './testing-stream.js'

export { type Broken, type Truth, brokenBetween, brokenIn, difference } from './testing-laws.js'
export type { PaperEvent } from './testing-rows.js'
export { type PaperOptions, type PaperServer, createPaperServer } from './testing-paper.js'
export { type Line, readRecording } from './testing-read.js'
export { type Finding, type Report, type Rule, RULES, formatReport } from './testing-rules.js'
export type { MakeStore } from './testing-shape.js'

/**
 * Tells which rules a recorded stream breaks: what `readRecording` reads, or its lines. `createStore` is that of any
 * entry of the package; it tells which events are refused, and what turns look like live and sealed.
 */
export function checkRecording(recording: string | readonly Line[], { createStore }: { readonly createStore: MakeStore }): Report {
  const lines = typeof recording === 'string' ? readRecording(recording) : recording
  const check = createStreamCheck()
  const refused = refusals(lines, createStore)
  for (const line of lines) check.take(line)
  const { findings, turns } = check.end()
  const shapes = turns.map(turn => compareShapes(turn, createStore))
  const all = [...findings, ...refused, ...shapes.filter(shape => typeof shape === 'object')]
  return {
    lines: lines.length,
    turns: turns.filter(({ started }) => started).length,
    chunks: turns.reduce((sum, { chunks }) => sum + chunks.size, 0),
    compared: shapes.filter(shape => shape !== undefined).length,
    running: turns.filter(({ started, ended, seal }) => started && ended === 'no' && seal === undefined).length,
    findings: all.sort((a, b) => a.line - b.line),
  }
}

/** The events that a store refuses. */
function refusals(lines: readonly Line[], createStore: MakeStore): readonly Finding[] {
  const refused: Finding[] = []
  let here: Line | undefined
  const store = createStore({
    schedule: 'sync',
    transport: 'manual',
    // An unknown type is passed over by every reader, and a field that is wrong by none.
    onDiagnostic: ({ code, detail, field }) => {
      if (here !== undefined && code !== 'unknown-type' && (field !== undefined || code === 'too-deep')) refused.push(found('refused', here.line, here.value, `${code}: ${detail}`))
    },
  })
  for (const line of lines) {
    here = line
    const type = line.value?.['type']
    if (line.value !== undefined && typeof type === 'string' && line.value['role'] === undefined) store.handleEvent({ ...line.value, type })
  }
  store.free()
  return refused
}
