import type { Store, Unsubscribe } from './api.js'
import { fromJson, isRecord } from './json.js'
import type { Diagnostic } from './options.js'
import type { Group, ThreadSnapshot } from './view.js'

/** The element `<turnseal-inspector thread="main">`. */
export interface Inspector extends HTMLElement {
  /** The store that it looks into; it draws nothing before. */
  store: Store | undefined
  /** Shows a diagnostic: for `createStore({ onDiagnostic })`. The last 50 stay. */
  diagnose(diagnostic: Diagnostic): void
}

const SHOWN_MAX = 50
const STYLE = `:host { display: block; font: 12px/1.4 ui-monospace, monospace; overflow: auto }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: 1px 6px; border-bottom: 1px solid #8884 }
[data-state=failed], [data-state=unconfirmed] { color: #c00 } [data-state=live] { color: #06c } h2 { font-size: inherit; margin: 6px 0 2px }`

/** Defines the element, once, in a page; elsewhere it does nothing. */
export function defineInspector(name = 'turnseal-inspector'): void {
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return
  customElements.define(name, createElementClass())
}

function createElementClass(): CustomElementConstructor {
  return class extends HTMLElement implements Inspector {
    static readonly observedAttributes = ['thread']
    readonly #diagnostics: Diagnostic[] = []
    #store: Store | undefined
    #leave: Unsubscribe | undefined
    #frame = 0

    get store(): Store | undefined {
      return this.#store
    }
    set store(store: Store | undefined) {
      this.disconnectedCallback()
      this.#store = store
      if (this.isConnected) this.connectedCallback()
    }
    connectedCallback(): void {
      this.#leave ??= this.#store?.subscribe(() => this.#later())
      this.#draw()
    }
    disconnectedCallback(): void {
      this.#leave?.()
      this.#leave = undefined
      cancelAnimationFrame(this.#frame)
      this.#frame = 0
    }
    attributeChangedCallback(): void {
      if (this.isConnected) this.#draw()
    }
    diagnose(diagnostic: Diagnostic): void {
      this.#diagnostics.unshift(diagnostic)
      this.#diagnostics.length = Math.min(this.#diagnostics.length, SHOWN_MAX)
      this.#later()
    }
    #later() {
      if (!this.isConnected || this.#frame !== 0) return
      this.#frame = requestAnimationFrame(() => this.#draw())
    }
    #draw() {
      this.#frame = 0
      const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
      const store = this.#store
      const style = element('style', STYLE)
      if (store === undefined) return root.replaceChildren(style, element('p', 'no store'))
      const thread = store.thread(this.getAttribute('thread') ?? undefined)
      const state = thread.getSnapshot()
      root.replaceChildren(
        style,
        ...section('thread', headRows(state)),
        ...section('loader', loaderRows(store, state)),
        ...section('rows', state.groups.map(group => groupRow(store, state.id, group))),
        ...section('diagnostics', this.#diagnostics.map(({ code, detail, threadId }) => row(code, `${threadId ?? ''} ${detail}`))),
      )
    }
  }
}

function headRows({ id, status, turnId, connection, queue, held, approvals }: ThreadSnapshot): readonly HTMLElement[] {
  return [
    row('id', id),
    row('status', turnId === undefined ? status : `${status}, turn ${turnId}`),
    row('connection', connection),
    row('queue', `${queue.length}${held ? ', held' : ''}`),
    row('approvals', approvals.map(({ callId, state }) => `${callId} ${state}`).join(', ') || 'none'),
  ]
}

/** What is loaded, and which turns wait for their fold: from the state that `dehydrate` writes. */
function loaderRows(store: Store, { id, hasOlder, loadingOlder, loadError }: ThreadSnapshot): readonly HTMLElement[] {
  const state = fromJson(store.dehydrate())
  const threads: readonly unknown[] = isRecord(state) && Array.isArray(state['threads']) ? state['threads'] : []
  const saved = threads.filter(isRecord).find(thread => thread['id'] === id) ?? {}
  const list = (field: string) => (Array.isArray(saved[field]) ? saved[field].filter(isRecord) : [])
  const [first, last] = [list('chunks')[0]?.['seq'], list('chunks').at(-1)?.['seq']]
  const older = loadingOlder ? 'older rows are on their way' : hasOlder ? 'there are older rows' : 'this is all'
  return [
    row('window', first === undefined ? 'empty' : `seq ${String(first)} to ${String(last)}; ${older}`),
    row('last event', String(saved['applied'] ?? 'not numbered')),
    row('error', loadError ?? 'none'),
    ...list('turns').map(turn => row(`turn ${String(turn['turnId'])}`, turnWords(turn))),
  ]
}

function turnWords(turn: Readonly<Record<string, unknown>>): string {
  const sealed = turn['sealed'] === true ? `sealed${turn['lastSeq'] === undefined ? '' : ` up to seq ${String(turn['lastSeq'])}`}, not folded` : 'not sealed'
  return [turn['ended'] === true ? `ended${turn['outcome'] === undefined ? '' : ` ${String(turn['outcome'])}`}` : 'runs', sealed, turn['fromChunks'] === true ? 'drawn from chunks' : 'drawn from events'].join(', ')
}

function groupRow(store: Store, threadId: string, group: Group): HTMLElement {
  const why = store.explain(threadId, group.key)
  const words = group.parts.map(part => ('text' in part && typeof part.text === 'string' ? part.text : part.type)).join(' | ')
  const line = row(`${group.role} ${group.state}`, `${why?.owner ?? 'gone'}: ${why?.because.join('; ') ?? ''}`, words.length > 80 ? `${words.slice(0, 80)}...` : words)
  line.dataset['state'] = group.state
  line.dataset['key'] = group.key
  return line
}

function section(title: string, rows: readonly HTMLElement[]): readonly HTMLElement[] {
  const table = element('table')
  table.append(...rows)
  table.dataset['of'] = title
  return [element('h2', `${title}${rows.length === 0 ? ': none' : ''}`), table]
}

function row(name: string, ...cells: readonly string[]): HTMLElement {
  const line = element('tr')
  line.append(element('th', name), ...cells.map(cell => element('td', cell)))
  return line
}

/** Content is text, never markup. */
function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
