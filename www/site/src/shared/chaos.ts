// The bad network that the server can play.
import { ask } from './connect.ts'

/** What is done to frames and pages; zeroes: nothing. */
export interface Chaos {
  /** Each frame waits up to so many milliseconds. */
  readonly delay: number
  /** So many frames of a hundred are lost. */
  readonly loss: number
  /** So many frames of a hundred come twice. */
  readonly repeat: number
  /** A socket is cut after about so many seconds. */
  readonly cut: number
  /** A page of the log takes so many milliseconds. */
  readonly slow: number
}

/** The sliders of the panel. */
export const SLIDERS: readonly { readonly name: keyof Chaos; readonly label: string; readonly unit: string; readonly max: number; readonly step: number }[] = [
  { name: 'delay', label: 'Delay of frames', unit: 'ms', max: 2_000, step: 50 },
  { name: 'loss', label: 'Lost frames', unit: '%', max: 50, step: 1 },
  { name: 'repeat', label: 'Repeated frames', unit: '%', max: 50, step: 1 },
  { name: 'cut', label: 'Socket cut every', unit: 's', max: 60, step: 1 },
  { name: 'slow', label: 'Pages take', unit: 'ms', max: 5_000, step: 100 },
]

export const CALM: Chaos = { delay: 0, loss: 0, repeat: 0, cut: 0, slow: 0 }
export const STORM: Chaos = { delay: 600, loss: 12, repeat: 12, cut: 8, slow: 1_500 }

/** What the server plays; undefined: it was started without. */
export const readChaos = (): Promise<Chaos | undefined> => ask<Chaos>('/chaos').catch(() => undefined)
/** Changes it, for everybody. */
export const writeChaos = (chaos: Chaos): Promise<Chaos> => ask('/chaos', { method: 'PUT', body: JSON.stringify(chaos) })
/** True where something is done. */
export const isChaotic = (chaos: Chaos): boolean => Object.values(chaos).some(value => value > 0)
