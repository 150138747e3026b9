import type { Thread } from './api.js'
import { randomClientId } from './commands.js'
import { createMeta, type TabMeta } from './dispatch-meta.js'
import { createMessages, createRowLog } from './dispatch-rows.js'
import type { ChatMessage, PermissionAnswer, Tab, TabStore, TabStoreOptions } from './dispatch-types.js'
import { createDispatchTransport } from './dispatch-transport.js'
import { TurnsealError } from './errors.js'
import type { UnknownEvent } from './events.js'
import { fromJson, isRecord } from './json.js'
import { createListeners } from './listeners.js'
import type { Group } from './view.js'

export type * from './dispatch-types.js'

const NEW_TAB = 'New Tab'
const TITLE_MAX = 50
const tabPath = (id: string) => `/tabs/${encodeURIComponent(id)}`

/**
 * The ancestor's store of tabs, over turnseal: its events as they are, and its shapes. An app keeps its components and
 * makes the store in a module of its own:
 * `export const tabStore = createTabStore({ createStore, createSubscriber, api, write: frame => socket.send(frame) })`
 */
export function createTabStore(options: TabStoreOptions): TabStore {
  const tabs = new Map<string, Held>()
  let order: readonly string[] = []
  let activeTabId: string | null = null
  let permissions: readonly unknown[] = []
  let answers: readonly PermissionAnswer[] = []
  const everyone = createListeners<[]>(() => {}, thrown => console.error(thrown))

  const rowsOf = (id: string) => tabs.get(id)?.log
  const transport = createDispatchTransport(options, {
    page: (id, page) => {
      rowsOf(id)?.add(page.chunks)
      tabs.get(id)?.meta.total(page.total)
    },
    extras: id => {
      const tab = tabs.get(id)?.tab
      return tab === undefined ? {} : (options.extras?.(tab) ?? {})
    },
  })
  const store = options.createStore({ ...options.store, transport: transport.members })
  const follow = (listen: (changed: () => void) => () => void) => options.createSubscriber?.(listen) ?? (() => {})
  const track = follow(everyone.add)

  const saved = (id: string): unknown => {
    const state = fromJson(store.dehydrate())
    const threads: readonly unknown[] = isRecord(state) && Array.isArray(state['threads']) ? state['threads'] : []
    return threads.find(thread => isRecord(thread) && thread['id'] === id)
  }
  const open = (info: Readonly<Record<string, unknown>>, status: 'idle' | 'running'): void => {
    const id = info['id']
    if (typeof id !== 'string' || id === '' || tabs.has(id)) return
    const log = createRowLog(() => saved(id))
    const meta = createMeta(id, info, status)
    // The first page may come at once: the tab is there before it is asked for.
    const held: Held = { meta, log, message: createMessages(log.idOf), thread: undefined, tab: undefined }
    tabs.set(id, held)
    held.thread = store.thread(id)
    held.tab = createTab(held, held.thread, track, follow(held.thread.subscribe))
    order = [...order, id]
    activeTabId ??= id
  }
  const held = (id: string | null | undefined): Held | undefined => (id === null || id === undefined ? undefined : tabs.get(id))
  const threadOf = (id: string | undefined): Thread => {
    const thread = held(id ?? activeTabId)?.thread
    if (thread === undefined) throw new TurnsealError('bad-argument', `there is no tab ${id ?? ''}`)
    return thread
  }
  const named = (id: string, title: string, manualTitle: boolean) => {
    tabs.get(id)?.meta.set({ title, manualTitle })
    transport.tell('PATCH', tabPath(id), { title })
    everyone.tell()
  }
  const remove = (id: string) => {
    tabs.delete(id)
    order = order.filter(other => other !== id)
  }

  const handleEvent = (event: UnknownEvent) => {
    const { type, tabId } = event
    if (type === 'tab-created') open(event, 'running')
    if (type === 'permission-prompt' && Array.isArray(event['pending'])) permissions = event['pending']
    const to = typeof tabId === 'string' ? tabs.get(tabId) : undefined
    to?.meta.hear(event)
    if (type === 'statuses') for (const one of tabs.values()) one.meta.hear(event)
    if (to !== undefined) {
      to.log.add(event['chunks'])
      store.handleEvent(withClient(event))
      const { agentStatus, parentTabId } = to.meta.info()
      // A sub-agent's tab goes with its agent, unless it is looked at.
      if (type === 'status' && agentStatus !== 'running' && parentTabId != null && tabId !== activeTabId) remove(to.meta.info().id)
    } else if (type === 'statuses') store.handleEvent(event)
    everyone.tell()
  }

  const self: TabStore = {
    get tabs() {
      track()
      return order.flatMap(id => tabs.get(id)?.tab ?? [])
    },
    get activeTab() {
      track()
      return held(activeTabId)?.tab
    },
    get activeTabId() {
      track()
      return activeTabId
    },
    get pendingPermissions() {
      track()
      return permissions
    },
    get permissionLog() {
      track()
      return answers
    },
    store,
    handleEvent,
    replyPermission: (id, reply) => {
      const prompt = permissions.find(open => isRecord(open) && open['id'] === id)
      if (prompt === undefined) return
      options.write?.(JSON.stringify({ type: 'permission-reply', id, reply }))
      permissions = permissions.filter(open => open !== prompt)
      answers = [...answers, { prompt, reply }]
      everyone.tell()
    },
    setConnected: isConnected => store.setConnection(isConnected ? 'online' : 'offline'),
    hydrateFromBackend: async () => {
      if (tabs.size > 0) return 0
      const { list, statuses } = await transport.tabs()
      for (const info of list) open(info, 'idle')
      await transport.loaded()
      if (statuses !== undefined) handleEvent({ type: 'statuses', statuses })
      everyone.tell()
      return tabs.size
    },
    switchTab: id => {
      if (!tabs.has(id)) return
      if (activeTabId !== null && activeTabId !== id) held(activeTabId)?.thread?.setScrolledUp(false)
      activeTabId = id
      everyone.tell()
    },
    createNewTab: () => {
      const id = options.newTabId?.() ?? randomClientId()
      transport.tell('POST', '/tabs', { id, title: NEW_TAB })
      open({ id, title: NEW_TAB }, 'idle')
      self.switchTab(id)
      return id
    },
    closeTab: id => {
      if (!tabs.has(id)) return
      transport.tell('DELETE', tabPath(id))
      remove(id)
      if (activeTabId === id) activeTabId = order.at(-1) ?? null
      if (activeTabId === null) self.createNewTab()
      everyone.tell()
    },
    renameTab: (id, title) => {
      if (title.trim() === '' || !tabs.has(id)) return
      named(id, title.trim(), true)
    },
    reorderTabs: ids => {
      const [own, others] = [true, false].map(isOwn => order.filter(id => (tabs.get(id)?.meta.info().parentTabId == null) === isOwn))
      if (own === undefined || others === undefined || own.length !== ids.length || !own.every(id => ids.includes(id))) return
      order = [...ids, ...others]
      transport.tell('PATCH', '/tabs/reorder', { ids: order })
      everyone.tell()
    },
    setDraft: (id, draft) => {
      tabs.get(id)?.meta.set({ draft })
      everyone.tell()
    },
    sendMessage: (text, id) => {
      const thread = threadOf(id)
      const to = id ?? activeTabId ?? ''
      const info = tabs.get(to)?.meta.info()
      if (info?.title === NEW_TAB && !info.manualTitle) named(to, text.length > TITLE_MAX ? `${text.slice(0, TITLE_MAX - 3)}...` : text, false)
      return thread.send(text)
    },
    cancelQueuedMessage: (id, message) => threadOf(id).cancelQueued(message.replace(/^queued-/, '')),
    stopGeneration: id => threadOf(id).stop(),
    loadOlderChunks: id => threadOf(id).loadOlder(),
    setScrolledUp: (id, value) => threadOf(id).setScrolledUp(value),
    subscribe: run => {
      run(self)
      const leave = [everyone.add(() => run(self)), store.subscribe(() => run(self))]
      return () => leave.forEach(end => end())
    },
    free: () => store.free(),
  }
  return self
}

/** A tab as it is held. */
interface Held {
  readonly meta: TabMeta
  readonly log: ReturnType<typeof createRowLog>
  readonly message: (group: Group) => ChatMessage
  thread: Thread | undefined
  tab: Tab | undefined
}

/** The queue's names are the clients' own: each message is sent with one. */
function withClient(event: UnknownEvent): UnknownEvent {
  return event.type === 'message-queued' && event['clientId'] === undefined ? { ...event, clientId: event['messageId'] } : event
}

function createTab({ meta, log, message }: Held, thread: Thread, ...tracks: readonly (() => void)[]): Tab {
  const now = () => {
    for (const track of tracks) track()
    return thread.getSnapshot()
  }
  let groups: readonly Group[] | undefined
  let all: readonly ChatMessage[] = []
  let live: readonly ChatMessage[] = []
  const draw = () => {
    const next = now().groups
    if (next === groups) return
    groups = next
    log.drawn(next)
    all = next.map(message)
    live = next.filter(group => group.seq === undefined).map(message)
  }
  const info = () => {
    now()
    return meta.info()
  }
  return {
    get id() { return info().id },
    get title() { return info().title },
    get keyId() { return info().keyId ?? null },
    get modelId() { return info().modelId ?? null },
    get parentTabId() { return info().parentTabId ?? null },
    get agentStatus() { return info().agentStatus },
    get tasks() { return info().tasks },
    get draft() { return info().draft },
    get manualTitle() { return info().manualTitle },
    get cacheStats() { return info().cacheStats },
    get totalChunks() { return (now(), meta.total()) },
    get chunks() { return log.drawn(now().groups) },
    get live() { return (draw(), live) },
    get renderGroups() { return (draw(), all) },
    get queuedMessages() { return now().queue.map(({ messageId, text }) => ({ id: messageId, message: text })) },
    get liveTurnId() { return now().turnId ?? null },
    get currentAssistantId() { return (draw(), live.findLast(row => row.role === 'assistant' && row.isStreaming)?.id ?? null) },
    get oldestLoadedSeq() { return log.drawn(now().groups)[0]?.seq ?? null },
  }
}
