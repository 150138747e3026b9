/** What a stream has told, by the kind and id of what it said: how many, or how long. */
export type Told = Map<string, number>

/**
 * How much of what a stream says is new, where it may be one that is read again from its beginning: `heard` is what this
 * reading has come to, `told` what any reading has told. 0: all of it was told before.
 */
export function freshOf(told: Told, heard: Told, key: string, weight: number): number {
  const now = (heard.get(key) ?? 0) + weight
  heard.set(key, now)
  const before = told.get(key) ?? 0
  if (now > before) told.set(key, now)
  return Math.max(0, Math.min(weight, now - before))
}
