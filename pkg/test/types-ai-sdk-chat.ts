// Compiled, never run, against each version of the AI SDK: what its users write has to type-check.
import { Chat, useChat } from '@ai-sdk/react'
import type { UIMessage, UIMessageChunk } from 'ai'
import { createChat, createChatState, createChunkReader, groupOf, toUIMessages } from '../src/ai-sdk.js'
import { createStore } from '../src/index.js'

type Mine = UIMessage<{ readonly cost: number }, { readonly weather: { readonly degrees: number } }>

export function Screen(): readonly string[] {
  const thread = createStore().thread()
  const chat = createChat(Chat<UIMessage>, thread, {
    onFinish: ({ message, isError }) => console.log(message.id, isError),
    onToolCall: ({ toolCall }) => console.log(toolCall.toolName, toolCall.input),
    addToolOutput: async ({ toolCallId, result }) => console.log(toolCallId, result),
  })
  const { messages, sendMessage, status, stop } = useChat({ chat })
  void sendMessage({ text: 'hello' }, { body: { intent: 'steer' } })
  void stop()
  return [status, ...messages.map(message => groupOf(message)?.state ?? '')]
}

export function typed(): number | undefined {
  const chat = createChat(Chat<Mine>, createStore().thread(), { onData: part => console.log(part.data.degrees) })
  // @ts-expect-error the messages are those of the application
  useChat({ chat }).messages[0]?.metadata?.price
  return useChat({ chat }).messages[0]?.metadata?.cost
}

export const state = createChatState(createStore().thread(), { push: message => console.log(message.parts), set: () => {} })

export function read(chunk: UIMessageChunk): UIMessage[] {
  const store = createStore()
  store.handleEvents(createChunkReader().open().read(chunk))
  return toUIMessages(store.renderGroups())
}
