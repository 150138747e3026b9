// Acts that are more than one call of the store.
import type { Group, Part, Thread } from 'turnseal'
import { textOf } from './format.ts'

/** Asks again what a turn that failed was asked. */
export function again(thread: Thread, group: Group): void {
  const asked = thread.getSnapshot().groups.findLast(({ role, turnId }) => role === 'user' && turnId === group.turnId)
  if (asked) thread.send(asked.parts.every(part => part.type === 'text') ? textOf(asked) : asked.parts)
}

/** The name of a file, a source or data of the application, and where it leads, if that is an ordinary address. */
export function attachment(part: Part): { readonly label: string; readonly href?: string } {
  const fields: Record<string, unknown> = { ...part }
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  const url = text('url')
  const label = text('title') ?? text('filename') ?? text('name') ?? url ?? part.type
  return url !== undefined && /^https?:\/\//.test(url) ? { label, href: url } : { label }
}
