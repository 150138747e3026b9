// What a work is: a side that it is done on, and steps of it, each with its time and a check of what is shown.

/** Fails where something else is shown. */
export function expect(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`)
}

/** Feeds frames, and reads after each. */
export function feedAndRead(store, list) {
  return () => {
    for (const frame of list) {
      store.handleMessage(frame)
      store.renderGroups()
    }
  }
}

/** A work on a side that stays: `step` gives a run, how many it does, and a check. */
export const lasting = (make, step) => side => {
  const state = make(side)
  return { step: () => step(state), end: () => state.store.free() }
}

/** A work on a side of its own each round: it changes how many groups there are. */
export const fresh = step => side => ({ step: () => step(side), end: () => {} })

/** The same, but where there are many groups already, one side is kept: making it would take longer than the work. */
export const growing = (make, step) => ({ store, groups }) => {
  let kept
  const renew = () => {
    kept?.store.free()
    kept = make({ store, groups })
  }
  return {
    step: () => {
      if (kept === undefined || groups < 10_000) renew()
      return step(kept)
    },
    end: () => kept.store.free(),
  }
}
