import { atEnd, el, tint } from './dom.js'
import { phaseOf } from './turns.js'

/** The column of the server: its sealed log, what is open, and the queue. */
export function createPaper({ server }) {
  const count = el('span', { class: 'link' })
  const log = el('ol', { class: 'rows log', tabIndex: 0, 'aria-label': 'Sealed log of the server' })
  const open = el('ul', { class: 'small' })
  const queue = el('ol', { class: 'small' })
  const held = el('span', { class: 'badge failed', hidden: true }, 'held')
  const drawn = new Map()
  let looked

  const node = el(
    'section',
    { class: 'column server' },
    el('header', {}, el('h2', {}, 'Server'), count),
    el('h3', {}, 'Sealed log'),
    log,
    el('div', { class: 'below' }, el('h3', {}, 'Turns not announced as sealed'), open, el('h3', {}, 'Queue ', held), queue),
  )
  const line = chunk => {
    const known = drawn.get(chunk)
    if (known !== undefined) return known
    const { seq, turnId, role, type, data } = chunk
    const what = type === 'text' ? role : type.replace('_', ' ')
    const item = el(
      'li',
      { class: 'chunk', data: { turn: turnId } },
      el('span', { class: 'seq' }, String(seq)),
      el('span', { class: 'what' }, `${turnId} ${what}`),
      el('span', { class: 'words' }, data.text ?? data.message ?? (type === 'tool_call' ? `${data.name} ${JSON.stringify(data.arguments)}` : JSON.stringify(data.result ?? data))),
    )
    drawn.set(chunk, tint(item, turnId))
    return item
  }
  const draw = () => {
    count.textContent = `event ${server.n()}`
    atEnd(log, () => {
      const items = server.log.map(line)
      items.forEach((item, at) => item.classList.toggle('looked', looked !== undefined && server.log[at].turnId === looked))
      if (items.length !== log.children.length || items.at(-1) !== log.lastChild) log.replaceChildren(...items)
    })
    open.replaceChildren(
      ...server.turns.map(turn => tint(el('li', {}, `${turn.turnId}: ${turn.outcome === undefined ? phaseOf(turn).replace('-', ' ') : `ended, ${turn.outcome}`}`), turn.turnId)),
    )
    if (server.turns.length === 0) open.append(el('li', { class: 'none' }, 'none'))
    queue.replaceChildren(...server.queue.map(item => el('li', {}, `${item.messageId}${item.intent === 'steer' ? ' (steer)' : ''}: ${item.message}`)))
    if (server.queue.length === 0) queue.append(el('li', { class: 'none' }, 'empty'))
    held.hidden = !server.held()
  }
  draw()
  return {
    node,
    draw,
    /** Marks the chunks of a turn. */
    look(turnId) {
      looked = turnId
      draw()
      log.querySelector('.looked')?.scrollIntoView({ block: 'nearest' })
    },
  }
}
