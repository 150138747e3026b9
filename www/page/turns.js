// What a server knows of a turn that is not sealed: a fold of the events that it sends. Rows have the form of a snapshot.

const lastPart = turn => (turn.rows.at(-1)?.role === 'assistant' ? turn.rows.at(-1).parts.at(-1) : undefined)

function add(turn, part) {
  if (turn.rows.at(-1)?.role !== 'assistant') turn.rows.push({ role: 'assistant', parts: [] })
  turn.rows.at(-1).parts.push(part)
}

const tools = turn => turn.rows.flatMap(row => row.parts).filter(part => part.type === 'tool')

/** The newest call of that id, or the newest open one. */
export function callOf(turn, callId) {
  return tools(turn).findLast(tool => (callId === undefined ? tool.result === undefined : tool.callId === callId))
}

function grow(turn, type, delta, fresh) {
  const last = lastPart(turn)
  if (last?.type === type && !last.sealed) last.text += delta
  else add(turn, { type, text: delta, ...fresh })
}

const call = (callId, name, step) => ({ type: 'tool', callId, name, step: step ?? 0, state: 'running' })

const folds = {
  'text-delta': (turn, { delta }) => grow(turn, 'text', delta, {}),
  'reasoning-delta': (turn, { delta }) => grow(turn, 'reasoning', delta, { sealed: false }),
  'reasoning-end': (turn, { metadata }) => {
    const part = turn.rows.flatMap(row => row.parts).findLast(({ type }) => type === 'reasoning')
    if (part !== undefined) Object.assign(part, { sealed: true }, metadata === undefined ? {} : { metadata })
  },
  'tool-input-start': (turn, { callId, name, step }) =>
    add(turn, { ...call(callId, name, step), state: 'input-streaming', argumentsText: '' }),
  'tool-input-delta': (turn, { callId, delta }) => {
    const tool = callOf(turn, callId)
    if (tool !== undefined) tool.argumentsText = (tool.argumentsText ?? '') + delta
  },
  'tool-call': (turn, { toolCall: { id, name, arguments: given }, step }) => {
    let tool = callOf(turn, id)
    if (tool?.state !== 'input-streaming') add(turn, (tool = call(id, name, step)))
    delete tool.argumentsText
    Object.assign(tool, { name, arguments: given, state: 'running' })
  },
  'tool-output': (turn, { callId, data, stream = 'stdout' }) => {
    const tool = callOf(turn, callId)
    if (tool === undefined) return
    tool.output ??= { stdout: '', stderr: '' }
    tool.output[stream] += data
  },
  'tool-result': (turn, { toolResult: { toolCallId, result, isError } }) => {
    const tool = callOf(turn, toolCallId)
    if (tool === undefined) return
    Object.assign(tool, { result, state: isError ? 'error' : 'done' }, isError ? { isError } : {})
  },
  'approval-request': (turn, { callId, prompt, options }) => {
    const tool = callOf(turn, callId)
    if (tool === undefined) return
    Object.assign(tool, { state: 'awaiting-approval', approval: { state: 'open', prompt, options } })
  },
  'approval-resolved': (turn, { callId, decision }) => {
    const tool = callOf(turn, callId)
    if (tool === undefined) return
    tool.approval = { ...tool.approval, state: decision }
    tool.state = decision === 'approved' ? 'approved' : 'denied'
  },
  part: (turn, { part }) => add(turn, part),
  notice: (turn, { message }) => turn.rows.push({ role: 'system', parts: [{ type: 'notice', text: message }] }),
  error: (turn, { error }) => add(turn, { type: 'error', text: error }),
  'turn-end': (turn, { outcome }) => {
    turn.outcome = outcome
    for (const tool of tools(turn)) if (tool.result === undefined) tool.state = 'interrupted'
    for (const part of turn.rows.flatMap(row => row.parts)) if (part.type === 'reasoning') part.sealed = true
  },
}
folds['shell-output'] = folds['tool-output']

/** Applies an event of that turn. */
export function grown(turn, event) {
  folds[event.type]?.(turn, event)
}

/** Where a turn stands, as a snapshot says it. */
export function phaseOf(turn) {
  if (turn.outcome !== undefined) return 'ended'
  if (tools(turn).some(({ state }) => state === 'awaiting-approval')) return 'awaiting-approval'
  if (tools(turn).some(({ result }) => result === undefined)) return 'awaiting-tool'
  return turn.rows.some(({ role }) => role === 'assistant') ? 'streaming' : 'pending'
}

/** What of a turn goes into the log, without its seqs. */
export function chunksOf(turn) {
  return turn.rows.flatMap(({ parts, ...row }) => parts.flatMap(part => written(turn.turnId, row, part)))
}

function written(turnId, { role, messageId, messageIds, clientIds }, part) {
  if (role === 'user') {
    const names = { messageId, ...(messageIds?.length > 1 ? { messageIds } : {}), ...(clientIds?.length > 0 ? { clientIds } : {}) }
    return [{ turnId, role, type: 'text', data: { text: part.text }, ...names }]
  }
  switch (part.type) {
    case 'text':
      return [{ turnId, role, type: 'text', data: { text: part.text } }]
    case 'reasoning':
      return [{ turnId, role, type: 'reasoning', data: { text: part.text, ...(part.metadata === undefined ? {} : { metadata: part.metadata }) } }]
    case 'tool': {
      const { callId, name, step, result, isError, output } = part
      const data = { callId, name, arguments: part.arguments ?? {} }
      const first = { turnId, role, type: 'tool_call', step, data }
      if (result === undefined) return [first]
      const rest = { ...(isError ? { isError } : {}), ...(output === undefined ? {} : { output }) }
      return [first, { turnId, role: 'tool', type: 'tool_result', step, data: { callId, name, result, ...rest } }]
    }
    case 'notice':
      return [{ turnId, role: 'system', type: 'system', data: { kind: 'notice', text: part.text } }]
    case 'error':
      return [{ turnId, role: 'assistant', type: 'error', data: { message: part.text } }]
    default:
      return [{ turnId, role: 'assistant', type: part.type, data: part }]
  }
}
