// What one would write by hand: each line parsed, one slice of state patched immutably. It knows nothing of late events,
// lost ones or evidence; it is the least that draws the same groups.

const text = said => [{ type: 'text', text: said }]
const sealed = chunk => ({
  key: `${chunk.turnId}/${chunk.seq}`, role: chunk.role, state: 'sealed', turnId: chunk.turnId, seq: chunk.seq,
  streaming: false, parts: text(chunk.data.text),
})
const asked = ({ turnId }, parts) => ({ key: `${turnId}/u`, role: 'user', state: 'live', turnId, streaming: false, parts })
const answer = ({ turnId }, parts) => ({ key: `${turnId}/a`, role: 'assistant', state: 'live', turnId, streaming: true, parts })
const waits = ({ messageId, message }) => ({ key: messageId, role: 'user', state: 'queued', messageId, streaming: false, parts: text(message) })

/** Grows the last part, or the part of a call; opens one where there is none. */
function grown(parts, event) {
  const copy = parts.slice()
  const last = copy.length - 1
  const index = event.callId === undefined ? last : copy.findIndex(part => part.callId === event.callId)
  const part = copy[index]
  if (event.type === 'text-delta') {
    if (part?.type === 'text') copy[index] = { ...part, text: part.text + event.delta }
    else copy.push({ type: 'text', text: event.delta })
  } else if (event.type === 'tool-input-start') copy.push({ type: 'tool', callId: event.callId, name: event.name, state: 'input-streaming', argumentsText: '' })
  else if (event.type === 'tool-call') copy.push({ type: 'tool', callId: event.toolCall.id, name: event.toolCall.name, state: 'running', arguments: event.toolCall.arguments, output: { stdout: '', stderr: '' } })
  else if (event.type === 'tool-input-delta') copy[index] = { ...part, argumentsText: part.argumentsText + event.delta }
  else copy[index] = { ...part, output: { ...part.output, stdout: part.output.stdout + event.data } }
  return copy
}

/** The groups after an event. */
function next(groups, event) {
  switch (event.type) {
    case 'turn-start':
      return [...groups, asked(event, text(event.user.text))]
    case 'text-delta':
    case 'tool-input-start':
    case 'tool-input-delta':
    case 'tool-call':
    case 'tool-output': {
      const index = groups.findLastIndex(group => group.turnId === event.turnId && group.role === 'assistant')
      if (index < 0) return [...groups, answer(event, grown([], event))]
      const copy = groups.slice()
      copy[index] = { ...groups[index], parts: grown(groups[index].parts, event) }
      return copy
    }
    case 'turn-end':
      return groups.map(group => (group.turnId === event.turnId ? { ...group, streaming: false } : group))
    case 'turn-sealed':
      return [...groups.filter(group => group.turnId !== event.turnId), ...event.chunks.map(sealed)]
    case 'chunks-loaded': {
      const first = groups[0]?.seq ?? Infinity
      return [...event.chunks.filter(({ seq }) => seq < first).map(sealed), ...groups]
    }
    case 'message-queued':
      return [...groups, waits(event)]
    case 'message-edited': {
      const index = groups.findLastIndex(group => group.messageId === event.messageId)
      const copy = groups.slice()
      copy[index] = { ...groups[index], parts: text(event.message) }
      return copy
    }
    case 'snapshot':
      return [
        ...groups.filter(({ state }) => state === 'sealed'),
        ...event.turns.flatMap(turn => turn.rows.map(row => (row.role === 'user' ? asked(turn, text(row.text)) : answer(turn, row.parts)))),
        ...event.queue.map(waits),
      ]
    default:
      return groups
  }
}

/** A store of that kind. */
export function createSlice() {
  let groups = []
  const selectors = []
  // As a store of selectors does it: each subscriber looks whether its group is another object.
  const tell = () => {
    for (const selector of selectors) {
      const group = groups[selector.index]
      if (group === selector.seen) continue
      selector.seen = group
      selector.listener()
    }
  }
  const put = event => {
    groups = next(groups, event)
    tell()
  }
  return {
    handleEvent: put,
    handleEvents: events => {
      for (const event of events) groups = next(groups, event)
      tell()
    },
    handleMessage: frame => {
      for (const line of frame.split('\n')) if (line !== '') groups = next(groups, JSON.parse(line))
      tell()
    },
    renderGroups: () => groups,
    subscribeGroup: (index, listener) => selectors.push({ index, seen: groups[index], listener }),
    takeEffects: () => [],
    free: () => {},
  }
}
