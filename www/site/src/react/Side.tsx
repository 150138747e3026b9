import { ago } from '../shared/format.ts'
import type { Threads } from '../shared/threads.ts'
import { Icon } from './Icon.tsx'
import { useCell } from './read.ts'

export function Side({ threads, close }: { threads: Threads; close: () => void }) {
  const list = useCell(threads.list)
  const current = useCell(threads.current)
  const go = (act: () => void) => {
    act()
    close()
  }
  return (
    <nav className="side" aria-label="Threads">
      <div className="brand">
        <img src="/icon.svg" alt="" />
        turnseal
        <button type="button" className="icon" aria-label="New chat" title="New chat" onClick={() => go(threads.create)}><Icon name="plus" /></button>
      </div>
      <div className="threads">
        <h2 id="threads">Chats</h2>
        <ul aria-labelledby="threads">
          {list.map(({ id, title, updatedAt, running }) => (
            <li key={id}>
              <button type="button" className="thread" aria-current={id === current ? 'page' : undefined} onClick={() => go(() => threads.select(id))}>
                <span className="name">{title || 'New chat'}</span>
                {running ? <span className="dot" role="img" aria-label="running" /> : <time>{ago(updatedAt)}</time>}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className="foot">
        <div className="switch" role="group" aria-label="View drawn with">
          <a href={`/svelte/#${encodeURIComponent(current)}`}>Svelte</a>
          <a href={`/react/#${encodeURIComponent(current)}`} aria-current="true">React</a>
        </div>
        <a href="/docs/">Docs</a>
        <a href="/lab/">Lab</a>
      </div>
    </nav>
  )
}
