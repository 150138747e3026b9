// Markdown as this repository has it, read once for all: the pages of the site, their search, and the check of the links.
import { Marked } from 'marked'

const marked = new Marked({ gfm: true })
const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

export const escape = text => text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char])

/** The words of a token, without their marks. */
export function plain(token) {
  if (token.type === 'html') return ''
  if (token.type === 'table') return [token.header, ...token.rows].map(cells => cells.map(cell => cell.tokens.map(plain).join('')).join(' ')).join('\n')
  if (token.type === 'list') return token.items.map(plain).join('\n')
  if (token.tokens) return token.tokens.map(plain).join('')
  return (token.text ?? token.raw ?? '').replace(/&(amp|lt|gt|quot|#39);/g, entity => entities[entity])
}

/** Anchors as GitHub makes them: two equal headings get a number. */
function anchors() {
  const seen = new Map()
  return words => {
    const slug = words.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replace(/ /g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

/**
 * A page: its title, headings with their anchors, links and images with the line each stands in, fenced blocks,
 * spans of code, and its sections as words, for the search.
 */
export function read(markdown) {
  const tokens = marked.lexer(markdown)
  const page = { tokens, title: '', headings: [], links: [], blocks: [], spans: [], sections: [] }
  const anchor = anchors()
  let line = 1
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plain(token)
      token.anchor = anchor(text)
      if (token.depth === 1) page.title ||= text
      page.headings.push({ depth: token.depth, text, anchor: token.anchor })
      page.sections.push({ anchor: token.anchor, title: text, words: [], code: [] })
    } else if (token.type !== 'space') page.sections.at(-1)?.[token.type === 'code' ? 'code' : 'words'].push(plain(token))
    const [start, { raw }] = [line, token]
    marked.walkTokens([token], inner => collect(inner, start + raw.slice(0, Math.max(raw.indexOf(inner.raw), 0)).split('\n').length - 1, page))
    line += token.raw.split('\n').length - 1
  }
  return page
}

function collect(token, line, page) {
  if (token.type === 'link' || token.type === 'image') page.links.push({ line, href: token.href })
  if (token.type === 'code') page.blocks.push({ line, language: token.lang ?? '', code: token.text, isFenced: /^\s*(```|~~~)/.test(token.raw) })
  if (token.type === 'codespan') page.spans.push({ line, text: plain(token) })
  if (token.type === 'html') for (const [, href] of token.raw.matchAll(/(?:src|srcset|href)="([^"]+)"/g)) page.links.push({ line, href })
}

/** A page as HTML; `to(href)` says where a link or a picture of it leads on the site. */
export function draw(page, to) {
  const drawing = new Marked({
    gfm: true,
    renderer: {
      heading({ depth, tokens, anchor }) {
        const words = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${anchor}">${words}</h1>`
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}" aria-label="Link to: ${escape(plain({ tokens }))}">#</a>${words}</h${depth}>`
      },
      link({ href, tokens }) {
        return `<a href="${escape(to(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        const img = `<img vite-ignore src="${escape(to(href))}" alt="${escape(text)}" loading="lazy">`
        return href.endsWith('.svg') ? `<span class="wide" tabindex="0" role="region" aria-label="Picture">${img}</span>` : img
      },
      code: ({ text, lang = '' }) => `<pre tabindex="0"${lang && ` data-language="${escape(lang)}"`}><code>${escape(text)}</code></pre>`,
      table(token) {
        const cells = (row, tag) => row.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>`).join('')
        return `<div class="table" tabindex="0" role="region" aria-label="Table: ${escape(token.header.map(plain).join(', '))}"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`
      },
      html: ({ text }) => text.replace(/<!--.*?-->/gs, ''),
    },
  })
  return drawing.parser(page.tokens)
}
