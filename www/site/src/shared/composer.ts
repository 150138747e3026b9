// What the keys of the composer do.

/** An act of the writer. */
export type ComposerAct = 'send' | 'steer' | 'stop' | 'edit-last' | undefined

/** What a key means, given what stands in the field. */
export function actOf(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>,
  { text, busy, queued }: { readonly text: string; readonly busy: boolean; readonly queued: number },
): ComposerAct {
  // A word that is being put together by an input method owns its keys.
  if (event.isComposing || event.altKey) return undefined
  if (event.key === 'Enter' && !event.shiftKey) return busy && (event.ctrlKey || event.metaKey) ? 'steer' : 'send'
  if (event.key === 'Escape') return busy ? 'stop' : undefined
  if (event.key === 'ArrowUp' && text === '' && queued > 0 && !event.shiftKey) return 'edit-last'
  return undefined
}

/** Makes a field as high as its words, up to its own limit. */
export function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight}px`
}

/** What a person may ask first. */
export const SUGGESTIONS = [
  { title: 'Which orders are late?', hint: 'reads a small database' },
  { title: 'Ship the late ones', hint: 'asks before it writes' },
  { title: 'Write a report', hint: 'several tools, one file' },
  { title: 'Run something long', hint: 'live output; stop it' },
] as const
