// No link of a packed page is dead: it leads to a file of the tarball, or to an address.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { at } from './lib.mjs'
import { published, webOf } from './published.mjs'

const web = 'https://x.example/a/b'

test('what is not shipped is linked to where the sources are', () => {
  for (const [text, expected] of [
    ['see [docs](docs/README.md), [it](CHANGELOG.md)', `see [docs](${web}/blob/HEAD/docs/README.md), [it](CHANGELOG.md)`],
    ['![a picture](www/a.png)', `![a picture](${web}/raw/HEAD/www/a.png)`],
    ['[![badge](a.svg)](docs/)', `[![badge](${web}/raw/HEAD/a.svg)](${web}/blob/HEAD/docs/)`],
    ['[here](#there) [out](https://y.example/z) [part](docs/a.md#b)', `[here](#there) [out](https://y.example/z) [part](${web}/blob/HEAD/docs/a.md#b)`],
    ['`list[0](x)` is `[0](x)`', '`list[0](x)` is `[0](x)`'],
  ]) assert.equal(published(text, web, ['CHANGELOG.md']), expected)
})

test('each link of README and CHANGELOG leads somewhere', () => {
  const manifest = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8'))
  const shipped = ['CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE']
  assert.equal(webOf(manifest), 'https://github.com/turnseal/turnseal')
  for (const name of ['README.md', 'CHANGELOG.md']) {
    for (const [, to] of published(readFileSync(at(name), 'utf8'), webOf(manifest), shipped).matchAll(/\]\(([^)\s]+)\)/g)) {
      const path = to.replace(/^https:\/\/github\.com\/turnseal\/turnseal\/(?:blob|raw)\/HEAD\//, '').replace(/#.*/, '')
      if (to !== path) assert.ok(existsSync(at(path)), `${name}: ${to}`)
      else assert.ok(to.startsWith('https://') || to.startsWith('#') || shipped.includes(to), `${name}: ${to}`)
    }
  }
})
