// The place of a reader. At the bottom it stays there while text grows; anywhere else what is read stays where it is,
// whatever is put above it.
import type { Thread } from 'turnseal'
import { type Cell, cell } from './cell.ts'

/** So near to an end counts as there. */
const BOTTOM_PX = 32
/** So near to the top older rows are asked for. */
const TOP_PX = 600

/** A viewport that keeps its place. */
export interface Place {
  /** True at the bottom. */
  readonly pinned: Cell<boolean>
  toBottom(this: void): void
  /** Ends it. */
  leave(this: void): void
}

/** Keeps the place of a thread's viewport; rows in it have `data-key`. */
export function keepPlace(view: HTMLElement, content: HTMLElement, thread: Thread): Place {
  const pinned = cell(true)
  let last = 0
  let anchor: { readonly row: Element; readonly top: number } | undefined

  const distance = () => view.scrollHeight - view.clientHeight - view.scrollTop
  /** The first row that is seen, and where. */
  const look = () => {
    const edge = view.getBoundingClientRect().top
    const rows = content.querySelectorAll('[data-key]')
    // They stand one below the other, so half of them need no look.
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle
      else low = middle + 1
    }
    const row = rows[low]
    return row && { row, top: row.getBoundingClientRect().top - edge }
  }
  const ask = () => {
    const { hasOlder, loadingOlder } = thread.getSnapshot()
    if (!pinned.get() && hasOlder && !loadingOlder && view.scrollTop < TOP_PX) void thread.loadOlder()
  }
  const pin = (value: boolean) => {
    if (pinned.get() === value) return
    pinned.set(value)
    thread.setScrolledUp(!value)
  }
  const onScroll = () => {
    // Growing moves the bottom away without a move of the reader; only a move up leaves it.
    if (distance() <= BOTTOM_PX) pin(true)
    else if (view.scrollTop < last - 1) pin(false)
    last = view.scrollTop
    anchor = pinned.get() ? undefined : look()
    ask()
  }
  const settle = () => {
    if (pinned.get()) view.scrollTop = view.scrollHeight
    else if (anchor?.row.isConnected) {
      const moved = anchor.row.getBoundingClientRect().top - view.getBoundingClientRect().top - anchor.top
      if (Math.abs(moved) >= 1) view.scrollTop += moved
    }
    last = view.scrollTop
    ask()
  }
  const sizes = new ResizeObserver(settle)
  sizes.observe(content)
  sizes.observe(view)
  view.addEventListener('scroll', onScroll, { passive: true })
  thread.setScrolledUp(false)
  settle()
  return {
    pinned,
    toBottom: () => {
      pin(true)
      settle()
    },
    leave: () => {
      sizes.disconnect()
      view.removeEventListener('scroll', onScroll)
      thread.setScrolledUp(false)
    },
  }
}
