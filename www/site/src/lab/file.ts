/** Hands a text to the person as a file. */
export function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** A colour for a turn, so that rows and chunks of one turn are seen to belong together. */
export function tint(turnId: string | undefined): string {
  if (turnId === undefined) return 'transparent'
  let sum = 0
  for (const letter of turnId) sum = (sum * 31 + letter.charCodeAt(0)) % 997
  return `hsl(${(sum * 137) % 360} 45% 55%)`
}
