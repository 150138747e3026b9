// The copy buttons of code blocks: one listener for all, since Markdown draws them as HTML.

/** Makes the buttons below an element work. */
export function copies(root: HTMLElement): () => void {
  const onClick = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('[data-copy]') : null
    const code = button?.closest('figure')?.querySelector('code')?.textContent
    if (!button || code === null || code === undefined) return
    void navigator.clipboard.writeText(code).then(
      () => say(button, 'Copied'),
      () => say(button, 'Not allowed'),
    )
  }
  root.addEventListener('click', onClick)
  return () => root.removeEventListener('click', onClick)
}

function say(button: HTMLButtonElement, words: string) {
  button.textContent = words
  setTimeout(() => (button.textContent = 'Copy'), 1_500)
}
