import { type KeyboardEvent, useState } from 'react'
import type { Connection } from 'turnseal'
import { nextTheme, theme } from '../shared/theme.ts'
import type { Threads } from '../shared/threads.ts'
import { Icon } from './Icon.tsx'
import { Weather } from './Weather.tsx'
import { useCell } from './read.ts'

interface HeadProps { id: string; title: string; connection: Connection; threads: Threads; openMenu: () => void }

export function Head({ id, title, connection, threads, openMenu }: HeadProps) {
  const choice = useCell(theme)
  return (
    <header className="head">
      <button type="button" className="icon menu" aria-label="Open the list of threads" onClick={openMenu}><Icon name="menu" size={20} /></button>
      <Title id={id} title={title} threads={threads} />
      {connection !== 'online' && (
        <span className="pill" data-testid="connection"><i className="spinner" />{connection === 'connecting' ? 'Connecting' : 'Reconnecting'}</span>
      )}
      <Weather />
      <button type="button" className="icon" aria-label={`Theme: ${choice}`} title={`Theme: ${choice}`} onClick={nextTheme}><Icon name={choice} /></button>
    </header>
  )
}

function Title({ id, title, threads }: { id: string; title: string; threads: Threads }) {
  const [naming, setNaming] = useState(false)
  const save = (text: string) => {
    setNaming(false)
    if (text.trim() !== title) void threads.rename(id, text.trim())
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') event.preventDefault()
    if (event.key === 'Enter') save(event.currentTarget.value)
    else if (event.key === 'Escape') setNaming(false)
  }
  return (
    <div className="title">
      {naming ? (
        <input aria-label="Title" defaultValue={title} maxLength={80} autoFocus onFocus={event => event.currentTarget.select()} onKeyDown={onKey} onBlur={event => save(event.currentTarget.value)} />
      ) : (
        <>
          <h1>{title}</h1>
          <button type="button" className="icon small" aria-label="Rename this chat" title="Rename" onClick={() => setNaming(true)}><Icon name="pencil" size={15} /></button>
        </>
      )}
    </div>
  )
}
