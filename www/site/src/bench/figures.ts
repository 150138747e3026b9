// The figures as the page has them: what was measured here, and what `make bench` wrote down.

interface Summary { readonly median: number }
interface Both { readonly cpu: Summary; readonly wall: Summary }

/** The part of `bench/result.json` that is drawn. */
export interface Recorded {
  readonly machine: Readonly<Record<string, unknown>>
  readonly hosts: {
    readonly node: {
      readonly deltas: readonly { readonly form: string; readonly groups: number; readonly ours: Both; readonly slice: Both }[]
      readonly peers: readonly { readonly peer: string; readonly work: string; readonly groups: number; readonly theirs: Both; readonly frames: Both; readonly ratio: { readonly frames: Summary } }[]
    }
  }
  readonly rows: readonly { readonly id: string; readonly spec?: boolean; readonly what: string; readonly min?: number; readonly max?: number; readonly value: number; readonly holds: boolean }[]
}

export interface Delta {
  readonly groups: number
  readonly ours: number
  readonly slice: number
  readonly ratio: number
  /** Against the smallest size, round by round. */
  readonly growth: { readonly ours: number; readonly slice: number }
}
export interface Attach { readonly type: 'attach'; readonly chunks: number; readonly bytes: number; readonly ours: number; readonly parse: number }
export type Said = Attach | { readonly type: 'deltas'; readonly rows: readonly Delta[] } | { readonly type: 'doing'; readonly what: string } | { readonly type: 'done' } | { readonly type: 'failed'; readonly error: string }

/** One bar: `value` in nanoseconds. */
export interface Bar { readonly name: string; readonly value: number; readonly note?: string; readonly isOurs?: boolean }
/** One line of a plot, with a point for each size. */
export interface Curve { readonly name: string; readonly isOurs?: boolean; readonly points: readonly { readonly x: number; readonly y: number }[] }

/** Nanoseconds in the unit that reads best. */
export function time(ns: number): string {
  const [value, unit] = ns >= 1e9 ? [ns / 1e9, 's'] : ns >= 1e6 ? [ns / 1e6, 'ms'] : ns >= 1e3 ? [ns / 1e3, 'µs'] : [ns, 'ns']
  return `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value >= 10 ? 3 : 2)} ${unit}`
}
/** A power of ten, as an axis has it. */
export const tickTime = (ns: number): string => time(ns).replace(/\.0+(?= )/, '')
export const times = (ratio: number): string => `${ratio >= 100 ? Math.round(ratio).toLocaleString('en') : ratio.toPrecision(ratio >= 10 ? 3 : 2)}×`
export const whole = (value: number): string => value.toLocaleString('en')

/** The peers at that many messages, the quickest first, ours before them. */
export function peersAt(recorded: Recorded, groups: number): Bar[] {
  const rows = recorded.hosts.node.peers.filter(row => row.work === 'delta' && row.groups === groups)
  const ours = rows.map(row => row.frames.cpu.median).sort((one, other) => one - other)
  const bars = rows.map(row => ({ name: row.peer, value: row.theirs.cpu.median, note: times(row.ratio.frames.median) }))
  const own = ours[Math.floor(ours.length / 2)]
  return [...(own === undefined ? [] : [{ name: 'turnseal', value: own, isOurs: true }]), ...bars.sort((one, other) => one.value - other.value)]
}

/** A delta in frames of 16 as it was recorded, at each size. */
export function recordedCurves(recorded: Recorded): Curve[] {
  const rows = recorded.hosts.node.deltas.filter(({ form }) => form === 'message-16')
  return [
    { name: 'turnseal', isOurs: true, points: rows.map(({ groups, ours }) => ({ x: groups, y: ours.cpu.median })) },
    { name: 'hand-written slice', points: rows.map(({ groups, slice }) => ({ x: groups, y: slice.cpu.median })) },
  ]
}
