import { createSubscriber } from 'svelte/reactivity'
import type { Unsubscribe } from './api.js'

/** A reactive read: its effects run again where the value is another than one of them has seen. */
export function cell<T>(read: () => T, listen: (changed: () => void) => Unsubscribe): () => T {
  let seen = read()
  // Two effects may have seen two values between an event and its notification.
  let isMixed = false
  const track = createSubscriber(update =>
    listen(() => {
      if (!isMixed && Object.is(read(), seen)) return
      isMixed = false
      seen = read()
      update()
    }),
  )
  return () => {
    track()
    const value = read()
    if (!Object.is(value, seen)) isMixed = true
    seen = value
    return value
  }
}
