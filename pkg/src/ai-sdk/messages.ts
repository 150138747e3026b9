import type { UIMessage } from 'ai'
import type { Group } from '../view.js'
import { uiParts } from './parts.js'

const messages = new WeakMap<Group, UIMessage>()
const lists = new WeakMap<readonly Group[], UIMessage[]>()
const groups = new WeakMap<object, Group>()

/**
 * Groups as the messages of the AI SDK. A group that did not change gives the same message, and a list that did not
 * change the same list, so that `===` and `memo` work. A message's `id` is the group's key: it never changes.
 */
export function toUIMessages<MESSAGE extends UIMessage = UIMessage>(list: readonly Group[]): MESSAGE[]
export function toUIMessages(list: readonly Group[]): UIMessage[] {
  const known = lists.get(list)
  if (known !== undefined) return known
  const all = list.map(toUIMessage)
  lists.set(list, all)
  return all
}

function toUIMessage(group: Group): UIMessage {
  const known = messages.get(group)
  if (known !== undefined) return known
  const message: UIMessage = { id: group.key, role: group.role, ...uiParts(group) }
  messages.set(group, message)
  groups.set(message, group)
  return message
}

/** The group that a message was made of: its state, its turn, and the server's names for it. */
export function groupOf(message: UIMessage): Group | undefined {
  return groups.get(message)
}
