// make check STEPS="links": every page of Markdown in the tree. Links and anchors lead somewhere, commands and paths are
// there, and each block of code is of a language that something checks. Nothing is fetched.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { read } from '../www/site/docs/read.js'
import { MAY_BE_ABSENT, blockFindings, has } from './blocks.mjs'
import { at, fail, root } from './lib.mjs'
import { findings } from './prose.mjs'
import { stages } from './stages.mjs'

const text = path => readFileSync(at(path), 'utf8')
const words = (from, pattern) => new Set([...from.matchAll(pattern)].map(([, word]) => word))
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

const files = new Set(git('ls-files', '--cached', '--others', '--exclude-standard'))
for (const gone of git('ls-files', '--deleted')) files.delete(gone)
const named = folder => [...files].flatMap(path => {
  const [, name] = new RegExp(`^${folder}/([^/]+?)(?:/main)?\\.rs$`).exec(path) ?? []
  return name ? [name] : []
})
const manifest = JSON.parse(text('pkg/package.json'))
const help = words(text('pkg/src/cli.ts'), /^(?:const HELP = `)?turnseal ([a-z]+)/gm)

const world = {
  files,
  pages: new Map([...files].filter(path => path.endsWith('.md')).map(path => [path, read(text(path))])),
  targets: words(text('Makefile'), /^([a-z-]+):/gm),
  steps: words(text('scripts/check.mjs'), /^ {2}\['([a-z-]+)'/gm),
  stages: new Set(stages.map(({ name }) => name)),
  bins: new Map(Object.keys(manifest.bin).map(name => [name, name === 'turnseal' ? [...help] : []])),
  entries: new Set(Object.keys(manifest.exports)),
  cargo: {
    '--test': new Set(named('tests')),
    '--bench': new Set(named('benches')),
    '--example': new Set(named('examples')),
    '-p': new Set([...files].filter(path => path.endsWith('Cargo.toml')).flatMap(path => [...words(text(path), /^name = "([^"]+)"/gm)])),
  },
}

const found = [...world.pages].flatMap(([path, { blocks }]) => [...findings(path, world), ...blockFindings(path, blocks)])
for (const line of found) console.error(`links: ${line}`)
if (found.length > 0) fail(`links: ${found.length} to mend`)

const sum = count => [...world.pages.values()].reduce((total, page) => total + count(page), 0)
const fenced = sum(({ blocks }) => blocks.filter(({ isFenced }) => isFenced).length)
console.log(`links: ${world.pages.size} pages, ${sum(({ links }) => links.length)} links, ${sum(({ spans }) => spans.length)} names, ${fenced} blocks`)
for (const language of Object.keys(MAY_BE_ABSENT).filter(name => !has(name))) {
  const count = sum(({ blocks }) => blocks.filter(block => block.language === language).length)
  if (count > 0) console.log(`links: blocks of ${language} that nothing could read, since this machine has none: ${count}`)
}
