// What one would write by hand: each line parsed, one slice of state patched immutably. It knows nothing of queues, folds,
// late events or evidence; it is the least that draws the same groups.

/** A store of that kind. */
export function createSlice() {
  let groups = []
  const apply = event => {
    switch (event.type) {
      case 'turn-start':
        groups = [...groups, {
          key: `${event.turnId}/u`, role: 'user', state: 'live', turnId: event.turnId, streaming: false,
          parts: [{ type: 'text', text: event.user.text }],
        }]
        return
      case 'text-delta': {
        const index = groups.findLastIndex(group => group.turnId === event.turnId && group.role === 'assistant')
        if (index < 0) {
          groups = [...groups, {
            key: `${event.turnId}/a`, role: 'assistant', state: 'live', turnId: event.turnId, streaming: true,
            parts: [{ type: 'text', text: event.delta }],
          }]
          return
        }
        const group = groups[index]
        const parts = group.parts.slice()
        const last = parts.length - 1
        if (parts[last]?.type === 'text') parts[last] = { ...parts[last], text: parts[last].text + event.delta }
        else parts.push({ type: 'text', text: event.delta })
        groups = groups.slice()
        groups[index] = { ...group, parts }
        return
      }
      case 'chunks-loaded':
        groups = event.chunks.map(chunk => ({
          key: `${chunk.turnId}/${chunk.seq}`, role: chunk.role, state: 'sealed', turnId: chunk.turnId, seq: chunk.seq,
          streaming: false, parts: [{ type: 'text', text: chunk.data.text }],
        }))
        return
      default:
    }
  }
  return {
    handleEvent: apply,
    handleMessage: frame => {
      for (const line of frame.split('\n')) if (line !== '') apply(JSON.parse(line))
    },
    renderGroups: () => groups,
  }
}
