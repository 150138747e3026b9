import type { CacheStats, TabDraft, TabInfo } from './dispatch-types.js'
import type { UnknownEvent } from './events.js'
import { isRecord } from './json.js'

/** What a tab is besides its conversation, as its events tell. */
export interface TabMeta {
  /** All of it. */
  info(): TabInfo & TabDraft
  /** Takes what the user did. */
  set(more: Partial<TabDraft & { readonly title: string }>): void
  /** Takes an event. */
  hear(event: UnknownEvent): void
  /** How many rows the log has; hears of it where given. */
  total(count?: number): number
}

/** A tab as the server lists it, or as `tab-created` tells. */
export function createMeta(id: string, given: Readonly<Record<string, unknown>>, status: TabInfo['agentStatus']): TabMeta {
  const text = (field: string) => (typeof given[field] === 'string' ? given[field] : null)
  const stats = given['usageStats']
  let rows = 0
  let info: TabInfo & TabDraft = {
    id,
    title: text('title') ?? 'New Tab',
    keyId: text('keyId'),
    modelId: text('modelId'),
    parentTabId: text('parentTabId'),
    agentStatus: status,
    tasks: [],
    draft: '',
    manualTitle: false,
    ...(isStats(stats) ? { cacheStats: stats } : {}),
  }
  const set = (more: Partial<TabInfo & TabDraft>) => {
    info = { ...info, ...more }
  }
  return {
    info: () => info,
    set,
    total: count => (rows = count ?? rows),
    hear: event => {
      switch (event.type) {
        case 'status':
          if (isStatus(event['status'])) set({ agentStatus: event['status'] })
          return
        case 'error':
          return set({ agentStatus: 'error' })
        case 'statuses': {
          const all = event['statuses']
          const own = isRecord(all) && isRecord(all[id]) ? all[id] : {}
          return set({
            agentStatus: isStatus(own['status']) ? own['status'] : 'idle',
            tasks: Array.isArray(own['tasks']) ? own['tasks'] : [],
          })
        }
        case 'task-list-update':
          if (Array.isArray(event['tasks'])) set({ tasks: event['tasks'] })
          return
        case 'model-changed':
          return set({ keyId: String(event['keyId']), modelId: String(event['modelId']) })
        case 'usage':
          return set({ cacheStats: sum(info.cacheStats, event['usage']) })
        case 'turn-sealed': {
          const stats = event['usageStats']
          if (isStats(stats)) set({ cacheStats: stats })
          // Null says: none. Absent says nothing.
          else if (stats === null) {
            const { cacheStats: _, ...rest } = info
            info = rest
          }
          return
        }
        default:
      }
    },
  }
}

function isStatus(value: unknown): value is TabInfo['agentStatus'] {
  return value === 'idle' || value === 'running' || value === 'error'
}

function isStats(value: unknown): value is CacheStats {
  return isRecord(value)
}

function sum(stats: CacheStats | undefined, usage: unknown): CacheStats {
  const of = (field: string, from: unknown) => (isRecord(from) && typeof from[field] === 'number' ? from[field] : 0)
  const added = (field: string) => of(field, stats) + of(field, usage)
  return {
    requests: of('requests', stats) + 1,
    inputTokens: added('inputTokens'),
    outputTokens: added('outputTokens'),
    cacheReadTokens: added('cacheReadTokens'),
    cacheWriteTokens: added('cacheWriteTokens'),
    last: usage,
  }
}
