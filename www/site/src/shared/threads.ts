// The list of threads, and which one is looked at: its name stands in the address, so that a reload comes back to it.
import { type Cell, cell } from './cell.ts'
import { ask } from './connect.ts'

/** So often the list is asked for while nobody does anything. */
const POLL_MS = 10_000
/** The same while a turn runs somewhere. */
const RUNNING_MS = 2_000

/** A line of the list. */
export interface Entry {
  readonly id: string
  readonly title: string
  /** Milliseconds since 1970; 0: nothing was said yet. */
  readonly updatedAt: number
  /** True while a turn runs. */
  readonly running: boolean
}

/** The list and what can be done with it. */
export interface Threads {
  /** Empty until the server has answered once; from then on the current thread stands in it. */
  readonly list: Cell<readonly Entry[]>
  readonly current: Cell<string>
  select(this: void, id: string): void
  /** Goes to a thread in which nothing was said yet. */
  create(this: void): void
  rename(this: void, id: string, title: string): Promise<void>
  refresh(this: void): Promise<void>
}

const named = (): string => {
  try {
    return decodeURIComponent(location.hash.slice(1)) || 'main'
  } catch {
    return 'main'
  }
}

const isEqual = (a: Entry, b: Entry | undefined) =>
  b !== undefined && a.id === b.id && a.title === b.title && a.updatedAt === b.updatedAt && a.running === b.running

/** The threads of the server. */
export function createThreads(): Threads {
  const list = cell<readonly Entry[]>([])
  const current = cell(named())

  /** What the server knows, and the thread that is looked at, though nothing was said in it. */
  const show = (entries: readonly Entry[]) => {
    const known = entries.filter(entry => entry.updatedAt > 0 || entry.id === current.get())
    const here = known.some(entry => entry.id === current.get())
    const all = here ? known : [{ id: current.get(), title: 'New chat', updatedAt: 0, running: false }, ...known]
    const old = list.get()
    if (all.length !== old.length || !all.every((entry, at) => isEqual(entry, old[at]))) list.set(all)
  }
  let soon: ReturnType<typeof setTimeout> | undefined
  const refresh = async () => {
    clearTimeout(soon)
    try {
      const { threads } = await ask<{ threads: readonly Entry[] }>('/threads')
      show(threads)
      if (threads.some(({ running }) => running)) soon = setTimeout(refresh, RUNNING_MS)
    } catch {
      // The connection says so already; the next look will do.
    }
  }
  const select = (id: string) => {
    if (id === current.get()) return
    history.pushState(null, '', `#${encodeURIComponent(id)}`)
    arrive()
  }
  const arrive = () => {
    current.set(named())
    if (list.get().length > 0) show(list.get())
  }
  void refresh()
  addEventListener('popstate', arrive)
  addEventListener('hashchange', arrive)
  addEventListener('focus', refresh)
  setInterval(() => document.visibilityState === 'visible' && void refresh(), POLL_MS)

  return {
    list,
    current,
    select,
    refresh,
    create: () => select(`t-${crypto.randomUUID().slice(0, 8)}`),
    rename: async (id, title) => {
      list.set(list.get().map(entry => (entry.id === id ? { ...entry, title } : entry)))
      await ask(`/threads/${encodeURIComponent(id)}`, { method: 'PATCH', body: JSON.stringify({ title }) }).catch(() => undefined)
      await refresh()
    },
  }
}
