import type { Store } from './api.js'
import type { StoreOptions } from './options.js'
import { type Finding, found } from './testing-rules.js'
import type { SeenTurn } from './testing-stream.js'
import type { Group } from './view.js'

/** Makes a store: `createStore` of any entry. */
export type MakeStore = (options?: StoreOptions) => Store

/** Compares what a turn looked like live with what its rows look like. `undefined`: it was not seen both ways. */
export function compareShapes({ id, events, chunks, seal, ended, isCut, line }: SeenTurn, createStore: MakeStore): Finding | 'same' | undefined {
  const rows = [...chunks.entries()].sort(([a], [b]) => a - b).map(([, row]) => row)
  const isWhole = seal !== undefined && rows.some(({ role }) => role !== 'user') && (typeof seal.event['lastSeq'] !== 'number' || chunks.has(seal.event['lastSeq']))
  if (!isWhole || isCut || events.length === 0) return undefined
  const live = createStore({ schedule: 'sync', transport: 'manual' })
  const sealed = createStore({ schedule: 'sync', transport: 'manual' })
  try {
    live.handleEvent({ type: 'turn-start', turnId: id })
    for (const { threadId: _, tabId: __, n: ___, ...event } of events) live.handleEvent({ ...event, turnId: id })
    live.handleEvent({ type: 'turn-end', turnId: id, outcome: ended === 'otherwise' ? 'aborted' : 'done' })
    sealed.handleEvent({ type: 'chunks-loaded', oldestSeq: 0, chunks: rows })
    const [had, has] = [shape(live.renderGroups()), shape(sealed.renderGroups())]
    const at = Array.from({ length: Math.max(had.length, has.length) }, (_, at) => at).find(at => had[at] !== has[at])
    if (at === undefined) return 'same'
    return found('shape-differs', seal?.line ?? line, seal?.event, `turn ${id}, piece ${at + 1}: live ${had[at] ?? 'nothing'}, sealed ${has[at] ?? 'nothing'}`)
  } finally {
    live.free()
    sealed.free()
  }
}

/** The pieces of all rows but those of users, whose words may change when they are written. */
function shape(groups: readonly Group[]): readonly string[] {
  const spoken = groups.filter(({ role }) => role !== 'user')
  // Executions run side by side: each has an order of its own.
  const names = [...new Set(spoken.map(({ executionId = '' }) => executionId))].sort()
  const apart = names.flatMap(name => spoken.filter(({ executionId = '' }) => executionId === name))
  return (names.filter(name => name !== '').length > 1 ? apart : spoken).flatMap(({ role, parts }) =>
    parts.flatMap(part => {
      if (part.type !== 'tool') return [`${role} ${sorted(part)}`]
      // A call whose arguments never became whole is written by no server.
      if (part.arguments === undefined && part.result === undefined) return []
      // The question to a person is not in the log, and its answer shows in the result.
      const { approval: _, argumentsText: __, state: ___, step: ____, ...rest } = part
      return [`${role} ${sorted({ ...rest, isError: part.isError === true })}`]
    }),
  )
}

/** JSON whose fields are in one order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}
