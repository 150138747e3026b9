import { flushSync } from 'svelte'

/** What an effect sees of a value, in order. */
export function watch(read, isDerived = false) {
  const seen = []
  const stop = $effect.root(() => {
    const value = $derived(read())
    $effect(() => {
      seen.push(isDerived ? value : read())
    })
  })
  flushSync()
  return { seen, stop }
}
