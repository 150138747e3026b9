// The work that is measured, as a server would send it.

const PROSE = 'A turn is sealed when its chunks are in the log; what was live until then gives way to them, and nothing moves. '
const WORDS = [' the', ' turn', ' is', ' sealed', ',', ' and', ' its', ' rows', ' stay', ' where', ' they', ' were']

/** A page of user and assistant texts: `count` groups. */
export function talk(count) {
  const chunks = Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    turnId: `turn-${index >> 1}`,
    messageId: `message-${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    type: 'text',
    data: { text: index % 2 === 0 ? `Question ${index}?` : PROSE },
  }))
  return page(chunks)
}

/** A page of `count` chunks of an agent's thread: per turn a question, reasoning, two tool calls with results, an answer. */
export function agentThread(count) {
  const shapes = [
    at => ['user', 'text', { text: `Please look at file ${at} and tell me what it does.` }],
    () => ['assistant', 'reasoning', { text: PROSE.repeat(2), metadata: { signature: 'c2lnbmF0dXJl'.repeat(6) } }],
    at => ['assistant', 'tool_call', { callId: `call-${at}-a`, name: 'read_file', arguments: { path: `src/file-${at}.ts`, limit: 200 } }],
    at => ['tool', 'tool_result', { callId: `call-${at}-a`, result: `1: import x from "./x"\n2: export const y = x(${at})\n`.repeat(5) }],
    at => ['assistant', 'tool_call', { callId: `call-${at}-b`, name: 'run_command', arguments: { command: `grep -n "y" src/file-${at}.ts` } }],
    at => ['tool', 'tool_result', { callId: `call-${at}-b`, result: { exitCode: 0, matches: [at, at + 1] }, output: { stdout: 'src: y\n'.repeat(4), stderr: '' } }],
    () => ['assistant', 'text', { text: `${PROSE}\n\n\`\`\`ts\nexport const y = "x"\n\`\`\`\n${PROSE}` }],
  ]
  const chunks = Array.from({ length: count }, (_, index) => {
    const turn = Math.floor(index / shapes.length)
    const [role, type, data] = shapes[index % shapes.length](turn)
    return { seq: index + 1, turnId: `turn-${turn}`, messageId: `message-${index}`, role, type, step: index % shapes.length, data }
  })
  return page(chunks)
}

function page(chunks) {
  return JSON.stringify({ type: 'chunks-loaded', threadId: 'main', total: chunks.length, oldestSeq: 1, chunks })
}

/** The start of the turn that streams. */
export function opening() {
  return { type: 'turn-start', threadId: 'main', turnId: 'turn-live', n: 1, user: { messageId: 'message-live', text: 'And now?' } }
}

/** Deltas of the turn that streams, from number `n` on. */
export function deltas(n, count) {
  return Array.from({ length: count }, (_, index) => ({
    type: 'text-delta', threadId: 'main', turnId: 'turn-live', n: n + index, delta: WORDS[(n + index) % WORDS.length],
  }))
}

/** Events as JSON lines, so many to a frame. */
export function frames(events, size) {
  const out = []
  for (let at = 0; at < events.length; at += size) out.push(events.slice(at, at + size).map(event => JSON.stringify(event)).join('\n'))
  return out
}

/** Turns without end: each is asked, streams, ends and is sealed with its chunks. */
export function turns() {
  let [turn, n, seq] = [0, 0, 0]
  return {
    next: () => {
      turn += 1
      const turnId = `turn-${turn}`
      const place = { threadId: 'main', turnId }
      const chunk = (role, text) => ({ seq: ++seq, turnId, messageId: `${role}-${turn}`, role, type: 'text', data: { text } })
      const events = [
        { type: 'turn-start', ...place, user: { messageId: `user-${turn}`, text: 'And now?' } },
        ...Array.from({ length: 44 }, (_, index) => ({ type: 'text-delta', ...place, delta: WORDS[index % WORDS.length] })),
        { type: 'tool-call', ...place, toolCall: { id: `call-${turn}`, name: 'look', arguments: { at: turn } } },
        { type: 'tool-result', ...place, toolResult: { toolCallId: `call-${turn}`, result: 'seen' } },
        { type: 'turn-end', ...place, outcome: 'done' },
        { type: 'turn-sealed', ...place, prevSeq: seq, firstSeq: seq + 1, lastSeq: seq + 2, chunks: [chunk('user', 'And now?'), chunk('assistant', PROSE)] },
      ].map(event => ({ ...event, n: ++n }))
      return { frames: frames(events, 16), count: events.length }
    },
  }
}
