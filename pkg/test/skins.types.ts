// Compiled, never run: the skins give the types that they promise.
import { type ReactNode, createElement } from 'react'
import type { Readable } from 'svelte/store'
import { useStore } from 'zustand'
import { createStore } from '../src/index.js'
import type { Group, Status, Thread, ThreadSnapshot } from '../src/index.js'
import { ThreadProvider, useCurrentThread, useGroup, useGroups, useKeys, useThread } from '../src/react.js'
import { ThreadState } from '../src/svelte.js'

const store = createStore()

export function Chat(): ReactNode {
  const whole: ThreadSnapshot = useThread(store)
  const status: Status = useThread(store, 'main', state => state.status)
  const { count } = useThread(store, undefined, state => ({ count: state.queue.length }))
  const thread: Thread = useCurrentThread()
  const [group]: readonly Group[] = useGroups(thread)
  const found: Group | undefined = useGroup(thread, useKeys(thread)[0] ?? '')
  // @ts-expect-error a group may be gone
  found.parts
  // @ts-expect-error a snapshot is not written to
  whole.status = 'idle'
  const asZustand: number = useStore(thread, state => state.groups.length)
  return createElement(ThreadProvider, { store, id: 't' }, status, count, group?.key, asZustand)
}

export function chat(): Readable<ThreadSnapshot> {
  const state = new ThreadState(store.thread())
  const status: Status = state.status
  const found: Group | undefined = state.group(state.keys[0] ?? status)
  // @ts-expect-error a state is not written to
  state.status = 'idle'
  state.thread.send(found?.key ?? '')
  return state
}
