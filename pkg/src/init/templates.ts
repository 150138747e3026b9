/** What an app is made with, as far as the new files depend on it. */
export interface App {
  readonly framework: 'react' | 'svelte'
  readonly typed: boolean
  /** Rendered on a server too: then the wasm comes with the JavaScript, and there may be no storage. */
  readonly onServer: boolean
  /** Where a server is that speaks the protocol; absent: the transport is to be filled in. */
  readonly connect?: string
}

const ALONE = '  // Only the page asks its server: this store is that of all users where it is rendered.\n'
const DIAGNOSTIC = '  onDiagnostic: ({ code, detail }) => console.warn(`turnseal: ${code}: ${detail}`),\n'

/** The store and its way to the server. */
export function storeModule(app: App): string {
  return app.connect === undefined ? byTransport(app) : byConnect(app, app.connect)
}

/** The first lines; `types` are imported where there are types. */
function head({ typed, onServer }: App, types: string): string {
  const names = typed ? types : ''
  return onServer ? `import { createStore${names} } from 'turnseal/inline'\n` : `import { createStore, init${names} } from 'turnseal'\n\nawait init()\n`
}

function byConnect(app: App, url: string): string {
  const quoted = `'${JSON.stringify(url).slice(1, -1).replaceAll("'", "\\'")}'`
  const connect = `connect: { url: ${quoted} }`
  return `${head(app, '')}
export const store = createStore({
${app.onServer ? `${ALONE}  ...(typeof document === 'undefined' ? { transport: 'manual'${app.typed ? ' as const' : ''} } : { ${connect} }),` : `  ${connect},`}
${DIAGNOSTIC}})

export const thread = store.thread('main')
`
}

function byTransport(app: App): string {
  const { typed, onServer } = app
  const type = (text: string) => (typed ? text : '')
  return `${head(app, ', type Transport')}
// How the store reaches your server: put your own paths here. Each member may be absent. Where the server speaks the
// protocol of turnseal-server, createStore({ connect: { url } }) is enough: \`turnseal init --connect URL\` writes that.
async function request(path${type(': string')}, signal${type(': AbortSignal')}, body${type('?: unknown')}) {
  const answer = await fetch(\`/api\${path}\`, body === undefined ? { signal } : { method: 'POST', signal, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  if (!answer.ok) throw new Error(\`\${path}: \${answer.status}\`)
  return answer.json()
}

const transport${type(': Transport')} = {
  loadChunks: ({ threadId, limit, before }, signal) => request(\`/threads/\${threadId}/chunks?limit=\${limit}\${before === undefined ? '' : \`&before=\${before}\`}\`, signal),
  send: (message, signal) => request(\`/threads/\${message.threadId}/messages\`, signal, message),
  stop: ({ threadId, turnId }, signal) => request(\`/threads/\${threadId}/stop\`, signal, { turnId }),
  cancelQueued: ({ threadId, messageId }, signal) => request(\`/threads/\${threadId}/cancel\`, signal, { messageId }),
  resolveApproval: ({ threadId, ...decision }, signal) => request(\`/threads/\${threadId}/approvals\`, signal, decision),
  resumeQueue: ({ threadId }, signal) => request(\`/threads/\${threadId}/resume\`, signal, {}),
  // With \`n\` in its events a server has a \`resync\`, too: the whole live state, as a \`snapshot\` event.
}

export const store = createStore({
${onServer ? `${ALONE}  transport: typeof document === 'undefined' ? 'manual' : transport,` : '  transport,'}
${DIAGNOSTIC}${onServer ? "  storage: typeof localStorage === 'undefined' ? undefined : localStorage,\n" : '  storage: localStorage,\n'}})

export const thread = store.thread('main')

/** Hands each frame of a socket to the store, and comes back when it drops. Call it once; it gives a function that ends it. */
export function listen(url${type(': string')}) {
  let isOver = false
  let socket${type(': WebSocket')}
  const open = () => {
    socket = new WebSocket(url)
    socket.addEventListener('open', () => store.setConnection('online'))
    socket.addEventListener('message', ({ data }) => store.handleMessage(data))
    socket.addEventListener('close', () => {
      store.setConnection('offline')
      if (!isOver) setTimeout(open, 1000 + 2000 * Math.random())
    })
  }
  open()
  return () => {
    isOver = true
    socket.close()
  }
}
`
}

const REACT = (typed: boolean) => `import { ${typed ? 'type FormEvent, ' : ''}useState } from 'react'
${typed ? "import type { Part as AnyPart } from 'turnseal'\n" : ''}import { useGroup, useKeys, useThread } from 'turnseal/react'
import { store, thread } from './store'

function Part({ part }${typed ? ': { part: AnyPart }' : ''}) {
  if (part.type !== 'tool') return <p data-part={part.type}>{'text' in part ? String(part.text) : part.type}</p>
  const { callId, name, state, approval } = part
  return (
    <p data-part="tool">
      {name}: {state}
      {approval?.state === 'open' && (
        <span>
          {' '}{approval.prompt} <button onClick={() => thread.approve(callId)}>Approve</button> <button onClick={() => thread.deny(callId)}>Deny</button>
        </span>
      )}
    </p>
  )
}

function Row({ id }${typed ? ': { id: string }' : ''}) {
  const group = useGroup(thread, id)
  if (!group) return null
  const { role, state, parts, messageId, clientId } = group
  return (
    <li data-role={role} data-state={state}>
      {parts.map((part, at) => <Part key={at} part={part} />)}
      {state === 'queued' && messageId !== undefined && <button onClick={() => thread.cancelQueued(messageId)}>Cancel</button>}
      {state === 'failed' && clientId !== undefined && <button onClick={() => thread.retry(clientId)}>Retry</button>}
      {state === 'failed' && <button onClick={() => thread.dismiss(id)}>Dismiss</button>}
    </li>
  )
}

export function Chat() {
  const status = useThread(store, 'main', state => state.status)
  const held = useThread(store, 'main', state => state.held)
  const [text, setText] = useState('')
  const submit = (event${typed ? ': FormEvent' : ''}) => {
    event.preventDefault()
    if (text.trim() === '') return
    thread.send(text)
    setText('')
  }
  return (
    <section>
      <ol aria-busy={status !== 'idle'}>
        {useKeys(thread).map(key => <Row key={key} id={key} />)}
      </ol>
      <form onSubmit={submit}>
        <input aria-label="Message" onChange={event => setText(event.target.value)} value={text} />
        <button>Send</button>
        {status !== 'idle' && <button onClick={() => thread.stop()} type="button">Stop</button>}
        {held && <button onClick={() => thread.resumeQueue()} type="button">Resume</button>}
      </form>
    </section>
  )
}
`

const SVELTE = (typed: boolean) => `<script${typed ? ' lang="ts"' : ''}>
  import { ThreadState } from 'turnseal/svelte'
  import { thread } from './store'

  const chat = new ThreadState(thread)
  let text = $state('')

  function submit(event${typed ? ': SubmitEvent' : ''}) {
    event.preventDefault()
    if (text.trim() === '') return
    thread.send(text)
    text = ''
  }
</script>

<ol aria-busy={chat.status !== 'idle'}>
  {#each chat.keys as key (key)}
    {@const group = chat.group(key)}
    {#if group}
      {@const { messageId, clientId } = group}
      <li data-role={group.role} data-state={group.state}>
        {#each group.parts as part}
          {#if part.type === 'tool'}
            <p data-part="tool">
              {part.name}: {part.state}
              {#if part.approval?.state === 'open'}
                {part.approval.prompt}
                <button onclick={() => thread.approve(part.callId)}>Approve</button>
                <button onclick={() => thread.deny(part.callId)}>Deny</button>
              {/if}
            </p>
          {:else}
            <p data-part={part.type}>{'text' in part ? part.text : part.type}</p>
          {/if}
        {/each}
        {#if group.state === 'queued' && messageId !== undefined}
          <button onclick={() => thread.cancelQueued(messageId)}>Cancel</button>
        {/if}
        {#if group.state === 'failed'}
          {#if clientId !== undefined}<button onclick={() => thread.retry(clientId)}>Retry</button>{/if}
          <button onclick={() => thread.dismiss(key)}>Dismiss</button>
        {/if}
      </li>
    {/if}
  {/each}
</ol>
<form onsubmit={submit}>
  <input aria-label="Message" bind:value={text} />
  <button>Send</button>
  {#if chat.status !== 'idle'}
    <button onclick={() => thread.stop()} type="button">Stop</button>
  {/if}
  {#if chat.held}
    <button onclick={() => thread.resumeQueue()} type="button">Resume</button>
  {/if}
</form>
`

/** The component that draws a thread and sends to it. */
export function chatComponent({ framework, typed }: App): string {
  return framework === 'react' ? REACT(typed) : SVELTE(typed)
}
