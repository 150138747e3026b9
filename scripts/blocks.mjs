// Fenced blocks of Markdown: each language has one check here, so that a language without any is refused.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { at, files } from './lib.mjs'

const require = createRequire(at('pkg/package.json'))

/**
 * Language to how it is checked; a check throws. Where a page is README.md or of docs, its JavaScript, JSONL and Python run
 * in `make test`, too, and Rust is a doctest. What is drawn or printed has no language, or `text`.
 */
export const LANGUAGES = {
  '': () => {},
  text: () => {},
  sh: code => execFileSync('sh', ['-n'], { input: code, stdio: ['pipe', 'ignore', 'pipe'] }),
  json: code => JSON.parse(code),
  jsonl: code => code.trim().split('\n').forEach(line => JSON.parse(line)),
  html: code => parsed('html', code),
  js: code => parsed('js', code),
  ts: code => parsed('ts', code),
  jsx: code => parsed('jsx', code),
  tsx: code => parsed('tsx', code),
  svelte: code => require('svelte/compiler').compile(code, { generate: 'client', filename: 'Block.svelte' }),
  python: code => has('python') && execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: code, stdio: ['pipe', 'ignore', 'pipe'] }),
  rust: doctest,
  no_run: doctest,
  go: code => has('go') && execFileSync('gofmt', ['-e'], { input: code, stdio: ['pipe', 'ignore', 'pipe'] }),
}

/**
 * Languages that nothing else here needs, with how their program says its version. A machine may lack one: then its
 * blocks are not checked there, and `make check` says so.
 */
export const MAY_BE_ABSENT = { go: 'go version', python: 'python3 --version' }

/** Whether this machine has the program of such a language. */
export function has(language) {
  const [program, ...args] = MAY_BE_ABSENT[language].split(' ')
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function parsed(loader, code) {
  if (loader === 'html') for (const [, script] of code.matchAll(/<script[^>]*>(.*?)<\/script>/gs)) parsed('js', script)
  else require('esbuild').transformSync(code, { loader, format: 'esm', target: 'esnext', logLevel: 'silent' })
}

/** A doctest of the crate: some source takes the page in. */
function doctest(_, path) {
  const taken = files(at('src')).some(file => [...readFileSync(file, 'utf8').matchAll(/include_str!\("([^"]+\.md)"\)/g)]
    .some(([, named]) => relative(at(), resolve(dirname(file), named)) === path))
  if (!taken) throw new Error('no source takes the page in with include_str!, so no doctest compiles it')
}

/** What is wrong with the blocks of a page, as `page:line: words`. */
export function blockFindings(path, blocks) {
  return blocks.filter(({ isFenced }) => isFenced).flatMap(({ line, language, code }) => {
    const check = LANGUAGES[language]
    if (!check) return [`${path}:${line}: nothing checks a block of ${language}`]
    try {
      check(code, path)
      return []
    } catch (error) {
      const words = String(error.stderr?.toString().trim() || error.message).split('\n')[0]
      return [`${path}:${line}: the block is no ${language}: ${words}`]
    }
  })
}
