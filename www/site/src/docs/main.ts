// What moves on a page of the documentation: the search, and the button of the theme.
import '../style/docs.css'
import MiniSearch from 'minisearch'
import { SEARCH } from './search.ts'
import { nextTheme, theme } from '../shared/theme.ts'
import { excerpt, words } from './excerpt.ts'

/** More would not be read. */
const FOUND_MAX = 12

const one = <T extends Element>(selector: string): T => {
  const found = document.querySelector<T>(selector)
  if (!found) throw new Error(`the page has no ${selector}`)
  return found
}
const form = one<HTMLFormElement>('.search')
const field = one<HTMLInputElement>('.search input')
const found = one<HTMLOListElement>('.found')
const button = one<HTMLButtonElement>('.theme')

let loading: Promise<MiniSearch> | undefined
/** The index is fetched once it is asked for; a fetch that failed is tried again. */
const load = () => (loading ??= fetch('/docs/search.json')
  .then(response => (response.ok ? response.text() : Promise.reject(new Error(`search.json: ${response.status}`))))
  .then(text => MiniSearch.loadJSON(text, SEARCH))
  .catch((error: unknown) => {
    loading = undefined
    throw error
  }))

async function search(): Promise<void> {
  const asked = field.value.trim()
  if (asked === '') return show([])
  try {
    const index = await load()
    if (asked !== field.value.trim()) return
    const hits = index.search(asked).slice(0, FOUND_MAX)
    show(hits.length > 0 ? hits.map(hit => link(String(hit.id), String(hit.page), String(hit.title), excerpt(String(hit.text), asked), asked)) : [note(`Nothing has “${asked}”.`)])
  } catch {
    show([note('The index of the search cannot be loaded.')])
  }
}

function show(items: readonly HTMLLIElement[]): void {
  found.replaceChildren(...items)
  found.dataset.asked = field.value.trim()
  found.hidden = items.length === 0
}

function note(text: string): HTMLLIElement {
  const item = document.createElement('li')
  item.textContent = text
  return item
}

function link(href: string, page: string, title: string, text: string, asked: string): HTMLLIElement {
  const item = document.createElement('li')
  const anchor = document.createElement('a')
  anchor.href = href
  const head = document.createElement('strong')
  head.textContent = page === title ? title : `${page}: ${title}`
  const rest = document.createElement('span')
  for (const { word, isHit } of words(text, asked)) rest.append(isHit ? mark(word) : word)
  anchor.append(head, rest)
  anchor.addEventListener('click', () => show([]))
  item.append(anchor)
  return item
}

function mark(word: string): HTMLElement {
  const marked = document.createElement('mark')
  marked.textContent = word
  return marked
}

field.addEventListener('input', () => void search())
field.addEventListener('focus', () => void search())
form.addEventListener('submit', event => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
form.addEventListener('focusout', event => {
  if (!(event.relatedTarget instanceof Node && form.contains(event.relatedTarget))) show([])
})
form.addEventListener('keydown', event => {
  const stops = [field, ...found.querySelectorAll('a')]
  const at = stops.findIndex(stop => stop === document.activeElement)
  if (event.key === 'Escape') {
    field.value = ''
    field.focus()
    return show([])
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  stops[Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), stops.length - 1)]?.focus()
})
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  field.focus()
})

const label = () => (button.ariaLabel = `Theme: ${theme.get()}`)
button.addEventListener('click', () => {
  nextTheme()
  label()
})
label()
