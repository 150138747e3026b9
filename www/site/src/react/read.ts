import { useSyncExternalStore } from 'react'
import type { Cell } from '../shared/cell.ts'

/** A cell's value; draws again when it changes. */
export const useCell = <T>(cell: Cell<T>): T => useSyncExternalStore(cell.subscribe, cell.get)
