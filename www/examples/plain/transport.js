// The way to the Python server: requests for what the user does, server-sent events for what happens.

/** What the store asks of the server. */
export function createTransport(base) {
  const ask = async (threadId, path, signal, body) => {
    const given = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${base}threads/${encodeURIComponent(threadId)}/${path}`, { signal, ...given })
    if (!response.ok) throw new Error(`the server said ${response.status}`)
    return response.json()
  }
  return {
    loadChunks: ({ threadId, limit, before = '' }, signal) => ask(threadId, `chunks?limit=${limit}&before=${before}`, signal),
    send: ({ threadId, clientId, text }, signal) => ask(threadId, 'messages', signal, { clientId, text }),
    stop: ({ threadId, turnId }, signal) => ask(threadId, 'stop', signal, { turnId }),
    cancelQueued: ({ threadId, messageId }, signal) => ask(threadId, 'cancel', signal, { messageId }),
    resumeQueue: ({ threadId }, signal) => ask(threadId, 'resume', signal, {}),
  }
}

/** Hands the events of a thread to the store. The browser comes back by itself, and says what it saw last. */
export function listen(store, base, threadId) {
  const source = new EventSource(`${base}threads/${encodeURIComponent(threadId)}/events`)
  source.onopen = () => store.setConnection('online')
  source.onmessage = ({ data }) => store.handleMessage(data)
  source.onerror = () => store.setConnection('offline')
  return () => source.close()
}
