import type { UIMessage } from 'ai'
import type { Group } from '../view.js'
import { toUIMessages } from './messages.js'

/**
 * The messages of those groups that are wanted: the same list until one of them is another. A group that grew, as with
 * each delta, costs itself and not the thread.
 */
export function keepMessages<MESSAGE extends UIMessage>(isWanted: (group: Group) => boolean) {
  let seen: readonly Group[] | undefined
  let from: readonly Group[] = []
  let last: MESSAGE[] = []

  /** What changed where the list kept its length; undefined: more than single groups did. */
  const changes = (groups: readonly Group[]): readonly number[] | undefined => {
    if (groups.length !== from.length) return undefined
    const changed: number[] = []
    for (let index = 0; index < groups.length; index++) {
      const [group, before] = [groups[index], from[index]]
      if (group === before || group === undefined || before === undefined) continue
      if (isWanted(group) !== isWanted(before)) return undefined
      if (isWanted(group)) changed.push(index)
    }
    return changed
  }
  const replaced = (groups: readonly Group[], changed: readonly number[]): MESSAGE[] => {
    if (changed.length === 0) return last
    const next = [...last]
    // Where all are wanted, and at the end of the thread, the place is known without counting.
    for (const index of changed) {
      const group = groups[index]
      const place = next.length === groups.length ? index : groups.slice(0, index).filter(isWanted).length
      const [message] = group === undefined ? [] : toUIMessages<MESSAGE>([group])
      if (message !== undefined) next[place] = message
    }
    return next
  }
  return (list: readonly Group[]): MESSAGE[] => {
    if (list === seen) return last
    seen = list
    // A long list is none that is quick to walk by index: this is.
    const groups = list.concat()
    const changed = changes(groups)
    const next = changed === undefined ? toUIMessages<MESSAGE>(groups.filter(isWanted)) : replaced(groups, changed)
    from = groups
    if (next.length !== last.length || next.some((message, index) => message !== last[index])) last = next
    return last
  }
}
