// What of a section is shown where it was found.

/** So long is an excerpt, in characters. */
const LENGTH = 150

const asWords = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')

/** The words of a section around the first that was asked for. */
export function excerpt(text: string, asked: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const low = flat.toLowerCase()
  const places = asWords(asked).map(word => low.indexOf(word)).filter(at => at >= 0)
  const start = places.length === 0 ? 0 : flat.lastIndexOf(' ', Math.max(0, Math.min(...places) - 40)) + 1
  const cut = flat.slice(start, start + LENGTH)
  return `${start > 0 ? '… ' : ''}${cut}${start + LENGTH < flat.length ? ' …' : ''}`
}

/** The text in pieces; those that begin with a word that was asked for are hits. */
export function words(text: string, asked: string): { word: string; isHit: boolean }[] {
  const wanted = asWords(asked)
  return text.split(/([\p{L}\p{N}]+)/u).filter(word => word !== '')
    .map(word => ({ word, isHit: wanted.some(begin => word.toLowerCase().startsWith(begin)) }))
}
