// The end of a text that still grows. Marks that are open there would be drawn as marks and jump when they close.

const FENCE = /^(```|~~~)/

/** A block with its open marks closed, and a half link as its words. */
export function mend(raw: string): string {
  if (FENCE.test(raw.trimStart())) return raw
  // A mark that has just begun says nothing yet.
  let text = raw.replace(/(^|[\s(])(\*{1,3}|_{1,3}|~{1,2}|`+)$/, '$1')
  text = text.replace(/!?\[([^\]\n]*)(\](\([^)\s]*)?)?$/, (whole, words: string, close?: string) =>
    close === undefined || close.startsWith('](') ? words : whole)
  const plain = text.replace(/`[^`\n]*`/g, '')
  if (count(plain, '`') % 2 === 1) return `${text}\``
  const bold = count(plain, '**') % 2 === 1
  const strong = plain.replaceAll('**', '')
  const italic = count(strong.replace(/^\s*\* /gm, ''), '*') % 2 === 1
  const struck = count(plain, '~~') % 2 === 1
  const marks = `${italic ? '*' : ''}${bold ? '**' : ''}${struck ? '~~' : ''}`
  if (marks === '') return text
  // A mark closes behind a word, not behind a blank.
  const end = text.trimEnd().length
  return text.slice(0, end) + marks + text.slice(end)
}

const count = (text: string, mark: string) => text.split(mark).length - 1
