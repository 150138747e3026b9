// What was measured against the budgets of SPEC section 10 and our own. A row that is `held` fails the run where it falls
// short by more than SLACK, since machines differ from run to run; an `aim` is one that is not reached, and is said aloud.
import { readFileSync } from 'node:fs'
import { at, table } from '../scripts/lib.mjs'

const SLACK = 1.2

/** The figure of each row; undefined where the run left it out. */
function values({ hosts, growth, memory, native, engine, download }) {
  const { node, chromium } = hosts
  const form = (host, id, groups) => host?.deltas?.find(one => one.form === id && one.groups === groups)
  const small = (host, id = 'message-16') => form(host, id, 10)?.ratio.median
  const faster = host => form(host, 'message-16', 10_000) && 1 / form(host, 'message-16', 10_000).ratio.median
  const grown = host => form(host, 'message-16', 100_000)?.growth.median
  const against = peer => node?.peers?.find(one => one.peer === peer && one.work === 'delta' && one.groups === 1_000)?.ratio.frames.median
  const [few, many] = engine?.projections ?? []
  return {
    'delta-10': small(node), 'delta-10-page': small(chromium), 'delta-10000': faster(node), 'delta-10000-page': faster(chromium),
    growth: grown(node), 'growth-page': grown(chromium),
    'ai-sdk': against('AI SDK AbstractChat'), tanstack: against('TanStack ChatClient'), 'ag-ui': against('AG-UI AbstractAgent'),
    'object-10': small(node, 'event'), attach: node?.attach?.[0].ratio.median,
    memory: memory && memory.store / memory.text, steady: memory && memory.steady[1] / memory.steady[0],
    lifetimes: memory && memory.lifetimes[1] / memory.lifetimes[0],
    native: native && native.apply / 1e6, download: download?.find(({ entry }) => entry === '.').gzip / 1024,
    react: chromium?.react?.[0].drawn, engine: engine && engine.native / 1e6, transcript: few && many.ours / few.ours,
    ...Object.fromEntries((growth ?? []).map(({ id, ratio }) => [`growth-${id}`, ratio])),
  }
}

/** Each row of the budget with its figure. A whole run measures all of them. */
export function judge(result, isWhole) {
  const found = values(result)
  return JSON.parse(readFileSync(at('bench/budget.json'), 'utf8')).flatMap(row => {
    const value = found[row.id]
    if (!(value > 0)) {
      if (isWhole) throw new Error(`budget.json: nothing is measured for ${row.id}`)
      return []
    }
    const miss = row.max === undefined ? row.min / value : value / row.max
    return [{ ...row, value, miss, holds: miss <= 1, isBroken: row.is === 'held' && miss > SLACK }]
  })
}

const limit = ({ max, min }) => (max === undefined ? `at least ${min}` : `at most ${max}`)
const verdict = ({ holds, isBroken, is }) => (holds ? 'holds' : isBroken ? 'FAILS' : is === 'held' ? 'within a fifth' : 'MISSED')

/** The rows as cells, for a table. */
export const verdicts = rows => rows.map(row => [row.what, limit(row), row.value.toFixed(2), verdict(row), row.spec ? 'SPEC 10' : 'our own'])

/** The verdict as text, and whether the run has failed. */
export function said(rows) {
  const broken = rows.filter(row => row.isBroken)
  const missed = rows.filter(row => !row.holds && !row.isBroken)
  const name = row => `  ${row.id}: ${row.value.toFixed(2)}, ${limit(row)}: ${row.what}`
  return {
    isBroken: broken.length > 0,
    verdict: [
      table([['budget', 'limit', 'measured', '', 'of'], ...verdicts(rows)]),
      ...(missed.length > 0 ? ['', `MISSED, ${missed.length} rows of ${rows.length}:`, ...missed.map(name)] : []),
      ...(broken.length > 0 ? ['', `FAILS, ${broken.length} rows that are held fall short by more than a fifth:`, ...broken.map(name)] : []),
    ].join('\n'),
  }
}
