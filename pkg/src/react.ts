'use client'
import { type ReactNode, createContext, createElement, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Store, Thread } from './api.js'
import { TurnsealError } from './errors.js'
import { isAlike } from './react-alike.js'
import type { Group, ThreadSnapshot } from './view.js'

const Provided = createContext<Thread | undefined>(undefined)

const whole = (state: ThreadSnapshot) => state
const groupsOf = (state: ThreadSnapshot) => state.groups

/** What a server has rendered: on the server what is there now, in a page that takes it over what it began with. */
const rendered = (thread: Thread): ThreadSnapshot =>
  typeof document === 'undefined' ? thread.getSnapshot() : thread.getInitialState()

/** All of a thread, `main` by default. Draws again with every change of it. */
export function useThread(store: Store, id?: string): ThreadSnapshot
/** What `selector` makes of a thread. Draws again only where that is another value, or holds other ones one level down. */
export function useThread<T>(store: Store, id: string | undefined, selector: (state: ThreadSnapshot) => T): T
export function useThread(store: Store, id?: string, selector: (state: ThreadSnapshot) => unknown = whole): unknown {
  return useSelected(store.thread(id), selector)
}

/** What to draw, top to bottom. Draws again with every delta: a list of many rows is better drawn by `useKeys`. */
export function useGroups(thread: Thread): readonly Group[] {
  return useSelected(thread, groupsOf)
}

/** The keys, top to bottom. Draws again only where a group came, went or moved. */
export function useKeys(thread: Thread): readonly string[] {
  return useSyncExternalStore(thread.subscribe, thread.keys, () => keysOf(rendered(thread).groups))
}

/** One group; `undefined` where it is gone. Draws again only where that group changed. */
export function useGroup(thread: Thread, key: string): Group | undefined {
  const subscribe = useMemo(() => (changed: () => void) => thread.subscribeGroup(key, changed), [thread, key])
  return useSyncExternalStore(
    subscribe,
    () => thread.group(key),
    () => indexOf(rendered(thread).groups).get(key),
  )
}

/** Gives a thread to all below, by `useCurrentThread`. */
export function ThreadProvider(props: {
  /** The store. */
  readonly store: Store
  /** The thread, `main` by default. */
  readonly id?: string
  /** Who gets it. */
  readonly children?: ReactNode
}): ReactNode {
  return createElement(Provided.Provider, { value: props.store.thread(props.id) }, props.children)
}

/** The thread of the nearest `ThreadProvider`. */
export function useCurrentThread(): Thread {
  const thread = useContext(Provided)
  if (thread === undefined) throw new TurnsealError('bad-argument', 'useCurrentThread: there is no ThreadProvider above')
  return thread
}

function useSelected<T>(thread: Thread, selector: (state: ThreadSnapshot) => T): T {
  const committed = useRef<{ readonly value: T } | undefined>(undefined)
  // A selector written in place is another one with each render: what it gives is compared with what stands on the screen.
  const read = useMemo(() => {
    let seen: ThreadSnapshot | undefined
    let kept: { readonly value: T } | undefined
    return (state: ThreadSnapshot): T => {
      if (kept !== undefined && seen === state) return kept.value
      const last = kept ?? committed.current
      const value = selector(state)
      kept = last !== undefined && isAlike(last.value, value) ? last : { value }
      seen = state
      return kept.value
    }
  }, [selector])
  const now = () => read(thread.getSnapshot())
  const value = useSyncExternalStore(thread.subscribe, now, () => read(rendered(thread)))
  useEffect(() => {
    committed.current = { value }
  }, [value])
  return value
}

const indexes = new WeakMap<readonly Group[], ReadonlyMap<string, Group>>()
const lists = new WeakMap<readonly Group[], readonly string[]>()
const indexOf = (groups: readonly Group[]) => once(indexes, groups, () => new Map(groups.map(group => [group.key, group])))
const keysOf = (groups: readonly Group[]) => once(lists, groups, () => groups.map(group => group.key))

function once<K extends object, V>(cache: WeakMap<K, V>, key: K, make: () => V): V {
  const value = cache.get(key) ?? make()
  cache.set(key, value)
  return value
}
