import { type AssistantRuntime, useExternalStoreRuntime } from '@assistant-ui/react'
import { useSyncExternalStore } from 'react'
import type { Thread } from '../api.js'
import { type AdapterOptions, externalStoreAdapter } from './adapter.js'

/**
 * A runtime of assistant-ui over a thread, for `AssistantRuntimeProvider`. Keep `options` from render to render, as by
 * `useMemo`.
 */
export function useThreadRuntime(thread: Thread, options?: AdapterOptions): AssistantRuntime {
  const snapshot = useSyncExternalStore(thread.subscribe, thread.getSnapshot, thread.getInitialState)
  return useExternalStoreRuntime(externalStoreAdapter(thread, snapshot, options))
}
