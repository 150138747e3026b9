// The language of scenarios: one line is one input. Reads and writes it, and knows no verb by meaning.

/** `2: queue q1 "and 3+3?" intent=steer`. */
export interface Line {
  readonly client?: number
  readonly verb: string
  readonly names: readonly string[]
  readonly texts: readonly string[]
  readonly keys: Readonly<Record<string, string>>
}

const WORD = /\s*(?:(#.*)|"((?:[^"\\]|\\.)*)"|(\S+))/y
const plain = (text: string) => text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))

/** Reads a line; undefined where it holds nothing but a comment. Throws where a quote is not closed. */
export function parse(raw: string): Line | undefined {
  const [names, texts, keys]: [string[], string[], Record<string, string>] = [[], [], {}]
  let [client, verb]: [number | undefined, string] = [undefined, '']
  WORD.lastIndex = 0
  for (let found = WORD.exec(raw); found !== null; found = WORD.exec(raw)) {
    const [, comment, text, word = ''] = found
    if (comment !== undefined) break
    if (text !== undefined) texts.push(plain(text))
    else if (word.startsWith('"')) throw new Error(`a quote is not closed: ${raw}`)
    else if (verb === '' && /^\d+:$/.test(word)) client = Number.parseInt(word, 10)
    else if (verb === '') verb = word
    else if (word.includes('=')) keys[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
    else names.push(word)
  }
  return verb === '' ? undefined : { ...(client === undefined ? {} : { client }), verb, names, texts, keys }
}

/** A text in quotes, on one line. */
export const quoted = (text: string): string => `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`

/** A line as it is written. */
export const written = (client: number | undefined, ...words: readonly string[]): string =>
  `${client === undefined ? '' : `${client}: `}${words.filter(word => word !== '').join(' ')}`
