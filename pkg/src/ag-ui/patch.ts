import type { EventOf } from './events.js'

type Patch = EventOf<'STATE_DELTA'>['delta']

/** A value with a JSON Patch (RFC 6902) applied; the old value stays as it was. Throws where the patch does not fit. */
export function patched(value: unknown, patch: Patch): unknown {
  return patch.reduce<unknown>((current, operation) => {
    const path = pointer(operation.path)
    switch (operation.op) {
      case 'add':
        return put(current, path, operation.value, true)
      case 'replace':
        at(current, path)
        return put(current, path, operation.value, false)
      case 'remove':
        return without(current, path)
      case 'move': {
        const from = pointer(operation.from)
        return put(without(current, from), path, at(current, from), true)
      }
      case 'copy':
        return put(current, path, at(current, pointer(operation.from)), true)
      case 'test':
        if (canonical(at(current, path)) !== canonical(operation.value))
          throw new Error(`test: ${operation.path} is another value`)
        return current
      default: {
        const none: never = operation
        throw new Error(`no operation ${JSON.stringify(none)}`)
      }
    }
  }, value)
}

function pointer(path: string): readonly string[] {
  if (path === '') return []
  if (!path.startsWith('/')) throw new Error(`${path} is no pointer`)
  return path
    .slice(1)
    .split('/')
    .map(step => step.replace(/~1/g, '/').replace(/~0/g, '~'))
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((current, step) => {
    if (Array.isArray(current) && place(step, current.length - 1) !== undefined) return current[Number(step)]
    if (isObject(current) && Object.hasOwn(current, step)) return current[step]
    throw new Error(`there is no ${step}`)
  }, value)
}

/** A copy of the containers along a path, with the last one changed. */
function along(value: unknown, path: readonly string[], change: (container: unknown, step: string) => unknown): unknown {
  const [step = '', ...rest] = path
  if (rest.length === 0) return change(value, step)
  const inner = along(at(value, [step]), rest, change)
  return Array.isArray(value) ? value.with(Number(step), inner) : isObject(value) ? own(value, step, inner) : value
}

function put(value: unknown, path: readonly string[], next: unknown, isInsert: boolean): unknown {
  if (path.length === 0) return next
  return along(value, path, (container, step) => {
    if (Array.isArray(container)) {
      const index = step === '-' ? container.length : place(step, container.length)
      if (index === undefined) throw new Error(`there is no place ${step}`)
      return isInsert ? container.toSpliced(index, 0, next) : container.with(index, next)
    }
    if (!isObject(container)) throw new Error(`${step} stands in no object`)
    return own(container, step, next)
  })
}

function without(value: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return null
  at(value, path)
  return along(value, path, (container, step) => {
    if (Array.isArray(container)) return container.toSpliced(Number(step), 1)
    return isObject(container) ? Object.fromEntries(Object.entries(container).filter(([key]) => key !== step)) : container
  })
}

/** With that field of its own, whatever its name. */
function own(container: Readonly<Record<string, unknown>>, step: string, next: unknown): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(container).filter(([key]) => key !== step), [step, next]])
}

function place(step: string, last: number): number | undefined {
  return /^(0|[1-9]\d*)$/.test(step) && Number(step) <= last ? Number(step) : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One text for equal values. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
    ) ?? ''
  )
}
