// A chat in React, and its driver.
import { createElement as h, memo, useEffect, useLayoutEffect } from 'react'
import { useGroup, useGroups, useKeys, useThread } from '../../dist/react.js'

const isPage = typeof document !== 'undefined'
const useComing = isPage ? useLayoutEffect : useEffect
const textOf = group => group.parts.map(part => part.text ?? '').join('')

const Row = memo(({ group, tally }) => {
  tally?.row(group.key)
  useComing(() => {
    tally?.came(group.key)
    return () => tally?.went(group.key)
  }, [])
  return h('li', { 'data-key': group.key, 'data-state': group.state }, textOf(group))
})

const KeyRow = memo(({ thread, id, tally }) => {
  const group = useGroup(thread, id)
  return group === undefined ? null : h(Row, { group, tally })
})

const ByKey = ({ thread, tally }) => h('ol', null, useKeys(thread).map(key => h(KeyRow, { key, id: key, thread, tally })))
const ByGroup = ({ thread, tally }) => h('ol', null, useGroups(thread).map(group => h(Row, { key: group.key, group, tally })))

const Head = memo(({ store, threadId, tally }) => {
  // A selector written in place, and a new object with each call.
  const { status, waiting } = useThread(store, threadId, state => ({ status: state.status, waiting: state.queue.length }))
  tally?.head()
  return h('p', null, `${status}, ${waiting}`)
})

export function Chat({ store, threadId, by, tally }) {
  const thread = store.thread(threadId)
  return h('div', null, h(Head, { store, threadId, tally }), h(by === 'group' ? ByGroup : ByKey, { thread, tally, key: threadId }))
}
