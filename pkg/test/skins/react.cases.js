import { createElement as h, startTransition, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { useStore } from 'zustand'
import { createStore } from '../../dist/inline.js'
import { ThreadProvider, useCurrentThread, useGroups, useThread } from '../../dist/react.js'
import { driver as draw } from './react.driver.js'
import { delta, drawn, frame, log, same, seal, start } from './suite.js'

const task = () => new Promise(done => setTimeout(done))

/** A component on a page of its own, over a store. */
function page(Component, store = createStore({ schedule: 'sync' })) {
  const place = document.createElement('div')
  const root = createRoot(place)
  flushSync(() => root.render(h(Component, { store })))
  const end = () => {
    flushSync(() => root.unmount())
    store.free()
  }
  return { store, place, end, text: async () => (await task(), place.textContent) }
}

export const cases = {
  'under StrictMode it draws the same, and ends as clean': async () => {
    const it = await drawn(props => draw({ ...props, isStrict: true }), { chunks: log(1), options: { schedule: 'frame' } })
    await it.say(start, delta('one'), ...seal(3))
    same(it.shows().slice(2), [['sealed', 'go'], ['sealed', 'one two']], 'rows')
    it.unmount()
    const frames = []
    const real = globalThis.requestAnimationFrame
    globalThis.requestAnimationFrame = call => (frames.push(call), real(call))
    await it.say({ ...start, turnId: 'b', user: { messageId: 'mb', text: 'more' } })
    same(frames.length, 0, 'frames')
    globalThis.requestAnimationFrame = real
    it.end()
  },
  'a drawing that takes long shows one state, whatever comes meanwhile': async () => {
    const commits = []
    let drawnMeanwhile = 0
    const Slow = ({ store }) => {
      const text = useThread(store, 'main', state => state.groups.at(-1).parts[0].text)
      for (const until = performance.now() + 2; performance.now() < until; );
      drawnMeanwhile += 1
      return h('i', null, text)
    }
    let show
    const App = ({ store }) => {
      const [many, setMany] = useState(0)
      show = setMany
      useLayoutEffect(() => {
        commits.push([...new Set([...it.place.querySelectorAll('i')].map(node => node.textContent))])
      })
      return h('div', null, Array.from({ length: many }, (_, at) => h(Slow, { store, key: at })))
    }
    const it = { place: document.createElement('div') }
    const { store, place, end } = page(App)
    it.place = place
    store.handleEvents([start, delta('0')])
    startTransition(() => show(100))
    let isTorn = false
    for (let round = 1; place.querySelectorAll('i').length < 100; round++) {
      await task()
      // It comes while React is in the midst of its rows.
      if (drawnMeanwhile > 0 && drawnMeanwhile % 100 !== 0 && round < 40) isTorn = true
      if (round < 40) store.handleEvent(delta(`,${round}`))
    }
    await task()
    same(isTorn, true, 'events came in the midst of a drawing')
    same(commits.every(texts => texts.length <= 1), true, 'states shown at once')
    same([...new Set([...place.querySelectorAll('i')].map(node => node.textContent))], [store.renderGroups().at(-1).parts[0].text], 'the last state')
    end()
  },
  'a provider hands its thread down': async () => {
    const Inner = () => {
      const thread = useCurrentThread()
      return `${thread.id}: ${useGroups(thread).length}`
    }
    const it = page(({ store }) => h(ThreadProvider, { store, id: 't' }, h(Inner)))
    same(await it.text(), 't: 0', 'at first')
    it.store.handleEvent({ ...start, threadId: 't' })
    same(await it.text(), 't: 1', 'then')
    it.end()
    const codes = []
    const Lost = () => {
      try {
        useCurrentThread()
      } catch (error) {
        codes.push(error.code)
      }
      return null
    }
    page(Lost).end()
    same(codes, ['bad-argument'], 'without a provider')
  },
  "zustand's useStore takes a thread": async () => {
    let draws = 0
    const it = page(({ store }) => {
      draws += 1
      return useStore(store.thread(), state => state.status)
    })
    it.store.handleEvents([start, delta('one')])
    same(await it.text(), 'streaming', 'status')
    const before = draws
    it.store.handleEvents([delta(' two'), delta(' three')])
    same([await it.text(), draws], ['streaming', before], 'draws')
    it.end()
  },
  'a selected value that is alike is the same object': async () => {
    const seen = new Set()
    let draw
    const it = page(({ store }) => {
      ;[, draw] = useState(0)
      const { list } = useThread(store, undefined, state => ({ list: state.queue, status: state.status }))
      const users = useThread(store, undefined, state => state.groups.filter(group => group.role === 'user'))
      seen.add(users)
      return `${list.length} ${users.length}`
    })
    it.store.handleEvents([start, delta('one')])
    same(await it.text(), '0 1', 'values')
    const { size } = seen
    it.store.handleEvent(delta(' two'))
    flushSync(() => draw(1))
    await frame()
    same(seen.size, size, 'lists of users')
    it.end()
  },
}
