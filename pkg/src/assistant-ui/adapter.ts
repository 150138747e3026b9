import type { AppendMessage, ExternalStoreAdapter, ExternalThreadQueueAdapter, QueueItemState } from '@assistant-ui/react'
import type { Thread } from '../api.js'
import type { Group, Intent, Part, QueueEntry, ThreadSnapshot } from '../view.js'
import { toThreadMessage } from './message.js'

/** The adapter of a thread. @inline */
type Adapter = ExternalStoreAdapter<Group>

/** What the thread says, and nobody else. @inline */
type Own =
  | 'messages'
  | 'convertMessage'
  | 'isRunning'
  | 'activeRunId'
  | 'hasEarlier'
  | 'onLoadEarlier'
  | 'onNew'
  | 'onCancel'
  | 'onRespondToToolApproval'
  | 'queue'

/** What only the application knows: editing, reloading, tools that run here, attachments, and so on. */
export type AdapterOptions = Omit<Adapter, Own | 'messageRepository' | 'unstable_messageRepositoryInstance'>

/**
 * A thread as an external store of assistant-ui, for one snapshot of it: the same snapshot and options give the same
 * adapter. The queue is the server's: all clients see it, and it outlives a reload.
 */
export function externalStoreAdapter(
  thread: Thread,
  snapshot: ThreadSnapshot = thread.getSnapshot(),
  options: AdapterOptions = NONE,
): Adapter {
  const known = made.get(snapshot)
  if (known?.thread === thread && known.options === options) return known.adapter
  const { turnId, hasOlder } = snapshot
  const adapter: Adapter = {
    ...options,
    messages: shownOf(snapshot.groups),
    convertMessage: toThreadMessage,
    isRunning: isRunning(snapshot),
    ...(turnId === undefined ? {} : { activeRunId: turnId }),
    hasEarlier: hasOlder,
    onLoadEarlier: thread.loadOlder,
    onNew: async message => send(thread, message, message.steer === true ? 'steer' : 'queue'),
    onCancel: async () => thread.stop(),
    onRespondToToolApproval: ({ approvalId, approved, reason }) =>
      approved ? thread.approve(approvalId, reason) : thread.deny(approvalId, reason),
    queue: queueOf(thread, snapshot),
  }
  made.set(snapshot, { thread, options, adapter })
  return adapter
}

const NONE: AdapterOptions = {}
const made = new WeakMap<
  ThreadSnapshot,
  { readonly thread: Thread; readonly options: AdapterOptions; readonly adapter: Adapter }
>()

const shown = new WeakMap<readonly Group[], readonly Group[]>()

/** What stands in the thread; the queue has a place of its own. */
function shownOf(groups: readonly Group[]): readonly Group[] {
  const known = shown.get(groups)
  if (known !== undefined) return known
  const list = groups.some(({ state }) => state === 'queued') ? groups.filter(({ state }) => state !== 'queued') : groups
  shown.set(groups, list)
  return list
}

function isRunning({ status, groups }: ThreadSnapshot): boolean {
  switch (status) {
    case 'pending':
    case 'streaming':
    case 'awaiting-tool':
    case 'stopping':
      return true
    case 'idle':
    case 'error':
    case 'awaiting-approval':
      return groups.some(({ state }) => state === 'sending' || state === 'starting')
    default: {
      const none: never = status
      return none
    }
  }
}

function send(thread: Thread, message: AppendMessage, intent: Intent) {
  const parts = partsOf(message)
  const [first] = parts
  thread.send(parts.length === 1 && first?.type === 'text' ? first.text : parts, { intent })
}

/** What was typed and attached, as parts of the store. */
function partsOf({ content, attachments = [] }: AppendMessage): readonly Part[] {
  const all = [...content, ...attachments.flatMap(attachment => attachment.content)]
  return all.flatMap((part): Part[] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }]
      case 'image':
        return [
          {
            type: 'file',
            url: part.image,
            mediaType: /^data:([^;,]+)/.exec(part.image)?.[1] ?? 'image/*',
            ...(part.filename === undefined ? {} : { filename: part.filename }),
          },
        ]
      case 'file':
        return [
          {
            type: 'file',
            url: part.data,
            mediaType: part.mimeType,
            ...(part.filename === undefined ? {} : { filename: part.filename }),
          },
        ]
      case 'audio':
        return [
          {
            type: 'file',
            url: `data:audio/${part.audio.format};base64,${part.audio.data}`,
            mediaType: `audio/${part.audio.format}`,
          },
        ]
      case 'data':
        return [{ type: 'data', name: part.name, data: part.data }]
      default:
        return []
    }
  })
}

const queues = new WeakMap<readonly QueueEntry[], { readonly thread: Thread; readonly adapter: ExternalThreadQueueAdapter }>()

/** The server's queue as the peer's two lanes; steers stand before ordinary messages. */
function queueOf(thread: Thread, { queue }: ThreadSnapshot): ExternalThreadQueueAdapter {
  const known = queues.get(queue)
  if (known?.thread === thread) return known.adapter
  const lane = (intent: Intent) => queue.filter(entry => entry.intent === intent).map(itemOf)
  const adapter: ExternalThreadQueueAdapter = {
    items: lane('queue'),
    steerItems: lane('steer'),
    enqueue: message => send(thread, message, 'queue'),
    steer: message => send(thread, message, 'steer'),
    edit: (id, message) => thread.editQueued(id, textOf(partsOf(message))),
    remove: id => thread.cancelQueued(id),
    move: (id, { lane: next, insertAfter, insertBefore }) => {
      const rest = thread.getSnapshot().queue.filter(({ messageId }) => messageId !== id)
      const at = (other: string) => rest.findIndex(({ messageId }) => messageId === other)
      if (insertAfter !== undefined) return thread.moveQueued(id, insertAfter === null ? 0 : at(insertAfter) + 1)
      if (insertBefore !== undefined)
        return thread.moveQueued(id, insertBefore === null ? rest.length : Math.max(at(insertBefore), 0))
      // To the steer lane without a place: now.
      return next === 'steer' ? thread.sendNow(id) : thread.moveQueued(id, rest.length)
    },
  }
  queues.set(queue, { thread, adapter })
  return adapter
}

function itemOf({ messageId, text, parts }: QueueEntry): QueueItemState {
  const files = (parts ?? []).flatMap(part => {
    const url = part.type === 'file' ? part['url'] : undefined
    const mimeType = part.type === 'file' ? part['mediaType'] : undefined
    return typeof url === 'string'
      ? [{ type: 'file' as const, data: url, mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream' }]
      : []
  })
  return { id: messageId, prompt: text, parts: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files] }
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
