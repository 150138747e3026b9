// Builds the site into www/site/dist: the chat, drawn twice, the documentation, and the lab. The pages get the package as users have it:
// a copy of what `npm install turnseal` would unpack, so no path of theirs leads into pkg/ or src/.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { PAGES } from '../www/site/docs/pages.js'
import { at, files, hash, must } from './lib.mjs'

const site = (...path) => at('www/site', ...path)
const dist = site('dist')
const stamp = at('target/stamps/site')

await must('node scripts/build.mjs')
const reads = [
  ...['src', 'public', 'svelte', 'react', 'docs', 'lab', 'bench'].flatMap(folder => files(site(folder))),
  ...['index.html', 'vite.config.js', 'package.json', 'package-lock.json'].map(name => site(name)),
  ...files(at('www/page')), ...files(at('bench/lanes')), ...['slice.mjs', 'work.mjs', 'result.json'].map(name => at('bench', name)), ...files(at('pkg/dist')), at('scripts/site.mjs'),
  ...files(at('docs')), ...PAGES.map(({ source }) => at(source)), ...files(site('screenshots')),
]
const sum = hash(reads)
const installed = site('node_modules/turnseal')
if (!existsSync(site('dist/index.html')) || !existsSync(installed) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sum) {
  rmSync(installed, { recursive: true, force: true })
  cpSync(at('pkg/dist'), `${installed}/dist`, { recursive: true })
  cpSync(at('pkg/package.json'), `${installed}/package.json`)
  await must('node_modules/.bin/vite build --logLevel error', { cwd: site() })
  // The storm has no bundler: its page, and the package beside it.
  cpSync(at('www/page'), `${dist}/lab/storm`, { recursive: true })
  cpSync(at('pkg/dist'), `${dist}/turnseal`, { recursive: true, filter: path => !path.endsWith('.d.ts') })
  mkdirSync(at('target/stamps'), { recursive: true })
  writeFileSync(stamp, sum)
}
