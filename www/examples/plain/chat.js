// A chat in one page: the store, and a row for each group. A row is drawn anew only when its group is another object.
import { createStore, init } from 'turnseal'
import { createTransport, listen } from './transport.js'

await init()
const store = createStore({
  transport: createTransport('/'),
  storage: localStorage, // What was typed outlives a reload.
  onDiagnostic: ({ code, detail }) => console.warn(`turnseal: ${code}: ${detail}`),
})
const thread = store.thread('main')
const find = selector => document.querySelector(selector)
const [list, form, input, stop, resume] = ['ol', 'form', 'input', '#stop', '#resume'].map(find)

const rows = new Map()
function draw({ groups, status, held }) {
  for (const [key, row] of rows) if (!groups.some(group => group.key === key)) rows.delete(key), row.remove()
  groups.forEach((group, at) => {
    const row = rows.get(group.key) ?? Object.assign(document.createElement('li'), { group: undefined })
    rows.set(group.key, row)
    if (row.group !== group) fill(row, group)
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null)
  })
  list.ariaBusy = String(status !== 'idle')
  stop.hidden = status === 'idle'
  resume.hidden = !held
}

function fill(row, group) {
  row.group = group
  row.dataset.role = group.role
  row.dataset.state = group.state
  const parts = group.parts.map(part => Object.assign(document.createElement('p'), { className: part.type, textContent: part.text ?? part.type }))
  const actions = {
    queued: [['Cancel', () => thread.cancelQueued(group.messageId)]],
    failed: [['Retry', () => thread.retry(group.clientId)], ['Dismiss', () => thread.dismiss(group.key)]],
  }[group.state] ?? []
  row.replaceChildren(...parts, ...actions.map(([textContent, onclick]) => Object.assign(document.createElement('button'), { type: 'button', textContent, onclick })))
}

thread.subscribe(draw)
draw(thread.getSnapshot())
listen(store, '/', 'main')

const tell = () => (find('output').textContent = store.connection.getSnapshot().state)
store.connection.subscribe(tell)
tell()

input.value = thread.draft.get()
input.oninput = () => thread.draft.set(input.value)
form.onsubmit = event => {
  event.preventDefault()
  if (input.value.trim() === '') return
  thread.send(input.value)
  thread.draft.set((input.value = ''))
}
stop.onclick = () => thread.stop()
resume.onclick = () => thread.resumeQueue()
