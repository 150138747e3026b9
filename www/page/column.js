import { atEnd, button, el } from './dom.js'
import { row } from './rows.js'

/** The column of one client. `onLook` hears which turn the reader asks about. */
export function createColumn({ name, client, onLook }) {
  const drawn = new Map()
  let open
  let isLocked = false
  const act = command => {
    client.act(command)
    draw()
  }
  const toggle = key => {
    open = open === key ? undefined : key
    drawn.clear()
    draw()
    const item = list.querySelector(`[data-key="${CSS.escape(key)}"]`)
    item?.querySelector('.head').focus({ preventScroll: true })
    item?.querySelector('.why')?.scrollIntoView({ block: 'nearest' })
    onLook(client.thread.group(open ?? '')?.turnId)
  }
  const lock = next => {
    isLocked = client.isLocked = box.checked = next
    act({ type: 'scrolled-up', value: next })
    if (!next) list.scrollTop = list.scrollHeight
  }

  const status = el('span', { class: 'status' })
  const link = el('span', { class: 'link' })
  const list = el('ol', { class: 'rows', tabIndex: 0, 'aria-label': `Messages of client ${name}` })
  // Not by `click`: a row that streams is drawn anew between press and release, and then there is none.
  let pressed
  const keyAt = target => {
    const control = target.closest('button, input, summary, .why')
    return control === null || control.classList.contains('head') ? target.closest('.row')?.dataset.key : undefined
  }
  list.addEventListener('pointerdown', event => (pressed = event.button === 0 ? keyAt(event.target) : undefined))
  list.addEventListener('pointerup', event => {
    const key = keyAt(event.target)
    if (key !== undefined && key === pressed && String(getSelection()) === '') toggle(key)
    pressed = undefined
  })
  list.addEventListener('click', event => {
    const isByKey = event.detail === 0 && event.target.closest('.head') !== null
    if (isByKey) toggle(keyAt(event.target))
  })
  const older = button('Load older', () => {
    lock(true)
    act({ type: 'load-older' })
    list.scrollTop = 0
  })
  const box = el('input', { type: 'checkbox', on: { change: () => lock(box.checked) } })
  const resume = button('Resume queue', () => act({ type: 'resume-queue' }))
  const stop = button('Stop', () => act({ type: 'stop' }))
  const text = el('input', { type: 'text', placeholder: `Write as client ${name}`, 'aria-label': `Message of client ${name}`, autocomplete: 'off' })
  const send = intent => {
    if (text.value.trim() === '') return
    act({ type: 'send', text: text.value.trim(), intent })
    text.value = ''
    list.scrollTop = list.scrollHeight
  }
  const form = el(
    'form',
    {
      on: {
        submit: event => {
          event.preventDefault()
          send('queue')
        },
      },
    },
    text,
    el('button', { type: 'submit', class: 'primary' }, 'Send'),
    button('Steer', () => send('steer'), { title: 'Send it into the running turn' }),
    stop,
  )
  const node = el(
    'section',
    { class: 'column client', data: { client: name } },
    el('header', {}, el('h2', {}, `Client ${name}`), status, link, button('Reconnect', () => client.line.reconnect())),
    el('div', { class: 'strip' }, older, el('label', {}, box, ' Reading older rows (scroll lock)'), resume),
    list,
    form,
  )

  function draw() {
    const { groups, status: now, connection, hasOlder, loadingOlder, held, queue } = client.thread.getSnapshot()
    status.textContent = now.replace('-', ' ')
    status.dataset.status = now
    link.textContent = connection
    link.dataset.link = connection
    older.hidden = !hasOlder
    older.disabled = loadingOlder
    older.textContent = loadingOlder ? 'Loading older' : 'Load older'
    resume.hidden = !held
    stop.disabled = now === 'idle' || now === 'error'
    const queued = new Set(queue.map(item => item.messageId))
    const items = groups.map(group => {
      const known = drawn.get(group.key)
      const isOpen = group.key === open
      // A group that is the same object looks the same; an explanation may have changed all the same.
      if (known?.group === group && !isOpen) return known.item
      const item = row(group, { act, isOpen, queued, explanation: client.explain(group.key) })
      drawn.set(group.key, { group, item })
      return item
    })
    const keys = new Set(groups.map(group => group.key))
    for (const key of [...drawn.keys()]) if (!keys.has(key)) drawn.delete(key)
    if (isLocked) place(list, items)
    else atEnd(list, () => place(list, items))
  }
  draw()
  return { node, draw }
}

/** Brings the children of a node into this order and touches only those that changed. */
function place(node, items) {
  const had = document.activeElement
  const key = node.contains(had) ? had.closest('[data-key]')?.dataset.key : undefined
  items.forEach((item, index) => {
    if (node.children[index] === item) return
    const stale = node.children[index]
    if (stale?.dataset.key === item.dataset.key) stale.replaceWith(item)
    else node.insertBefore(item, stale ?? null)
  })
  while (node.children.length > items.length) node.lastChild.remove()
  // A row that was drawn anew takes the focus of the one that it replaces.
  if (key !== undefined && !node.contains(document.activeElement)) node.querySelector(`[data-key="${CSS.escape(key)}"] .head`)?.focus({ preventScroll: true })
}
