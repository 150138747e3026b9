// What a pane shows, held against what is true on the server. It knows nothing of how a store came to it.
import type { Client } from './client.ts'
import type { World } from './world.ts'

/** One row of a pane, ours or the naive one's. */
export interface Seen { readonly role: string; readonly turnId?: string | undefined; readonly text: string }
/** `of`: the text of a message, or the turn of an answer. */
export interface Fault { readonly kind: 'gone' | 'twice' | 'stuck'; readonly words: string; readonly of?: string }
export interface Pane { readonly texts: Set<string>; readonly answers: Set<string> }

export const createPane = (): Pane => ({ texts: new Set(), answers: new Set() })
const count = <T>(list: readonly T[], value: T) => list.filter(other => other === value).length

/** Looks at a pane; what it has shown once is expected to stay. */
export function judge(pane: Pane, rows: readonly Seen[], isBusy: boolean, world: World, client: Client): Fault[] {
  const { server } = world
  const faults: Fault[] = []
  const users = rows.filter(({ role }) => role === 'user').map(({ text }) => text)
  const answers = rows.flatMap(({ role, turnId }) => (role === 'assistant' && turnId !== undefined ? [turnId] : []))
  const known = [...server.messages.values()].map(({ text }) => text)
  const waiting = [...server.typed].flatMap(([id, { text }]) => (server.receipts.has(id) ? [] : [text]))
  for (const text of new Set(users)) if (count(users, text) > count(known, text) + count(waiting, text)) faults.push({ kind: 'twice', words: `“${text}” is shown twice`, of: text })
  for (const turnId of new Set(answers)) {
    const turn = server.turns.find(({ id }) => id === turnId)
    const runs = turn?.rows.filter((row, at) => row.kind !== 'user' && row.kind !== 'notice' && ['user', 'notice', undefined].includes(turn.rows[at - 1]?.kind)).length ?? 0
    if (count(answers, turnId) > Math.max(1, runs)) faults.push({ kind: 'twice', words: `the answer of ${turnId} is shown twice`, of: turnId })
  }
  const cancelled = [...server.cancelled].map(id => server.messages.get(id)?.text)
  for (const text of pane.texts) if (!users.some(shown => shown.includes(text)) && !cancelled.includes(text)) faults.push({ kind: 'gone', words: `“${text}” is gone`, of: text })
  for (const turnId of pane.answers) if (!answers.includes(turnId)) faults.push({ kind: 'gone', words: `the answer of ${turnId} is gone`, of: turnId })
  const isOver = server.running() === undefined && client.socket.length === 0 && client.asks().length === 0 && client.state.isLinked
  if (isBusy && isOver) faults.push({ kind: 'stuck', words: 'it waits for a turn that is over' })
  for (const text of users) pane.texts.add(text)
  for (const turnId of answers) pane.answers.add(turnId)
  return faults
}
