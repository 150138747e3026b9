/** Time that runs only when it is told to: it can be paused, hurried and repeated. */
export function createClock() {
  const waiting = []
  let now = 0

  return {
    now: () => now,
    /** Runs `run` in `ms`; gives a function that takes that back. */
    after(ms, run) {
      const entry = { at: now + Math.max(0, ms), run }
      // Of two that are due at once the earlier asked goes first.
      let place = waiting.length
      while (place > 0 && waiting[place - 1].at > entry.at) place -= 1
      waiting.splice(place, 0, entry)
      return () => {
        const at = waiting.indexOf(entry)
        if (at >= 0) waiting.splice(at, 1)
      }
    },
    /** Lets time pass. */
    advance(ms) {
      const end = now + ms
      while (waiting.length > 0 && waiting[0].at <= end) {
        const { at, run } = waiting.shift()
        now = at
        run()
      }
      now = end
    },
  }
}

/** Numbers in 0 .. 1 that look like chance; the same seed gives the same ones (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000
  }
}
