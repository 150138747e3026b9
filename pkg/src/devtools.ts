import type { Store } from './api.js'
import { type Extension, type Wish, findExtension, readWish } from './devtools-extension.js'
import { createTraveller } from './devtools-travel.js'
import { TurnsealError } from './errors.js'
import { fromJson, isRecord } from './json.js'
import type { Entry, Recording } from './journal.js'

export type { Extension } from './devtools-extension.js'
export { type Inspector, defineInspector } from './devtools-inspector.js'

/** What `connectDevtools` takes. */
export interface DevtoolsOptions {
  /** `replay` of the entry that made the store. */
  readonly replay: (recording: Recording) => Store
  /** What the line is called in the extension: `turnseal`. */
  readonly name?: string
  /** The extension, where it is not the browser's own. */
  readonly extension?: Extension
}

/** A store that can show what it was. */
export interface Devtools {
  /** The store to give to the UI in place of the first one. */
  readonly store: Store
  /** How many inputs there are to travel through. */
  length(this: void): number
  /** Shows the state after so many inputs; without a number the live one. What is fed meanwhile is not lost. */
  travel(this: void, inputs?: number): void
  /** What came in so far, as JSON: a bug report. */
  exportRecording(this: void): string
  /** Shows where a recording ends, and travels through it from then on. Throws where it is none. */
  importRecording(this: void, json: string): void
  /** Ends the line to the extension; the store goes on. */
  disconnect(this: void): void
}

/** Each input is an action of the Redux DevTools; a jump there shows the state behind that action, by replay. */
export function connectDevtools(live: Store, options: DevtoolsOptions): Devtools {
  const traveller = createTraveller(live)
  const features = { jump: true, import: 'custom', export: 'custom', pause: true }
  const line = (options.extension ?? findExtension())?.connect({ name: options.name ?? 'turnseal', features })
  // What is travelled through: the live recording, or an imported one.
  let imported: Recording | undefined
  let sent: Recording = live.record()
  let isPaused = false
  let isPast = false

  const through = (): Recording => imported ?? live.record()
  const begin = () => {
    sent = through()
    line?.init(traveller.states())
    line?.send({ type: 'start', limits: sent.limits, ...(sent.base === undefined ? {} : { base: sent.base }) }, traveller.states())
    sent.inputs.forEach(tell)
  }
  const tell = (entry: Entry) => line?.send({ type: nameOf(entry), entry }, traveller.states())
  const update = () => {
    // What comes while the past is shown is told with the return.
    if (isPaused || isPast || imported !== undefined || line === undefined) return
    const now = live.record()
    // The journal begins anew with the state of then when it is long.
    if (now.base !== sent.base || now.inputs.length < sent.inputs.length) return begin()
    const fresh = now.inputs.slice(sent.inputs.length)
    sent = now
    fresh.forEach(tell)
  }
  const travel = (inputs?: number) => {
    const recording = through()
    isPast = inputs !== undefined || imported !== undefined
    if (!isPast) {
      traveller.show(undefined)
      return update()
    }
    const count = inputs ?? recording.inputs.length
    traveller.show(options.replay({ ...recording, inputs: recording.inputs.slice(0, count) }))
  }
  const take = (recording: Recording) => {
    imported = recording
    travel()
    begin()
  }
  const wish = (wish: Wish) => {
    switch (wish.type) {
      case 'jump':
        // Action 0 is the extension's own, 1 the start. The last one is the present.
        return travel(imported === undefined && wish.action > sent.inputs.length ? undefined : Math.max(0, wish.action - 1))
      case 'live':
      case 'commit':
        imported = undefined
        travel()
        return begin()
      case 'start':
        return begin()
      case 'pause':
        isPaused = wish.isPaused
        return update()
      case 'import': {
        const [start] = wish.actions.filter(isRecord).filter(({ type }) => type === 'start')
        const inputs = wish.actions.flatMap(action => (isRecord(action) && isEntry(action['entry']) ? [action['entry']] : []))
        const base = start?.['base']
        return take({ v: 1, limits: typeof start?.['limits'] === 'string' ? start['limits'] : '{}', ...(typeof base === 'string' ? { base } : {}), inputs })
      }
      case 'none':
        return undefined
      default: {
        const none: never = wish
        return none
      }
    }
  }

  const leave = [traveller.onLive(update), line?.subscribe(message => wish(readWish(message))), () => line?.unsubscribe?.()]
  begin()
  return {
    store: traveller.store,
    length: () => through().inputs.length,
    travel: inputs => {
      if (inputs === undefined) imported = undefined
      travel(inputs)
    },
    exportRecording: () => JSON.stringify(through()),
    importRecording: json => {
      const recording = fromJson(json)
      if (!isRecording(recording)) throw new TurnsealError('bad-argument', 'importRecording: this is no recording of version 1')
      take(recording)
    },
    disconnect: () => leave.forEach(end => end?.()),
  }
}

function isRecording(value: unknown): value is Recording {
  return isRecord(value) && value['v'] === 1 && typeof value['limits'] === 'string' && Array.isArray(value['inputs']) && value['inputs'].every(isEntry)
}

function isEntry(value: unknown): value is Entry {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string'
}

/** What an input is, for people. */
function nameOf([kind, text]: Entry): string {
  if (kind === 'g') return 'text-delta +'
  if (kind === 'a') return 'answer'
  if (kind === 'b') return 'frame of bytes'
  const value = fromJson(text)
  const type = isRecord(value) ? value['type'] : undefined
  return typeof type === 'string' ? (kind === 'i' ? `do ${type}` : type) : 'frame'
}
