// Which files of the package somebody can load: what its manifest names, and what those import, refer to or map to.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const REFERENCE = /(?:from|import|import\(|new URL\()\s*['"](\.[^'"]+)['"]|# sourceMappingURL=(\S+)/g

const named = value => (typeof value === 'string' ? [value] : Object.values(value).flatMap(named))

/** The files below a package's folder, as paths. */
export function loaded(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const seen = new Set()
  const queue = [manifest.exports, manifest.bin ?? []].flatMap(named).map(path => join(folder, path))
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const isTypes = path.endsWith('.d.ts')
    if (!isTypes && !path.endsWith('.js')) continue
    for (const [, module, map] of readFileSync(path, 'utf8').matchAll(REFERENCE)) {
      const next = join(dirname(path), module ?? map)
      queue.push(isTypes ? next.replace(/\.js$/, '.d.ts') : next)
    }
  }
  return seen
}
