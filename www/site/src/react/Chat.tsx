import { useEffect, useRef, useState } from 'react'
import type { Store, Thread } from 'turnseal'
import { useKeys, useThread } from 'turnseal/react'
import { cell } from '../shared/cell.ts'
import { SUGGESTIONS } from '../shared/composer.ts'
import { copies } from '../shared/copy.ts'
import { isBusy, statusWords } from '../shared/format.ts'
import { announceIn, holdFocus } from '../shared/page.ts'
import { type Place, keepPlace } from '../shared/scroll.ts'
import type { Threads } from '../shared/threads.ts'
import { Composer } from './Composer.tsx'
import { Head } from './Head.tsx'
import { Icon } from './Icon.tsx'
import { Queue } from './Queue.tsx'
import { Row } from './Row.tsx'
import { useCell } from './read.ts'

/** Until a place is kept, the bottom is looked at. */
const atBottom = cell(true)

/** The elements that the page's own modules work on. */
function usePage(thread: Thread) {
  const root = useRef<HTMLElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const region = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>()
  useEffect(() => {
    if (!root.current || !view.current || !content.current || !region.current) return
    const page = root.current
    const kept = keepPlace(view.current, content.current, thread)
    const leave = [kept.leave, announceIn(region.current, thread), copies(content.current), holdFocus(page, () => page.querySelector('textarea'))]
    setPlace(kept)
    return () => leave.forEach(end => end())
  }, [thread])
  return { root, view, content, region, place }
}

export function Chat({ store, id, threads, openMenu }: { store: Store; id: string; threads: Threads; openMenu: () => void }) {
  const thread = store.thread(id)
  const keys = useKeys(thread)
  const { status, connection, queue, held, hasOlder, loadingOlder, loadError } = useThread(store, id, ({ groups: _, ...head }) => head)
  const entry = useCell(threads.list).find(known => known.id === id)
  const { root, view, content, region, place } = usePage(thread)
  const pinned = useCell(place?.pinned ?? atBottom)
  const [editing, setEditing] = useState<string>()
  const words = statusWords(status)
  const isLoading = keys.length === 0 && entry?.updatedAt !== 0

  // A turn that begins or ends changes the list.
  const busy = isBusy(status)
  useEffect(() => void threads.refresh(), [threads, busy])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && isBusy(thread.getSnapshot().status)) thread.stop()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [thread])

  const earlier = loadError && !loadingOlder
    ? <button type="button" className="link" onClick={() => void thread.loadOlder()}>Load earlier messages</button>
    : <><i className="spinner" /> Loading messages</>
  return (
    <main className="chat" ref={root}>
      <Head id={id} title={entry?.title || 'New chat'} connection={connection} threads={threads} openMenu={openMenu} />
      <div className="view" role="log" aria-label="Conversation" aria-live="off" aria-busy={isLoading || words !== ''} tabIndex={0} ref={view}>
        {keys.length === 0 && !isLoading && <Empty thread={thread} />}
        <div className="content" ref={content}>
          {hasOlder || isLoading
            ? <div className="top"><span>{earlier}</span></div>
            : keys.length > 0 && <div className="top"><span>The beginning</span></div>}
          {keys.map(key => <Row key={key} id={key} thread={thread} last={key === keys.at(-1)} />)}
          {keys.length > 0 && <div className="state" data-testid="status">{words && <><i className="dot" />{words}</>}</div>}
        </div>
      </div>
      <div className="composer">
        {!pinned && <button type="button" className="button latest" onClick={() => place?.toBottom()}><Icon name="down" size={16} />Latest</button>}
        <div>
          {queue.length > 0 && <Queue thread={thread} queue={queue} held={held} editing={editing} setEditing={setEditing} />}
          <Composer thread={thread} status={status} queued={queue.length} edit={() => setEditing(queue.at(-1)?.messageId)} sent={() => place?.toBottom()} />
        </div>
      </div>
      <div className="hidden" role="status" aria-live="polite" ref={region} />
    </main>
  )
}

function Empty({ thread }: { thread: Thread }) {
  return (
    <div className="empty">
      <h2>What can I do for you?</h2>
      <p>A demo that needs no network: its answers are scenes, its tools are real. Type ahead while it works, steer it, stop it, reload the page. Nothing is lost, nothing comes twice.</p>
      <ul>
        {SUGGESTIONS.map(({ title, hint }) => (
          <li key={title}><button type="button" className="suggestion" onClick={() => thread.send(title)}><b>{title}</b><span>{hint}</span></button></li>
        ))}
      </ul>
    </div>
  )
}
