// What both pages do with their elements, whatever drew them: the live region, focus that is not lost, live output.
import type { Thread } from 'turnseal'
import { createAnnouncer } from './announce.ts'

/** Says the news of a thread in a live region. */
export function announceIn(region: HTMLElement, thread: Thread): () => void {
  const say = createAnnouncer()
  say(thread.getSnapshot())
  return thread.subscribe(state => {
    const words = say(state)
    if (words !== '') region.textContent = words
  })
}

/** What had the focus of a keyboard and is moved keeps it; where it is gone, the fallback gets it. */
export function holdFocus(root: HTMLElement, fallback: () => HTMLElement | null): () => void {
  let last: HTMLElement | undefined
  const onFocus = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement && target.matches(':focus-visible') ? target : undefined
  }
  const onPointer = () => (last = undefined)
  const changes = new MutationObserver(() => {
    if (last === undefined || document.activeElement !== document.body) return
    const next = last.isConnected && !last.matches(':disabled') ? last : fallback()
    next?.focus()
  })
  root.addEventListener('focusin', onFocus)
  addEventListener('pointerdown', onPointer, true)
  changes.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    changes.disconnect()
    root.removeEventListener('focusin', onFocus)
    removeEventListener('pointerdown', onPointer, true)
  }
}

/** Follows what a terminal prints, as long as its end is looked at. */
export function followEnd(terminal: HTMLElement): () => void {
  let isFollowing = true
  const onScroll = () => (isFollowing = terminal.scrollHeight - terminal.clientHeight - terminal.scrollTop < 24)
  const changes = new MutationObserver(() => isFollowing && terminal.scrollTo(0, terminal.scrollHeight))
  changes.observe(terminal, { childList: true, characterData: true, subtree: true })
  terminal.addEventListener('scroll', onScroll, { passive: true })
  terminal.scrollTo(0, terminal.scrollHeight)
  return () => {
    changes.disconnect()
    terminal.removeEventListener('scroll', onScroll)
  }
}
