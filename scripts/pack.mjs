// make pack: the tarball that users install, from a staged folder, so that licences and README stand at its root.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { at, fail, must, root, version } from './lib.mjs'
import { published, webOf } from './published.mjs'

const staged = at('target/pack/package')
const tarball = at('target/pack', `turnseal-${version}.tgz`)

if (!existsSync(at('pkg/dist'))) fail('pack: pkg/dist is missing: run make build')
rmSync(at('target/pack'), { recursive: true, force: true })
mkdirSync(staged, { recursive: true })
cpSync(at('pkg/dist'), `${staged}/dist`, { recursive: true })
copyFileSync(at('pkg/package.json'), `${staged}/package.json`)
const papers = ['README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE']
const web = webOf(JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')))
for (const name of papers) writeFileSync(`${staged}/${name}`, published(readFileSync(at(name), 'utf8'), web, papers))
await must(`npm pack --silent --ignore-scripts --pack-destination '${at('target/pack')}'`, { cwd: staged, quiet: true })
console.log(`pack: ${relative(root, tarball)}`)
