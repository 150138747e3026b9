import type { Thread, Unsubscribe } from './api.js'
import { cell } from './svelte-cell.js'
import type { Connection, Group, PendingApproval, QueueEntry, Status, ThreadSnapshot } from './view.js'

/**
 * A thread for Svelte 5. Every getter is reactive by itself: `status` runs its effects when the status changes, `group(key)`
 * when that group does, whatever else grows. Also a store of the classic contract: `$chat` is the snapshot.
 */
export class ThreadState {
  /** The thread itself: `chat.thread.send('...')`. */
  readonly thread: Thread
  /** The classic contract: tells the snapshot at once, and with every change. */
  readonly subscribe: (this: void, run: (state: ThreadSnapshot) => void) => Unsubscribe
  readonly #keys: () => readonly string[]
  readonly #cells = new Map<string, () => unknown>()
  readonly #groups = new Map<string, () => Group | undefined>()

  /** The state of `store.thread(id)`. */
  constructor(thread: Thread) {
    this.thread = thread
    this.#keys = cell(thread.keys, thread.subscribe)
    this.subscribe = run => {
      run(thread.getSnapshot())
      return thread.subscribe(state => run(state))
    }
  }

  /** The thread's id; another one after a rename. */
  get id(): string { return this.#of('id') }
  /** What to draw, top to bottom; changes with every delta. */
  get groups(): readonly Group[] { return this.#of('groups') }
  /** What the thread is doing. */
  get status(): Status { return this.#of('status') }
  /** The running turn. */
  get turnId(): string | undefined { return this.#of('turnId') }
  /** The queue, in order. */
  get queue(): readonly QueueEntry[] { return this.#of('queue') }
  /** True while the queue waits for the user. */
  get held(): boolean { return this.#of('held') }
  /** The calls that wait for a person. */
  get approvals(): readonly PendingApproval[] { return this.#of('approvals') }
  /** True where the log has rows before the window. */
  get hasOlder(): boolean { return this.#of('hasOlder') }
  /** True while an older page is on its way. */
  get loadingOlder(): boolean { return this.#of('loadingOlder') }
  /** The host's connection. */
  get connection(): Connection { return this.#of('connection') }
  /** Why the last load failed. */
  get loadError(): string | undefined { return this.#of('loadError') }
  /** The last `usage`, `task-list-update` and their like, by type. */
  get meta(): Readonly<Record<string, unknown>> { return this.#of('meta') }

  /** The keys, top to bottom: changes only where a group came, went or moved. */
  get keys(): readonly string[] { return this.#keys() }

  /** One group; `undefined` where it is gone. */
  group(key: string): Group | undefined {
    const known = this.#groups.get(key)
    if (known !== undefined) return known()
    // It stays in the map while an effect reads it.
    const read = cell(
      () => this.thread.group(key),
      changed => {
        this.#groups.set(key, read)
        const leave = this.thread.subscribeGroup(key, changed)
        return () => {
          if (this.#groups.get(key) === read) this.#groups.delete(key)
          leave()
        }
      },
    )
    return read()
  }

  #of<K extends keyof ThreadSnapshot>(name: K): ThreadSnapshot[K]
  #of(name: keyof ThreadSnapshot): unknown {
    const known = this.#cells.get(name)
    if (known !== undefined) return known()
    const read = cell<unknown>(() => this.thread.getSnapshot()[name], changed => this.thread.subscribe(changed))
    this.#cells.set(name, read)
    return read()
  }
}
