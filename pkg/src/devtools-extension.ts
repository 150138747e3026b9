import { isRecord } from './json.js'

/** The Redux DevTools, as far as they are used here. */
export interface Extension {
  /** Opens a line of its own. */
  connect(options: Readonly<Record<string, unknown>>): {
    /** Begins anew with a state. */
    init(state: unknown): void
    /** One more action, with the state behind it. */
    send(action: { readonly type: string; readonly [field: string]: unknown }, state: unknown): void
    /** Hears what a person does there. */
    subscribe(listener: (message: unknown) => void): (() => void) | undefined
    /** Ends the line. */
    unsubscribe?(): void
  }
}

/** The extension of this browser, where it has one. */
export function findExtension(): Extension | undefined {
  const found: unknown = Reflect.get(globalThis, '__REDUX_DEVTOOLS_EXTENSION__')
  return isExtension(found) ? found : undefined
}

function isExtension(value: unknown): value is Extension {
  return (typeof value === 'function' || typeof value === 'object') && value !== null && typeof Reflect.get(value, 'connect') === 'function'
}

/** What a person did in the extension. */
export type Wish =
  | { readonly type: 'jump'; readonly action: number }
  | { readonly type: 'live' | 'commit' | 'start' | 'none' }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  | { readonly type: 'import'; readonly actions: readonly unknown[] }

/** Reads a message of the extension. */
export function readWish(message: unknown): Wish {
  if (!isRecord(message)) return { type: 'none' }
  if (message['type'] === 'START') return { type: 'start' }
  const payload = message['payload']
  if (message['type'] !== 'DISPATCH' || !isRecord(payload)) return { type: 'none' }
  switch (payload['type']) {
    case 'JUMP_TO_STATE':
    case 'JUMP_TO_ACTION':
      return typeof payload['actionId'] === 'number' ? { type: 'jump', action: payload['actionId'] } : { type: 'none' }
    case 'RESET':
    case 'ROLLBACK':
      return { type: 'live' }
    case 'COMMIT':
      return { type: 'commit' }
    case 'PAUSE_RECORDING':
      return { type: 'pause', isPaused: payload['status'] === true }
    case 'IMPORT_STATE': {
      const lifted = payload['nextLiftedState']
      const byId = isRecord(lifted) && isRecord(lifted['actionsById']) ? lifted['actionsById'] : {}
      const ids = isRecord(lifted) && Array.isArray(lifted['stagedActionIds']) ? lifted['stagedActionIds'] : []
      return { type: 'import', actions: ids.map(id => byId[String(id)]).map(held => (isRecord(held) ? held['action'] : undefined)) }
    }
    default:
      return { type: 'none' }
  }
}
