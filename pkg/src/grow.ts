import type { Group, Part, QueueEntry } from './view.js'

/** Makes entries of the queue: one group is one entry, as long as it is the same. */
export function createQueueEntries(keep: <T>(value: T) => T): (group: Group) => QueueEntry {
  const entries = new WeakMap<Group, QueueEntry>()
  return group => {
    const entry = entries.get(group) ?? keep(queueEntry(group))
    entries.set(group, entry)
    return entry
  }
}

/** A group of the queue as an entry of it. */
function queueEntry({ key, messageId = key, parts, intent = 'queue', clientId }: Group): QueueEntry {
  const texts = parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
  const text = texts.reduce((said, next) => (said === '' ? next : `${said}\n\n${next}`), '')
  const isPlain = parts.length === 1 && texts.length === 1
  return { key, messageId, text, ...(isPlain ? {} : { parts }), intent, ...(clientId === undefined ? {} : { clientId }) }
}

/** A part whose text, arguments or output got longer. */
export function grown(part: Part, field: number, text: string): Part {
  if (part.type === 'tool') {
    const output = part.output ?? { stdout: '', stderr: '' }
    if (field === 1) return { ...part, argumentsText: (part.argumentsText ?? '') + text }
    if (field === 2) return { ...part, output: { ...output, stdout: output.stdout + text } }
    return { ...part, output: { ...output, stderr: output.stderr + text } }
  }
  if (part.type === 'file' || part.type === 'source' || part.type === 'data') return part
  return { ...part, text: part.text + text }
}
