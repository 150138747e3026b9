// Markdown that grows: it is cut into blocks, and a block that is whole is made into HTML once. What a model says is
// never HTML: tags are shown as they are written, and what is made passes a sanitizer before a page sees it.
import DOMPurify from 'dompurify'
import { Marked, type Token } from 'marked'
import { mend } from './mend.ts'

/** So many blocks are remembered; the oldest goes first. */
const KEPT_MAX = 2_000

const escape = (text: string) =>
  text.replace(/[&<>"']/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char] ?? char)

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || href)}</a>`,
    code: ({ text, lang = '' }) =>
      `<figure class="code"><figcaption><span>${escape(lang.split(' ')[0] || 'text')}</span>` +
      `<button type="button" class="copy" data-copy>Copy</button></figcaption><pre tabindex="0"><code>${escape(text)}</code></pre></figure>`,
    table(token) {
      const cells = (row: typeof token.header, tag: string) =>
        row.map(cell => `<${tag}${cell.align ? ` align="${cell.align}"` : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
      const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>`).join('')
      return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`
    },
  },
})

DOMPurify.addHook('afterSanitizeAttributes', node => {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
})

const kept = new Map<string, string>()

function html(raw: string, tokens: Token[]): string {
  const known = kept.get(raw)
  if (known !== undefined) return known
  const made = DOMPurify.sanitize(marked.parser(tokens), { USE_PROFILES: { html: true }, ADD_ATTR: ['target'] })
  kept.set(raw, made)
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX) break
    kept.delete(oldest)
  }
  return made
}

/** The blocks of a text as HTML, top to bottom. While it grows, what is open at its end is drawn as if it were closed. */
export function blocks(text: string, isGrowing: boolean): readonly string[] {
  const tokens = marked.lexer(text)
  const links = tokens.links
  return tokens
    .filter(token => token.type !== 'space' && token.type !== 'def')
    .map((token, at, all) => {
      if (!isGrowing || at < all.length - 1) return html(token.raw, [token])
      const mended = marked.lexer(mend(token.raw))
      Object.assign(mended.links, links)
      return DOMPurify.sanitize(marked.parser(mended), { USE_PROFILES: { html: true }, ADD_ATTR: ['target'] })
    })
}
