import { memo, useSyncExternalStore } from 'react'
import { useGroup, useKeys, useThread } from 'turnseal/react'

/** A thread, its draft and its buttons. While an answer streams only its own row is drawn. */
export function Chat({ store }) {
  const thread = store.thread('main')
  const status = useThread(store, 'main', state => state.status)
  const held = useThread(store, 'main', state => state.held)
  const connection = useSyncExternalStore(store.connection.subscribe, store.connection.getSnapshot)
  const draft = useSyncExternalStore(thread.draft.subscribe, thread.draft.get)
  const send = event => {
    event.preventDefault()
    if (draft.trim() === '') return
    thread.send(draft)
    thread.draft.set('')
  }
  return (
    <main>
      <header>
        <h1>turnseal in React</h1>
        <output aria-label="Connection">{connection.state}</output>
      </header>
      <ol aria-busy={status !== 'idle'} aria-label="Messages">
        {useKeys(thread).map(key => <Row id={key} key={key} thread={thread} />)}
      </ol>
      <form onSubmit={send}>
        <input aria-label="Message" autoComplete="off" onChange={event => thread.draft.set(event.target.value)} placeholder="Ask it to count, and write on meanwhile" value={draft} />
        <button>Send</button>
        {status !== 'idle' && <button onClick={() => thread.stop()} type="button">Stop</button>}
        {held && <button onClick={() => thread.resumeQueue()} type="button">Resume</button>}
      </form>
    </main>
  )
}

const Row = memo(function Row({ thread, id }) {
  const group = useGroup(thread, id)
  if (!group) return null
  const { role, state, parts, messageId, clientId } = group
  return (
    <li data-role={role} data-state={state}>
      {parts.map((part, at) => <Part key={at} part={part} thread={thread} />)}
      {state === 'queued' && <button onClick={() => thread.cancelQueued(messageId)}>Cancel</button>}
      {state === 'failed' && <button onClick={() => thread.retry(clientId)}>Retry</button>}
      {state === 'failed' && <button onClick={() => thread.dismiss(id)}>Dismiss</button>}
    </li>
  )
})

function Part({ part, thread }) {
  if (part.type !== 'tool') return <p className={part.type}>{part.text ?? part.type}</p>
  const { callId, name, state, result, approval } = part
  return (
    <>
      <p className="tool">{name}: {state}{result !== undefined && `: ${JSON.stringify(result)}`}</p>
      {approval?.state === 'open' && (
        <>
          <small>{approval.prompt} </small>
          <button onClick={() => thread.approve(callId)}>Approve</button>
          <button onClick={() => thread.deny(callId)}>Deny</button>
        </>
      )}
    </>
  )
}
