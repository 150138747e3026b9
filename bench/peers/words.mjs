// What all peers' modules share: the thread that each is set up with, and waiting until what went in is shown.

/** So many deltas come in one piece of a response. */
export const FRAME = 16
/** What the live answer says before anything is measured. */
export const FIRST = 'So:'

/** The messages before the turn that streams, as plain pairs of role and text. The same as `talk` gives to a store. */
export function past(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `message-${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    text: index % 2 === 0 ? `Question ${index}?` : 'A turn is sealed when its chunks are in the log; what was live until then gives way to them, and nothing moves. ',
  }))
}

/** The length of texts together. */
export const sum = texts => texts.reduce((total, text) => total + text.length, 0)

/** Counts what was shown, and tells who waits when it is so much. `size` reads the length of what grows from the view. */
export function watch(size) {
  let looks = 0
  let wanted = Infinity
  let done
  return {
    looks: () => looks,
    look: view => {
      looks += 1
      if (size(view) < wanted) return
      wanted = Infinity
      done()
    },
    until: length => new Promise(found => {
      wanted = length
      done = found
    }),
  }
}

/** A response of server-sent events that is written piece by piece: what a peer's own transport reads. */
export function wire(headers = {}) {
  let controller
  const encoder = new TextEncoder()
  return {
    fetch: async () => new Response(new ReadableStream({ start: made => { controller = made } }), {
      headers: { 'content-type': 'text/event-stream', ...headers },
    }),
    isOpen: () => controller !== undefined,
    /** Events as bytes, so many to a piece. */
    ready: (events, size) => Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
      encoder.encode(events.slice(index * size, (index + 1) * size).map(event => `data: ${JSON.stringify(event)}\n\n`).join(''))),
    push: pieces => { for (const piece of pieces) controller.enqueue(piece) },
  }
}


/** A queue of events that is read once, as an async iterable: what a connection hands on. */
export function channel() {
  const waiting = []
  let wake
  return {
    push: events => {
      waiting.push(...events)
      wake?.()
    },
    async *read() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()
        await new Promise(done => { wake = done })
      }
    },
  }
}
