// What `make check STEPS="links"` refuses, and what it lets pass, over a tree that is made up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../www/site/docs/read.js'
import { blockFindings, has } from './blocks.mjs'
import { findings, lines } from './prose.mjs'

function world(pages) {
  return {
    files: new Set([...Object.keys(pages), 'src/store/log.rs', 'src/wire/mod.rs', 'scripts/site.mjs', 'pkg/src/events.ts', 'tests/tidy/rooms.rs']),
    pages: new Map(Object.entries(pages).map(([path, text]) => [path, read(text)])),
    targets: new Set(['test', 'check']),
    steps: new Set(['fmt']),
    stages: new Set(['rust', 'site']),
    bins: new Map([['turnseal', ['init']], ['turnseal-check', []]]),
    entries: new Set(['.', './react']),
    cargo: { '--test': new Set(['tidy']), '--bench': new Set(), '--example': new Set(), '-p': new Set(['turnseal']) },
  }
}
const other = '# Other\n\n## A `code` heading, twice\n\n## A `code` heading, twice\n'
const of = text => findings('docs/page.md', world({ 'docs/page.md': text, 'docs/other.md': other, 'README.md': '# Read me' }))

for (const [text, trouble] of [
  ['[a](gone.md)', 'docs/page.md:1: gone.md leads nowhere'],
  ['one\n\ntwo\n[a](../README.md) [b](../src/gone)', 'docs/page.md:4: ../src/gone leads nowhere'],
  ['[a](other.md#nothing)', 'docs/page.md:1: other.md#nothing: no heading has that anchor'],
  ['[a](#here)', 'docs/page.md:1: #here: no heading has that anchor'],
  ['[a](/docs/other/)', 'docs/page.md:1: /docs/other/ leads out of the repository'],
  ['![a](gone.png)', 'docs/page.md:1: gone.png leads nowhere'],
  ['<img src="gone.svg" alt="">', 'docs/page.md:1: gone.svg leads nowhere'],
  ['[a](http://example.org)', 'docs/page.md:1: http://example.org is not https'],
  ['[a](https://localhost/x)', 'docs/page.md:1: https://localhost/x has no host that the world knows'],
  ['`make tests`', 'docs/page.md:1: make has no target tests'],
  ['`make test STAGES="rust sight"`', 'docs/page.md:1: STAGES has no sight'],
  ['`make check STEPS=fnt`', 'docs/page.md:1: STEPS has no fnt'],
  ['`npx turnseal innit`', 'docs/page.md:1: turnseal has no command innit'],
  ['`npx turnseal-chek x.jsonl`', 'docs/page.md:1: the package has no program turnseal-chek'],
  ['`cargo test --test tide`', 'docs/page.md:1: cargo has no --test tide'],
  ['`src/store/lok.rs`', 'docs/page.md:1: there is no src/store/lok.rs'],
  ['`src/{store,wore}/`', 'docs/page.md:1: there is no src/{store,wore}/'],
  ['`node scripts/sight.mjs`', 'docs/page.md:1: there is no scripts/sight.mjs'],
  ['`lok.rs`', 'docs/page.md:1: no file is named lok.rs'],
  ['`turnseal/raect`', 'docs/page.md:1: the package has no entry turnseal/raect'],
  ['```sh\nmake test # all\nmake tests\n```', 'docs/page.md:3: make has no target tests'],
  ['```sh\nfrobnicate\n```', 'docs/page.md:2: frobnicate is no command that a page may use'],
]) test(`refused: ${trouble.slice(16)}`, () => assert.deepEqual(of(text), [trouble]))

test('what is there passes', () => {
  assert.deepEqual(of(`# Page

[a](other.md) [b](other.md#a-code-heading-twice) [c](other.md#a-code-heading-twice-1) [d](#page) [e](../src) [f](https://example.org/x#y)

\`make test STAGES="rust site"\`, \`npx turnseal init --yes\`, \`npx turnseal-check x.jsonl\`, \`cargo test --test tidy\`, \`log.rs\`,
\`src/*/\`, \`src/store/*.rs\`, \`tests/tidy\`, \`turnseal/react\`, \`stream.jsonl\`, \`text/html\`, \`a/b\`, \`pkg/dist\`.

\`\`\`sh
cd app && npm install # theirs
RUNS=1 cargo test --test tidy \\
  -- --nocapture
\`\`\`
`), [])
})

test('a command goes on behind a backslash, and ends at a pipe', () => {
  assert.deepEqual(lines('a b \\\n  c # why\n\nd | e && f'), [[2, 'a b c'], [4, 'd'], [4, 'e'], [4, 'f']])
})

test('a block is of a language that something checks, and is what it says', () => {
  const found = text => blockFindings('docs/page.md', read(text).blocks)
  assert.deepEqual(found('```cobol\nADD\n```'), ['docs/page.md:1: nothing checks a block of cobol'])
  for (const [language, code] of [['json', '{a}'], ['jsonl', '{}\n{'], ['js', 'const ='], ['ts', 'let a: = 1'], ['jsx', '<a>'], ['svelte', '{#if}'], ...(has('python') ? [['python', 'def']] : []), ['sh', 'if'], ['rust', 'fn main() {}']]) {
    assert.match(found(`# A\n\n\`\`\`${language}\n${code}\n\`\`\``).join(), new RegExp(`^docs/page.md:3: the block is no ${language}: `), language)
  }
  assert.deepEqual(found('```json\n{}\n```\n\n```\nany ──► thing\n```\n\n    indented'), [])
})
