import { memo } from 'react'
import type { Group, Part, Thread } from 'turnseal'
import { useGroup } from 'turnseal/react'
import { again, attachment } from '../shared/acts.ts'
import { Prose } from './Prose.tsx'
import { Thoughts } from './Thoughts.tsx'
import { Tool } from './Tool.tsx'

const names = { user: 'You', assistant: 'Assistant', system: 'Note' }

interface RowProps { thread: Thread; id: string; last: boolean }

export const Row = memo(function Row({ thread, id, last }: RowProps) {
  const group = useGroup(thread, id)
  if (!group || group.state === 'queued') return null
  const { role, state, parts } = group
  return (
    <article className={`row ${role}`} data-key={id} data-state={state} aria-label={names[role]}>
      {parts.map((part, at) => <Piece key={at} part={part} group={group} thread={thread} isEnd={at === parts.length - 1} last={last} />)}
      <Fate group={group} thread={thread} />
    </article>
  )
})

interface PieceProps { part: Part; group: Group; thread: Thread; isEnd: boolean; last: boolean }

function Piece({ part, group, thread, isEnd, last }: PieceProps) {
  switch (part.type) {
    case 'text':
      return group.role === 'user' ? <div className="words">{part.text}</div> : <Prose text={part.text} growing={group.streaming && isEnd} />
    case 'reasoning':
      return <Thoughts text={part.text} growing={!part.sealed && group.streaming} />
    case 'tool':
      return <Tool tool={part} thread={thread} />
    case 'error':
      return (
        <div className="trouble">
          <span className="text">{part.text}</span>
          {last && <button type="button" className="button small" onClick={() => again(thread, group)}>Try again</button>}
        </div>
      )
    case 'notice':
      return <div className="notice">{part.text}</div>
    default: {
      const { label, href } = attachment(part)
      return <div className="notice">{href ? <a href={href} target="_blank" rel="noopener noreferrer">{label}</a> : label}</div>
    }
  }
}

function Fate({ group: { key, state, error, clientId }, thread }: { group: Group; thread: Thread }) {
  if (state === 'sending') return <div className="note late">Sending…</div>
  if (state === 'unconfirmed') return <div className="note">Not found in the log yet</div>
  if (state !== 'failed') return null
  return (
    <div className="note bad" role="alert">
      <span>Not delivered{error ? `: ${error}` : ''}</span>
      {clientId && <button type="button" className="link" onClick={() => thread.retry(clientId)}>Retry</button>}
      <button type="button" className="link" onClick={() => thread.dismiss(key)}>Dismiss</button>
    </div>
  )
}
