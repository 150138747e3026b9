import { createSubscriber } from 'svelte/reactivity'
import type { Cell } from '../shared/cell.ts'

/** A cell whose value is reactive. */
export function read<T>(cell: Pick<Cell<T>, 'get' | 'subscribe'>): { readonly value: T } {
  const listen = createSubscriber(update => cell.subscribe(update))
  return {
    get value() {
      listen()
      return cell.get()
    },
  }
}
