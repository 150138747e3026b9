import { type FormEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { Intent, Status, Thread } from 'turnseal'
import { actOf, fit } from '../shared/composer.ts'
import { isBusy } from '../shared/format.ts'
import { Icon } from './Icon.tsx'

interface ComposerProps { thread: Thread; status: Status; queued: number; edit: () => void; sent: () => void }

export function Composer({ thread, status, queued, edit, sent }: ComposerProps) {
  const text = useSyncExternalStore(thread.draft.subscribe, thread.draft.get)
  const field = useRef<HTMLTextAreaElement>(null)
  const busy = isBusy(status)
  const isEmpty = text.trim() === ''

  const send = (intent: Intent) => {
    if (isEmpty) return
    thread.send(text.trim(), { intent })
    thread.draft.set('')
    sent()
  }
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const act = actOf(event.nativeEvent, { text, busy, queued })
    if (act === undefined) return
    event.preventDefault()
    if (act === 'send') send('queue')
    else if (act === 'steer') send('steer')
    else if (act === 'stop') thread.stop()
    else edit()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send('queue')
  }
  useLayoutEffect(() => {
    if (field.current) fit(field.current)
  }, [text])
  // A phone would cover half of the page with its keyboard.
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [])
  return (
    <form className="field" aria-label="Message" onSubmit={onSubmit}>
      <textarea rows={1} placeholder={busy ? 'Say what comes next' : 'Ask something'} aria-label="Message" value={text} ref={field} onChange={event => thread.draft.set(event.currentTarget.value)} onKeyDown={onKey} />
      <div className="acts">
        <span className="hint">{busy ? 'Enter queues · Ctrl+Enter steers · Esc stops' : 'Enter sends · Shift+Enter for a new line'}</span>
        {busy && !isEmpty && <button type="button" className="button" onClick={() => send('steer')}>Steer</button>}
        {busy && <button type="button" className="button stop" disabled={status === 'stopping'} onClick={() => thread.stop()}><i />Stop</button>}
        <button type="submit" className={`button primary send${busy ? ' wide' : ''}`} disabled={isEmpty} aria-label={busy ? 'Queue' : 'Send'}><Icon name="send" />{busy && 'Queue'}</button>
      </div>
    </form>
  )
}
