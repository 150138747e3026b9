import { useEffect, useState } from 'react'
import type { Store } from 'turnseal'
import type { Threads } from '../shared/threads.ts'
import { Chat } from './Chat.tsx'
import { Side } from './Side.tsx'
import { useCell } from './read.ts'

export function App({ store, threads }: { store: Store; threads: Threads }) {
  const current = useCell(threads.current)
  const [menu, setMenu] = useState(false)
  useEffect(() => {
    if (!menu) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      setMenu(false)
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [menu])
  return (
    <div className="app" data-menu={menu ? 'open' : 'closed'}>
      <Side threads={threads} close={() => setMenu(false)} />
      {menu && <button type="button" className="veil" aria-label="Close the list of threads" onClick={() => setMenu(false)} />}
      <Chat key={current} store={store} id={current} threads={threads} openMenu={() => setMenu(true)} />
    </div>
  )
}
