// What a screen reader hears: whole sentences of an answer as they come, and what the thread begins to wait for.
import type { ThreadSnapshot } from 'turnseal'
import { textOf, toolName } from './format.ts'

/** Says what is new since it was asked last; empty: nothing. */
export function createAnnouncer(): (state: ThreadSnapshot) => string {
  let last: ThreadSnapshot | undefined
  /** Of the answer that grows: whose it is and how much of it was said. */
  let said = { key: '', length: 0 }

  const answer = (state: ThreadSnapshot): string => {
    const group = state.groups.findLast(({ role, streaming, key }) => role === 'assistant' && (streaming || key === said.key))
    if (group === undefined) return ''
    const text = textOf(group)
    if (group.key !== said.key) said = { key: group.key, length: 0 }
    const rest = text.slice(said.length)
    const end = group.streaming ? Math.max(...[...rest.matchAll(/[.!?:]\s|\n/g)].map(({ index }) => index + 1), 0) : rest.length
    said = { key: group.key, length: said.length + end }
    return rest.slice(0, end).trim()
  }
  const news = (state: ThreadSnapshot, before: ThreadSnapshot): string => {
    const [asked] = state.approvals.filter(({ callId }) => !before.approvals.some(old => old.callId === callId))
    if (asked) return `${toolName(asked.name)} needs your approval. ${asked.prompt ?? ''}`
    if (state.held && !before.held && state.queue.length > 0) return 'The queue is held.'
    if (state.queue.length > before.queue.length) return 'Your message waits in the queue.'
    if (state.status === 'error' && before.status !== 'error') return 'The answer failed.'
    if (state.connection !== before.connection && before.connection !== 'connecting')
      return state.connection === 'online' ? 'Connected again.' : 'The connection is lost.'
    return ''
  }
  return state => {
    const before = last
    last = state
    // What stood there before is history, and nobody wants to hear it all.
    if (before === undefined || before.id !== state.id) {
      const group = state.groups.findLast(({ role }) => role === 'assistant')
      said = { key: group?.key ?? '', length: group ? textOf(group).length : 0 }
      return ''
    }
    return [news(state, before), answer(state)].filter(text => text !== '').join(' ')
  }
}
