/** Beyond so many it is cheaper to look at all. */
const MOST = 64

/** Which groups may have changed since somebody asked. */
export interface TouchedKeys {
  /** This one. */
  add(key: string): void
  /** Any of them. */
  all(): void
  /** The keys, some of them twice; `undefined`: any. From here on it counts anew. */
  take(): readonly string[] | undefined
}

/** Nobody has asked yet: any of them. */
export function createTouched(): TouchedKeys {
  let keys: string[] | undefined
  return {
    add: key => {
      if (keys === undefined || keys[keys.length - 1] === key) return
      if (keys.length < MOST) keys.push(key)
      else keys = undefined
    },
    all: () => {
      keys = undefined
    },
    take: () => {
      const taken = keys
      keys = []
      return taken
    },
  }
}
