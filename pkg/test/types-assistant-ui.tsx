// Compiled, never run: the adapter is used as its users use it, and names every field of the peer's store.
import { AssistantRuntimeProvider, type ExternalStoreAdapter, useExternalStoreRuntime } from '@assistant-ui/react'
import { type ReactNode, useMemo } from 'react'
import { type AdapterOptions, externalStoreAdapter, toThreadMessage, useThreadRuntime } from '../src/assistant-ui.js'
import type { Group, Thread } from '../src/index.js'

export function Provider({ thread, children }: { readonly thread: Thread; readonly children: ReactNode }): ReactNode {
  const options = useMemo((): AdapterOptions => ({ onAddToolResult: ({ toolCallId, result }) => console.log(toolCallId, result), suggestions: [{ prompt: 'Why?' }] }), [])
  return <AssistantRuntimeProvider runtime={useThreadRuntime(thread, options)}>{children}</AssistantRuntimeProvider>
}

export function Own({ thread }: { readonly thread: Thread }): number {
  const runtime = useExternalStoreRuntime(externalStoreAdapter(thread))
  return runtime.thread.getState().messages.length + thread.renderGroups().map(toThreadMessage).length
}

// @ts-expect-error the messages are the thread's
export const wrong: AdapterOptions = { messages: [] }

// Every field of the peer's store: from the thread, from the application, or left out for a reason. A field that is new
// in the peer is missing here, and the build fails.
export const fields = {
  messages: 'thread',
  convertMessage: 'thread',
  isRunning: 'thread',
  activeRunId: 'thread',
  hasEarlier: 'thread',
  onLoadEarlier: 'thread',
  onNew: 'thread',
  onCancel: 'thread',
  onRespondToToolApproval: 'thread',
  queue: 'thread',
  isDisabled: 'application',
  isSendDisabled: 'application',
  isLoading: 'application',
  canResume: 'application',
  suggestions: 'application',
  state: 'application',
  extras: 'application',
  setMessages: 'application',
  adapters: 'application',
  setToolStatuses: 'application',
  onVoiceTranscript: 'application',
  onImport: 'application',
  onExportExternalState: 'application',
  onLoadExternalState: 'application',
  onEdit: 'application',
  onDelete: 'application',
  onReload: 'application',
  onResume: 'application',
  onRefetchThread: 'application',
  onAddToolResult: 'application',
  onResumeToolCall: 'application',
  unstable_persistsHistory: 'application',
  unstable_onBranchChange: 'application',
  unstable_onRecordToolInteraction: 'application',
  unstable_capabilities: 'application',
  unstable_enableToolInvocations: 'application',
  unstable_isClientToolCall: 'application',
  messageRepository: 'a thread has one branch',
  unstable_messageRepositoryInstance: 'a thread has one branch',
} as const satisfies Record<keyof ExternalStoreAdapter<Group>, string>
