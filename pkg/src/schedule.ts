/** Says when listeners hear of changes. */
export interface Scheduler {
  /** Wants a notification soon; one is enough for many. */
  request(): void
  /** The wanted notification is no longer needed. */
  cancel(): void
  /** Begins and ends to follow whether the page is seen. */
  watch(isWatched: boolean): void
}

/** A frame, where there are none. */
const FRAME_MS = 16

/** A scheduler of that kind. */
export function createScheduler(kind: 'frame' | 'microtask', notify: () => void): Scheduler {
  let cancel: (() => void) | undefined
  const run = () => {
    cancel = undefined
    notify()
  }
  const later = (): (() => void) => {
    if (kind === 'microtask') {
      let isWanted = true
      queueMicrotask(() => isWanted && run())
      return () => (isWanted = false)
    }
    // A hidden page gets no frames.
    if (typeof requestAnimationFrame === 'function' && !isHidden()) {
      const frame = requestAnimationFrame(run)
      return () => cancelAnimationFrame(frame)
    }
    const timer = setTimeout(run, FRAME_MS)
    return () => clearTimeout(timer)
  }
  const seen = () => {
    if (cancel === undefined) return
    cancel()
    run()
  }
  return {
    request: () => {
      cancel ??= later()
    },
    cancel: () => {
      cancel?.()
      cancel = undefined
    },
    watch: isWatched => {
      if (kind !== 'frame' || typeof document === 'undefined') return
      if (isWatched) document.addEventListener('visibilitychange', seen)
      else document.removeEventListener('visibilitychange', seen)
    },
  }
}

function isHidden(): boolean {
  return typeof document !== 'undefined' && document.hidden
}
