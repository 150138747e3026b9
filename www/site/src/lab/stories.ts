// What one click plays: scenarios, whose comments are told while they play.

/** Each session begins so: two clients that have loaded, and channels that wait for you. */
export const PRELUDE = ['clients 2', '1: open', '1: load', '2: open', '2: load', '1: slow', '2: slow'] as const

export interface Story { readonly id: string; readonly title: string; readonly lead: string; readonly text: string }

export const STORIES: readonly Story[] = [
  {
    id: 'vanishes', title: 'A message vanishes at the seal',
    lead: 'You type while the agent works; the turn is written; the page comes. Watch the naive store of client 1.',
    text: `
# Client 1 asks. The message is on its way to the server.
1: send k1 "Why does the test fail?"
# The server takes it and starts a turn. Both clients will hear of it.
1: answer k1 sent
1: hear
2: hear
1: answer k1
delta t-k1 "It compares a date "
1: hear
2: hear
# While the agent works, client 1 types the next message. The server queues it.
1: send k2 "Then fix it."
1: answer k2 sent
1: hear
1: answer k2
2: hear
delta t-k1 "in the wrong zone."
1: hear
2: hear
# The turn ends, and is written. Only then does the server say that it is sealed.
turn-end t-k1 done
1: hear
2: hear
seal t-k1
1: hear
2: hear
# Both stores ask for the page that holds the turn.
1: load sent
2: load sent
# Here it happens. The naive filter drops what has no tag of a turn: the queued message is gone, though the server has it.
1: load
# At client 2 the same. Ours keeps the row: it is queued, and the page is no evidence about it.
2: load
# The server starts it. Ours moves the row into its turn; in the naive store it comes back from nowhere.
turn-start t-q-k2 q-k2
1: hear
2: hear
`,
  },
  {
    id: 'twice', title: 'An answer shows twice',
    lead: 'A phone goes through a tunnel while the agent answers. Watch the naive store of client 2.',
    text: `
# Client 1 asks, and both clients see the answer grow.
1: send k1 "Which licences do we use?"
1: answer k1 sent
1: hear
2: hear
1: answer k1
delta t-k1 "Three: "
1: hear
2: hear
delta t-k1 "two MIT, one Apache."
1: hear
2: hear
# Client 2 goes into a tunnel: its line is cut.
2: drop
# In the meantime the turn ends and is sealed. Client 1 hears it and loads its page.
turn-end t-k1 done
1: hear
seal t-k1
1: hear
1: load sent
1: load
# Out of the tunnel. The server tells what is open: nothing. So the turn must be sealed, ours concludes, and asks for the page.
2: reconnect
2: load sent
# Here it happens. The naive store never heard that the turn is over: it keeps its rows and draws the page above them.
2: load
# A question and an answer twice, for as long as the page is open. In ours the chunks have taken the place of the rows.
ping
2: hear
1: hear
`,
  },
  {
    id: 'stuck', title: 'Stop leaves the queue stuck',
    lead: 'A tool runs, you press Stop, and the tool never answers. Watch what the two stores say of client 1.',
    text: `
# Client 1 asks, and the agent runs a tool.
1: send k1 "Deploy it."
1: answer k1 sent
1: hear
2: hear
1: answer k1
call t-k1 c1 deploy "{}"
1: hear
2: hear
# The next message waits in the queue.
1: send k2 "And tell the team."
1: answer k2 sent
1: hear
1: answer k2
2: hear
# Stop. The server cancels the tool, ends the turn, and holds the queue until somebody lets it go on.
1: stop
1: answer stop t-k1 sent
1: hear
1: hear
1: answer stop t-k1
2: hear
2: hear
# Here it happens. The naive store waits for a result that will never come: it runs for ever, and the queue waits behind it.
# Ours: the call is interrupted, the thread is idle, the queue is held, and Resume is there.
1: resume
1: answer resume sent
1: hear
1: answer resume
2: hear
# The server goes on with the queued message. The naive store writes its answer into the bubble of the stopped turn.
turn-start t-q-k2 q-k2
1: hear
2: hear
delta t-q-k2 "The team knows."
1: hear
2: hear
turn-end t-q-k2 done
1: hear
2: hear
`,
  },
]

/** The lines of a text with the comment above each, so that it can be told. */
export function told(text: string): { readonly line: string; readonly says?: string }[] {
  const out: { line: string; says?: string }[] = []
  let comment: string[] = []
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    // Blocks say what holds; the lab plays what happens.
    if (line === '' || /^\s\s/.test(raw)) continue
    if (line.startsWith('#')) comment.push(line.slice(1).trim())
    else {
      out.push({ line, ...(comment.length > 0 ? { says: comment.join(' ') } : {}) })
      comment = []
    }
  }
  return out
}
