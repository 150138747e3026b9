import { flushSync, mount, unmount } from 'svelte'
import { derived, get } from 'svelte/store'
import { createSubscriber } from 'svelte/reactivity'
import { createTabStore } from '../../dist/dispatch.js'
import { createStore } from '../../dist/inline.js'
import { ThreadState } from '../../dist/svelte.js'
import Classic from './Classic.svelte'
import { watch } from './watch.svelte.js'
import { delta, frame, same, seal, start } from './suite.js'

const open = (schedule = 'sync') => {
  const store = createStore({ schedule, transport: { loadChunks: () => ({ chunks: [], oldestSeq: 1 }) } })
  return { store, chat: new ThreadState(store.thread()) }
}

export const cases = {
  'the classic contract: $chat is the snapshot': async () => {
    const { store, chat } = open()
    const target = document.createElement('div')
    const app = mount(Classic, { target, props: { chat } })
    flushSync()
    same(target.textContent, 'idle 0', 'at first')
    store.handleEvents([start, delta('one')])
    flushSync()
    same(target.textContent, 'streaming 2', 'then')
    await unmount(app)
    const lengths = []
    const { subscribe } = chat
    const leave = subscribe(state => lengths.push(state.groups.length))
    const count = derived(chat, state => state.groups.length)
    same([get(count), lengths], [2, [2]], 'at once')
    store.handleEvent({ type: 'message-queued', messageId: 'q', message: 'later' })
    leave()
    store.handleEvent({ type: 'message-cancelled', messageId: 'q' })
    same([get(count), lengths], [2, [2, 3]], 'in the end')
    store.free()
  },
  'an effect runs for what it reads, and for nothing else': async () => {
    const { store, chat } = open()
    const status = watch(() => chat.status)
    const keys = watch(() => chat.keys.length)
    const groups = watch(() => chat.groups.length)
    store.handleEvents([start, delta('one')])
    flushSync()
    const answer = watch(() => chat.group(chat.thread.keys()[1])?.parts[0].text)
    const question = watch(() => chat.group(chat.thread.keys()[0])?.state)
    store.handleEvent(delta(' two'))
    flushSync()
    same(status.seen, ['idle', 'streaming'], 'status')
    same(keys.seen, [0, 2], 'keys')
    same(groups.seen, [0, 2, 2], 'groups')
    same(answer.seen, ['one', 'one two'], 'the answer')
    same(question.seen, ['live'], 'the question')
    for (const { stop } of [status, keys, groups]) stop()
    store.handleEvents(seal(1))
    flushSync()
    same([status.seen.length, question.seen, answer.seen], [2, ['live', 'sealed'], ['one', 'one two', 'one two']], 'after the seal')
    store.free()
  },
  'two effects that saw two values both end with the last one': async () => {
    const { store, chat } = open('frame')
    const first = watch(() => chat.status)
    await frame()
    store.handleEvent(start)
    const second = watch(() => chat.status)
    same([first.seen, second.seen], [['idle'], ['pending']], 'before the frame')
    await frame()
    flushSync()
    same([first.seen.at(-1), second.seen.at(-1)], ['pending', 'pending'], 'after it')
    store.handleEvent(delta('one'))
    const third = watch(() => chat.status)
    store.handleEvent({ type: 'turn-end', turnId: 'a', outcome: 'done' })
    flushSync()
    same([first, second, third].map(({ seen }) => seen.at(-1)), ['idle', 'idle', 'idle'], 'after the end')
    store.free()
  },
  'a derived value follows its group': async () => {
    const { store, chat } = open()
    store.handleEvents([start, delta('one')])
    const [, key] = chat.keys
    const length = watch(() => chat.group(key)?.parts[0].text.length, true)
    store.handleEvent(delta(' two'))
    flushSync()
    length.stop()
    await frame()
    const again = watch(() => chat.group(key)?.parts[0].text.length, true)
    store.handleEvent(delta(' three'))
    flushSync()
    same([length.seen, again.seen], [[3, 7], [7, 13]], 'lengths')
    store.free()
  },
  "the ancestor's tabs are reactive, as with runes": async () => {
    const tabs = createTabStore({ createStore, createSubscriber, fetch: async () => Response.json({ chunks: [] }), store: { schedule: 'sync' } })
    const say = (...events) => events.forEach(event => tabs.handleEvent({ tabId: 't', ...event }))
    const titles = watch(() => tabs.tabs.map(tab => tab.title).join())
    say({ type: 'tab-created', id: 't', title: 'T' })
    flushSync()
    const rows = watch(() => tabs.activeTab.renderGroups.map(row => row.chunks[0].text).join())
    const queue = watch(() => tabs.activeTab.queuedMessages.length)
    const status = watch(() => tabs.activeTab.agentStatus)
    for (const event of [{ type: 'turn-start', turnId: 'a' }, delta('one'), delta(' two'), { type: 'message-queued', messageId: 'q', message: 'later' }, { type: 'status', status: 'idle' }]) {
      say(event)
      flushSync()
    }
    same([...new Set(rows.seen)], ['', 'one', 'one two', 'one two,later'], 'rows')
    same([...new Set(queue.seen)], [0, 1], 'the queue')
    same([...new Set(status.seen)], ['running', 'idle'], 'the status')
    same([...new Set(titles.seen)], ['', 'T'], 'titles')
    tabs.free()
  },
}
