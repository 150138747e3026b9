import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { QueueEntry, Thread } from 'turnseal'
import { fit } from '../shared/composer.ts'
import { Icon } from './Icon.tsx'

interface QueueProps { thread: Thread; queue: readonly QueueEntry[]; held: boolean; editing: string | undefined; setEditing: (messageId?: string) => void }

export function Queue({ thread, queue, held, editing, setEditing }: QueueProps) {
  const leave = () => {
    setEditing(undefined)
    document.querySelector<HTMLTextAreaElement>('.field textarea')?.focus()
  }
  return (
    <section className="queue" aria-label="Queue">
      <header>
        <h2>{held ? 'Held' : 'Next'} · {queue.length}</h2>
        {held && <button type="button" className="button small" onClick={() => thread.resumeQueue()}>Resume</button>}
      </header>
      <ol>
        {queue.map((entry, at) => (
          <li className="queued" key={entry.key}>
            {editing === entry.messageId
              ? <Edit entry={entry} thread={thread} leave={leave} />
              : <Waiting entry={entry} thread={thread} at={at} isEnd={at === queue.length - 1} edit={() => setEditing(entry.messageId)} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

interface WaitingProps { entry: QueueEntry; thread: Thread; at: number; isEnd: boolean; edit: () => void }

function Waiting({ entry: { messageId, text, intent }, thread, at, isEnd, edit }: WaitingProps) {
  return (
    <>
      <span className="what" title={text}>{text}</span>
      {intent === 'steer' && <span className="badge">steer</span>}
      <div className="tools">
        <button type="button" className="icon small" aria-label={`Send now: ${text}`} title="Send now" onClick={() => thread.sendNow(messageId)}><Icon name="now" size={16} /></button>
        <button type="button" className="icon small" aria-label={`Move up: ${text}`} title="Move up" disabled={at === 0} onClick={() => thread.moveQueued(messageId, at - 1)}><Icon name="up" size={16} /></button>
        <button type="button" className="icon small" aria-label={`Move down: ${text}`} title="Move down" disabled={isEnd} onClick={() => thread.moveQueued(messageId, at + 1)}><Icon name="down" size={16} /></button>
        <button type="button" className="icon small" aria-label={`Edit: ${text}`} title="Edit" onClick={edit}><Icon name="pencil" size={15} /></button>
        <button type="button" className="icon small" aria-label={`Cancel: ${text}`} title="Cancel" onClick={() => thread.cancelQueued(messageId)}><Icon name="close" size={16} /></button>
      </div>
    </>
  )
}

function Edit({ entry: { messageId, text }, thread, leave }: { entry: QueueEntry; thread: Thread; leave: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!field.current) return
    fit(field.current)
    field.current.focus()
    field.current.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  const save = () => {
    const words = field.current?.value.trim() ?? ''
    if (words !== '' && words !== text) thread.editQueued(messageId, words)
    leave()
  }
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey))) return
    event.preventDefault()
    if (event.key === 'Enter') save()
    else leave()
  }
  return (
    <>
      <textarea rows={1} aria-label="Edit the queued message" defaultValue={text} ref={field} onInput={event => fit(event.currentTarget)} onKeyDown={onKey} />
      <div className="tools">
        <button type="button" className="icon small" aria-label="Save" title="Save" onClick={save}><Icon name="check" size={16} /></button>
        <button type="button" className="icon small" aria-label="Leave it as it was" title="Leave it as it was" onClick={leave}><Icon name="close" size={16} /></button>
      </div>
    </>
  )
}
