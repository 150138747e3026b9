// A network, a storage and a clock that do what they should not, over a paper server that tells the truth.

/** What no page is. */
const garbage = [
  '<html>502 Bad Gateway</html>', '', null, undefined, 7, true, [], () => 1, 10n, { chunks: 'none' }, { chunks: [null] },
  { chunks: [{ seq: 'first', turnId: 'a', role: 'user', type: 'text', data: { text: 'x' } }] }, { chunks: [{ seq: 1 }] }, { error: 'no' },
]

/** Counts by kind. */
export function createCounts() {
  const counts = new Map()
  return {
    add: kind => counts.set(kind, (counts.get(kind) ?? 0) + 1),
    of: kind => counts.get(kind) ?? 0,
    tell: context => { for (const [kind, count] of [...counts].sort()) context.diagnostic(`faults: ${count} ${kind}`) },
  }
}

/**
 * A transport over that of a paper server. What is asked is done at once and answered when `deliver` says so, in any
 * order; one answer in three is a fault, until `isHonest` is set.
 */
export function badTransport(paper, { below, next, pick }, counts) {
  const waiting = []
  const old = []
  const out = { waiting, isHonest: false, isWarm: false }
  const later = (settle, value) => new Promise((done, fail) => waiting.push(() => (settle === 'done' ? done(value) : fail(value))))
  const hang = () => new Promise(() => {})
  const fault = (kind, answer) => {
    counts.add(kind)
    return answer()
  }
  const bad = () => !out.isHonest && next() < 0.35
  const without = chunks => chunks.filter(() => next() < 0.7)
  const pages = {
    'pages that fail': () => later('fail', new Error('connection reset')),
    'pages that never come': hang,
    'pages that are no JSON': () => later('done', pick(garbage)),
    'pages of a replica that lags': (page, query) => later('done', pick(old)(query) ?? page),
    'pages with a wrong total': page => later('done', { ...page, total: pick([0, -1, 1e15, 2 ** 60, '7', NaN]) }),
    'pages with holes': page => later('done', { ...page, chunks: without(page.chunks) }),
    'pages with a row twice': page => later('done', { ...page, chunks: page.chunks.flatMap(chunk => (next() < 0.5 ? [chunk, chunk] : [chunk])) }),
    'pages in the wrong order': page => later('done', { ...page, chunks: [...page.chunks].reverse() }),
    'pages that come twice': page => later('done', page).then(answer => { old.push(() => answer); return answer }),
  }
  const sends = {
    'sends that do not arrive': () => later('fail', new Error('connection refused')),
    'sends whose answer is lost': message => { paper.transport.send(message); return later('fail', new Error('connection reset')) },
    'sends that nobody answers': message => { if (next() < 0.5) paper.transport.send(message); return hang() },
    'sends with no answer in JSON': message => { paper.transport.send(message); return later('done', pick(garbage)) },
  }
  const resyncs = {
    'snapshots that fail': () => later('fail', new Error('connection reset')),
    'snapshots that never come': hang,
    'snapshots that are no JSON': () => later('done', pick(garbage)),
  }
  const choose = (faults, query, honest) => {
    if (!bad()) return later('done', honest())
    const kind = pick(Object.keys(faults))
    return fault(kind, () => faults[kind](kind.startsWith('pages') ? honest() : query, query))
  }
  /** The log as it is now, for a replica that will lag. */
  out.remember = () => {
    const log = [...paper.log]
    old.push(({ limit, before = Infinity }) => ({ chunks: log.filter(({ seq }) => seq < before).slice(-limit), total: log.length, oldestSeq: 1 }))
    if (old.length > 8) old.splice(below(8), 1)
  }
  out.remember()
  out.transport = {
    ...paper.transport,
    loadChunks: query => choose(pages, query, () => paper.transport.loadChunks(query)),
    send: message => choose(sends, message, () => paper.transport.send(message)),
    resync: query => choose(resyncs, query, () => paper.transport.resync(query)),
  }
  out.deliver = async () => {
    waiting.splice(below(waiting.length), 1)[0]?.()
    await settled()
  }
  return out
}

/** A storage that is full, cannot be read, or gives back something else, now and then. */
export function badStorage({ next, pick }, counts) {
  const kept = new Map()
  const out = { kept, isHonest: false }
  const act = (kind, run) => (...args) => {
    if (out.isHonest || next() > 0.25) return run(...args)
    counts.add(kind)
    throw new DOMException('the quota has been exceeded', 'QuotaExceededError')
  }
  const read = key => {
    const text = kept.get(key)
    if (out.isHonest || text === undefined || next() > 0.3) return text ?? null
    counts.add('storage that is corrupt')
    return pick([text.slice(0, text.length >> 1), '\u0000', '[{"clientId":"x"}]', 'null', text.replace('[', '{')])
  }
  out.storage = {
    getItem: act('storage that cannot be read', read),
    setItem: act('storage that is full', (key, value) => void kept.set(key, String(value))),
    removeItem: act('storage that cannot be written', key => void kept.delete(key)),
  }
  return out
}

/** Lets all that was promised happen; the clock stands. */
export async function settled() {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve()
}
