// What the lab shows at one moment, as plain data: nothing here can change under the eyes of the page.
import type { Group, PendingApproval, Status } from 'turnseal'
import type { Client } from './client.ts'
import { type Fault, type Pane, type Seen, createPane, judge } from './judge.ts'
import type { NaiveRow } from './naive.ts'
import { acts, nextOf } from './next.ts'
import { phaseOf } from './paper.ts'
import type { Flight } from './flights.ts'
import type { World } from './world.ts'

/** One row of our store, with why it is there. */
export interface RowShot { readonly group: Group; readonly owner: string; readonly because: readonly string[] }

export interface ClientShot {
  readonly number: number
  readonly isLinked: boolean
  readonly status: Status
  readonly isHeld: boolean
  readonly queued: readonly string[]
  readonly approvals: readonly PendingApproval[]
  readonly timers: readonly string[]
  readonly rows: readonly RowShot[]
  readonly faults: readonly Fault[]
  readonly naive: { readonly rows: readonly NaiveRow[]; readonly isBusy: boolean; readonly faults: readonly Fault[] }
  readonly flights: readonly Flight[]
}

export interface ServerShot {
  readonly n: number
  readonly log: readonly { readonly seq: number; readonly turnId: string; readonly what: string; readonly text: string }[]
  readonly turns: readonly { readonly id: string; readonly phase: string }[]
  readonly queue: readonly { readonly id: string; readonly text: string }[]
  readonly isHeld: boolean
  readonly next: string | undefined
  readonly acts: readonly (readonly [string, string])[]
}

export interface Shot { readonly clients: readonly ClientShot[]; readonly server: ServerShot }

/** What the panes of each client have shown so far. */
export type Panes = Map<number, { readonly ours: Pane; readonly naive: Pane }>

export const textOf = (group: Group): string => group.parts.map(part => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('')

function clientShot(world: World, panes: Panes, client: Client): ClientShot {
  const { store, naive, number } = client
  const groups = store.renderGroups('main')
  const head = client.isOpen() ? client.thread().getSnapshot() : undefined
  const pane = panes.get(number) ?? { ours: createPane(), naive: createPane() }
  panes.set(number, pane)
  const seen: Seen[] = groups.map(group => ({ role: group.role, turnId: group.turnId, text: textOf(group) }))
  const rows = naive.rows().map(row => ({ ...row, tools: row.tools.map(tool => ({ ...tool })) }))
  const status = head?.status ?? 'idle'
  return {
    number, status, isLinked: client.state.isLinked, isHeld: head?.held ?? false,
    queued: head?.queue.map(({ messageId }) => messageId) ?? [],
    approvals: head?.approvals ?? [],
    timers: client.timers.map(({ why, ms }) => `${why} again in ${ms / 1000} s`),
    rows: groups.map(group => {
      const why = store.explain('main', group.key)
      return { group, owner: why?.owner ?? group.state, because: why?.because ?? [] }
    }),
    faults: judge(pane.ours, seen, !['idle', 'error'].includes(status), world, client),
    naive: { rows, isBusy: naive.isBusy(), faults: judge(pane.naive, rows, naive.isBusy(), world, client) },
    flights: world.flights().filter(flight => flight.client === number),
  }
}

function serverShot({ server }: World): ServerShot {
  return {
    n: server.n(), isHeld: server.isHeld(), next: nextOf(server), acts: acts(server),
    log: server.log.map(({ seq, turnId, role, type, data }) => {
      const said = data as { text?: string; name?: string; result?: unknown }
      return { seq, turnId, what: type === 'text' ? role : type.replace('_', ' '), text: said.text ?? said.name ?? JSON.stringify(said.result ?? data) }
    }),
    turns: server.turns.filter(({ isSealed }) => !isSealed).map(turn => ({ id: turn.id, phase: turn.outcome === undefined ? phaseOf(turn).replace('-', ' ') : `ended, ${turn.outcome}; not sealed` })),
    queue: server.queue.map(id => ({ id, text: server.message(id).text })),
  }
}

export const shoot = (world: World, panes: Panes): Shot => ({
  clients: world.clients().map(client => clientShot(world, panes, client)),
  server: serverShot(world),
})
