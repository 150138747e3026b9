// What both who makes the index and who asks it must know.
import type { Options } from 'minisearch'

const WORDS = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu

/** Codes such as `resync-failed` are one word to who asks; the index has their parts, too. */
const asked = (text: string): string[] => text.match(WORDS) ?? []
const indexed = (text: string): string[] => asked(text).flatMap(word => (word.includes('-') ? [word, ...word.split('-')] : [word]))

export const SEARCH: Options = {
  fields: ['title', 'page', 'text', 'code'],
  storeFields: ['title', 'page', 'text'],
  tokenize: indexed,
  searchOptions: { tokenize: asked, boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
