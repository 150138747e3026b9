import { button, el, tint } from './dom.js'

/** One group of a client as a list item. `act` is an act of the user. */
export function row(group, { act, explanation, isOpen, queued }) {
  const { key, role, state, turnId, seq, parts, streaming } = group
  const owner = explanation?.owner ?? state
  const label = owner === state ? state : `${owner} · ${state}`
  const where = [turnId, seq === undefined ? undefined : `seq ${seq}`, group.clientId].filter(word => word !== undefined).join('  ')
  const head = el(
    'button',
    { type: 'button', class: 'head', title: 'Why is this row here?', 'aria-expanded': String(isOpen), data: { act: 'explain' } },
    el('span', { class: 'who' }, role),
    el('span', { class: `badge ${state}` }, group.intent === 'steer' ? `${label} · steer` : label),
    el('span', { class: 'where' }, where),
  )
  const item = el(
    'li',
    { class: `row ${role}${streaming ? ' streaming' : ''}`, data: { key, state, owner } },
    head,
    ...parts.map(part => drawPart(part, act)),
    group.error === undefined ? '' : el('p', { class: 'trouble' }, group.error),
    actions(group, act, queued),
    isOpen ? why(explanation) : '',
  )
  return tint(item, turnId)
}

function why(explanation) {
  if (explanation === null) return el('div', { class: 'why' }, 'It is no longer here.')
  const { owner, state, because } = explanation
  return el(
    'div',
    { class: 'why' },
    el('p', {}, 'Owner ', el('b', {}, owner), ', state ', el('b', {}, state), ', because:'),
    el('ul', {}, ...because.map(reason => el('li', {}, reason))),
  )
}

function actions({ key, state, messageId, clientId }, act, queued) {
  if (state === 'queued' && messageId !== undefined && queued.has(messageId))
    return el(
      'div',
      { class: 'acts' },
      button('Cancel', () => act({ type: 'cancel-queued', messageId })),
      button('Send now', () => act({ type: 'send-now', messageId })),
    )
  if (state === 'failed')
    return el(
      'div',
      { class: 'acts' },
      clientId === undefined ? '' : button('Try again', () => act({ type: 'retry', clientId })),
      button('Dismiss', () => act({ type: 'dismiss', key })),
    )
  return ''
}

function drawPart(part, act) {
  switch (part.type) {
    case 'text':
      return el('p', { class: 'text' }, part.text)
    case 'reasoning':
      return el('p', { class: 'reasoning' }, part.text)
    case 'tool':
      return drawTool(part, act)
    case 'notice':
    case 'error':
      return el('p', { class: part.type === 'error' ? 'trouble' : 'notice' }, part.text)
    default:
      return el('pre', {}, JSON.stringify(part))
  }
}

function drawTool({ callId, name, state, arguments: given, argumentsText, output, result, isError, approval }, act) {
  const input = given === undefined ? (argumentsText ?? '') : JSON.stringify(given)
  const isAsked = state === 'awaiting-approval' && approval?.state !== 'answering'
  return el(
    'div',
    { class: `tool ${state}`, data: { call: callId } },
    el('p', { class: 'call' }, el('b', {}, name), el('code', {}, input), el('span', { class: 'state' }, state.replace('-', ' '))),
    output?.stdout ? el('pre', {}, output.stdout.trimEnd()) : '',
    output?.stderr ? el('pre', { class: 'trouble' }, output.stderr.trimEnd()) : '',
    result === undefined ? '' : el('pre', { class: isError ? 'result trouble' : 'result' }, typeof result === 'string' ? result : JSON.stringify(result)),
    state !== 'awaiting-approval'
      ? ''
      : el(
          'div',
          { class: 'acts ask' },
          el('span', {}, approval?.prompt ?? 'May it run?'),
          ...(isAsked
            ? [button('Approve', () => act({ type: 'approve', callId }), { class: 'primary' }), button('Deny', () => act({ type: 'deny', callId }))]
            : [el('i', {}, 'answering')]),
        ),
  )
}
