// `@ai-sdk/react`: the `Chat` that `useChat` makes, with the state that React reads. No component is drawn, so this is the
// state alone; the callback is the one that the hook registers.
import { Chat } from '@ai-sdk/react'
import { streaming } from './ai-sdk.mjs'

export const name = '@ai-sdk/react state'
export const hasWire = true
export const packages = ['@ai-sdk/react', 'ai']
export const choice = 'as above, with the state of its `Chat`; the callback that `useChat` registers, without throttle; nothing is drawn'

/** The chat that is measured. */
export const setup = (groups, isParsed) => streaming(groups, isParsed, (init, changed) => {
  const chat = new Chat(init)
  chat['~registerMessagesCallback'](changed)
  return chat
})
