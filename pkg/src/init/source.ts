import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fromJson, isRecord } from '../json.js'

/**
 * Where a package that was installed from a file comes from, as the manifest in `folder` names it; `undefined`: from a
 * registry. `home` holds the node_modules in which the package is: an app's own, or that of npx.
 */
export function sourceOf(folder: string, home: string): string | undefined {
  const lock = fromJson(read(join(home, 'node_modules/.package-lock.json')))
  const packages = isRecord(lock) ? lock['packages'] : undefined
  const entry = isRecord(packages) ? packages['node_modules/turnseal'] : undefined
  const resolved = isRecord(entry) ? entry['resolved'] : undefined
  if (typeof resolved !== 'string' || !resolved.startsWith('file:')) return undefined
  return `file:${relative(folder, join(home, resolved.slice('file:'.length))).split(sep).join('/')}`
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
