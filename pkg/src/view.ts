/** What a group is, from the first key press to the sealed log. */
export type GroupState = 'sealed' | 'live' | 'starting' | 'queued' | 'sending' | 'failed' | 'unconfirmed'

/** One thing that a UI draws: a message with its parts, or a pending message. Never changed in place. */
export interface Group {
  /** Stays the same from first draw to sealed; no two groups share one. */
  readonly key: string
  /** Who speaks. */
  readonly role: 'user' | 'assistant' | 'system'
  /** What it is. */
  readonly state: GroupState
  /** Its turn, where it has one. */
  readonly turnId?: string
  /** Its execution, where several models answer. */
  readonly executionId?: string
  /** The server's name for the message. */
  readonly messageId?: string
  /** The client's name for the message. */
  readonly clientId?: string
  /** The place of its first chunk in the sealed log. */
  readonly seq?: number
  /** True while it may still grow. */
  readonly streaming: boolean
  /** What a pending message is meant for. */
  readonly intent?: Intent
  /** Why it failed. */
  readonly error?: string
  /** What it says, in order of arrival. */
  readonly parts: readonly Part[]
}

/** `queue`: for the next turn. `steer`: for the running one. */
export type Intent = 'queue' | 'steer'

/** Plain words. */
export interface TextPart {
  readonly type: 'text'
  /** The words so far. */
  readonly text: string
}

/** What the model thought. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  /** The thoughts so far. */
  readonly text: string
  /** Opaque, as the server gave it. */
  readonly metadata?: unknown
  /** True once it can no longer grow. */
  readonly sealed: boolean
}

/** What a tool call is doing. */
export type ToolState =
  | 'input-streaming'
  | 'running'
  | 'awaiting-approval'
  | 'approved'
  | 'denied'
  | 'done'
  | 'error'
  | 'interrupted'

/** A tool call with its output and result. */
export interface ToolPart {
  readonly type: 'tool'
  /** The call's id. */
  readonly callId: string
  /** The tool. */
  readonly name: string
  /** The step of the turn that the call belongs to. */
  readonly step: number
  /** What the call is doing. */
  readonly state: ToolState
  /** The arguments, once they are whole. */
  readonly arguments?: unknown
  /** The arguments as text, while they stream. */
  readonly argumentsText?: string
  /** What the tool printed. */
  readonly output?: { readonly stdout: string; readonly stderr: string }
  /** What came back. */
  readonly result?: unknown
  /** True where the result is an error. */
  readonly isError?: boolean
  /** The question to a person, and its answer. */
  readonly approval?: Approval
}

/** A question to a person about a call. */
export interface Approval {
  /** `open` until a decision is known. */
  readonly state: 'open' | 'answering' | Decision
  /** What the person is asked. */
  readonly prompt?: string
  /** Opaque choices. */
  readonly options?: unknown
  /** Why. */
  readonly reason?: string
}

/** How a question to a person ended. */
export type Decision = 'approved' | 'denied' | 'expired' | 'cancelled'

/** A file, a source or data of the application. Its fields are the server's. */
export interface OpaquePart {
  readonly type: 'file' | 'source' | 'data'
  /** The same id replaces in place. */
  readonly id?: string
  readonly [field: string]: unknown
}

/** A word of the server to the user. */
export interface NoticePart {
  readonly type: 'notice' | 'error'
  /** The words. */
  readonly text: string
  /** A code or status. */
  readonly code?: string | number
}

/** One piece of a group. */
export type Part = TextPart | ReasoningPart | ToolPart | OpaquePart | NoticePart

/** What a thread is doing. */
export type Status = 'idle' | 'pending' | 'streaming' | 'awaiting-tool' | 'awaiting-approval' | 'stopping' | 'error'

/** The host's connection to the server. */
export type Connection = 'connecting' | 'online' | 'offline'

/** One message of the queue. */
export interface QueueEntry {
  /** The key of its group. */
  readonly key: string
  /** The server's name for it. */
  readonly messageId: string
  /** What it says. */
  readonly text: string
  /** Its parts, where it is more than one text. */
  readonly parts?: readonly Part[]
  /** What it is meant for. */
  readonly intent: Intent
  /** The client's name for it. */
  readonly clientId?: string
}

/** A call that waits for a person. */
export interface PendingApproval {
  /** The call. */
  readonly callId: string
  /** Its turn. */
  readonly turnId: string
  /** The tool. */
  readonly name: string
  /** What the person is asked. */
  readonly prompt?: string
  /** Opaque choices. */
  readonly options?: unknown
  /** `answering` while a decision of this client is on its way. */
  readonly state: 'open' | 'answering'
}

/** What a thread shows beside its groups. */
export interface Head {
  /** What the thread is doing. */
  readonly status: Status
  /** The running turn. */
  readonly turnId?: string
  /** The queue, in order. */
  readonly queue: readonly QueueEntry[]
  /** True while the queue waits for the user. */
  readonly held: boolean
  /** The calls that wait for a person. */
  readonly approvals: readonly PendingApproval[]
  /** True where the log has rows before the window. */
  readonly hasOlder: boolean
  /** True while an older page is on its way. */
  readonly loadingOlder: boolean
  /** The host's connection. */
  readonly connection: Connection
  /** Why the last load failed. */
  readonly loadError?: string
  /** The last `usage`, `task-list-update` and their like, by type. */
  readonly meta: Readonly<Record<string, unknown>>
}

/** All that a UI reads of a thread. The same object until something changed. */
export interface ThreadSnapshot extends Head {
  /** The thread's id; another one after a rename. */
  readonly id: string
  /** What to draw, top to bottom. */
  readonly groups: readonly Group[]
}

/** Why a group is here. */
export interface Explanation {
  /** The group. */
  readonly key: string
  /** Its one owner. */
  readonly owner: string
  /** Its state. */
  readonly state: string
  /** Its turn. */
  readonly turnId?: string
  /** The facts, in words. */
  readonly because: readonly string[]
}
