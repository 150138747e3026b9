export type {
  ConnectionSnapshot,
  ConnectionState,
  Draft,
  SendOptions,
  Store,
  Thread,
  ThreadCommand,
  Unsubscribe,
} from './api.js'
export type { WasmSource } from './core.js'
export type { Effect, Order, PendingSend, Request as EffectRequest } from './effects.js'
export { type ErrorCode, TurnsealError } from './errors.js'
export type {
  Chunk,
  ChunkBody,
  Envelope,
  FailureCode,
  HostEvent,
  KnownEvent,
  Outcome,
  Page,
  QueueItem,
  Snapshot,
  SnapshotEvent,
  ThreadEvent,
  UnknownEvent,
} from './events.js'
export type { Recording } from './journal.js'
export type {
  ConnectOptions,
  Diagnostic,
  Eventually,
  HeadersGiven,
  Limits,
  PendingStorage,
  Schedule,
  SendAnswer,
  StoreOptions,
  Transport,
} from './options.js'
export type {
  Approval,
  Connection,
  Decision,
  Explanation,
  Group,
  GroupState,
  Head,
  Intent,
  NoticePart,
  OpaquePart,
  Part,
  PendingApproval,
  QueueEntry,
  ReasoningPart,
  Status,
  TextPart,
  ThreadSnapshot,
  ToolPart,
  ToolState,
} from './view.js'
