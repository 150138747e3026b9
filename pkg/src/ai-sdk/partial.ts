// Deeper nesting is no argument of a tool.
const DEPTH_MAX = 64

/** What a JSON text that is still coming says so far; `undefined` where it says nothing yet, or is no JSON. */
export function parsePartial(text: string): unknown {
  let at = 0
  const skip = () => {
    while (at < text.length && ' \n\r\t'.includes(text.charAt(at))) at += 1
  }
  const value = (depth: number): unknown => {
    skip()
    const first = text.charAt(at)
    if (depth > DEPTH_MAX || first === '') return undefined
    if (first === '{') return object(depth)
    if (first === '[') return array(depth)
    return first === '"' ? string() : word()
  }
  const object = (depth: number): unknown => {
    const entries: [string, unknown][] = []
    at += 1
    for (skip(); text.charAt(at) === '"'; skip()) {
      const key = string()
      skip()
      if (key === undefined || text.charAt(at) !== ':') break
      at += 1
      const found = value(depth + 1)
      if (found !== undefined) entries.push([key, found])
      if (!next('}')) break
    }
    if (text.charAt(at) === '}') at += 1
    return Object.fromEntries(entries)
  }
  const array = (depth: number): unknown => {
    const items: unknown[] = []
    at += 1
    for (skip(); at < text.length && text.charAt(at) !== ']'; ) {
      const found = value(depth + 1)
      if (found !== undefined) items.push(found)
      if (found === undefined || !next(']')) break
    }
    if (text.charAt(at) === ']') at += 1
    return items
  }
  /** Goes over a comma; false: there is none, or the end `close` follows. */
  const next = (close: string): boolean => {
    skip()
    if (text.charAt(at) !== ',') return false
    at += 1
    skip()
    return text.charAt(at) !== close
  }
  const string = (): string | undefined => {
    const start = at
    for (at += 1; at < text.length && text.charAt(at) !== '"'; at += text.charAt(at) === '\\' ? 2 : 1);
    const isWhole = at < text.length
    if (isWhole) at += 1
    // A cut escape goes: `\`, `\u`, `\u1`, `\u12`, `\u123`.
    const known = isWhole
      ? text.slice(start, at)
      : `${text.slice(start).replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\(u[0-9a-fA-F]{0,3})?$/, '')}"`
    const parsed = parse(known)
    return typeof parsed === 'string' ? parsed : undefined
  }
  const word = (): unknown => {
    const found = /[^\s,\]}:]+/y
    found.lastIndex = at
    const [text_ = ''] = found.exec(text) ?? []
    at += text_.length
    return parse(text_)
  }
  return value(0)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
