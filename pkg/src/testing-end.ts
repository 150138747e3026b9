import type { Rule } from './testing-rules.js'
import type { SeenTurn } from './testing-stream.js'

/** The stream is over: what should have come by now for the turns of a thread, in order. The last one may still run. */
export function judgeTurns(turns: readonly SeenTurn[], hasEnds: boolean, say: (rule: Rule, more: string, line?: number, event?: unknown) => void): void {
  for (const turn of turns) {
    const { id, early, chunks, seal, started, line, isCut, isOverrun, ended } = turn
    for (const [call, { line, event }] of isCut ? [] : early) say('result-without-call', call.trim(), line, event)
    const [last, newest] = [seal?.event['lastSeq'], Math.max(...chunks.keys())]
    if (typeof last === 'number' && newest > last) say('row-behind-seal', `turn ${id}, seq ${newest} behind ${last}`, seal?.line, seal?.event)
    if (!started) continue
    const isLast = turn === turns.at(-1)
    if (hasEnds && ended === 'no' && !isCut && !isOverrun && (seal !== undefined || !isLast)) say('turn-without-end', `turn ${id}`, seal?.line ?? line, seal?.event)
    if (seal !== undefined) continue
    const isWritten = [...chunks.values()].some(({ role }) => role !== 'user')
    if (isWritten) say('chunk-without-seal', `turn ${id}`, line, undefined)
    else if (ended !== 'no' && !isLast) say('end-without-seal', `turn ${id}`, line, undefined)
  }
}
