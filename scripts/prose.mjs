// What pages of Markdown say of the tree, held against the tree: links and anchors, commands, paths. Pure: the tree is
// given as a `world`, so that a test can make one up. A finding is text, `page:line: what is wrong`.
import { posix } from 'node:path'

/** Endings of files that are ours; a name with another one (`stream.jsonl`) may be a file of the reader. */
const OURS = /\.(md|rs|mjs|ts|tsx|svelte|toml|css|html|scn|patch|sh)$/
/** Files that stand in an app, or in an archive, and not here. */
const THEIRS = /^(page|layout|app|App|main|Chat|chat|store|transport|turnseal|vite\.config|next\.config)\b[\w.]*\.(ts|tsx|svelte|jsx|mjs)$/
const SHELL = new Set(['cd', 'echo', 'cat', 'cp', 'mkdir', 'export', 'curl', 'git', 'deno', 'bun', 'pip', 'python3', 'go', '.ci/run'])

/**
 * A world: `pages` (path to what `read` of www/site/docs/read.js says), `files` (all tracked paths), `targets` of make,
 * `steps` and `stages`, `bins` (program to its commands), `cargo` (kind to names), `entries` of the package.
 */
export function findings(path, world) {
  const page = world.pages.get(path)
  const found = []
  const say = (line, words) => found.push(`${path}:${line}: ${words}`)
  for (const { line, href } of page.links) check(say, line, link(path, href, world))
  for (const { line, text } of page.spans) check(say, line, span(path, text, world))
  for (const { line, language, code, isFenced } of page.blocks) {
    if (isFenced && language === 'sh') for (const [at, command] of lines(code)) check(say, line + at, commandTrouble(command, world))
  }
  return found
}

function check(say, line, trouble) {
  if (trouble) say(line, trouble)
}

/** The commands of a block of shell, with the line of each: without comments, a continued line is one. */
export function lines(code) {
  const found = []
  let held = ''
  code.split('\n').forEach((text, at) => {
    const line = held + text.replace(/(^|\s)#.*$/, '').trim()
    held = line.endsWith('\\') ? line.slice(0, -1) : ''
    if (!held && line) found.push(...line.split(/\s*(?:&&|\|\||[;|])\s*/).filter(Boolean).map(command => [at + 1, command]))
  })
  return found
}

function link(from, href, world) {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return external(href)
  const [path, anchor] = href.split('#')
  if (path.startsWith('/')) return `${href} leads out of the repository`
  const to = path === '' ? from : posix.join(posix.dirname(from), path)
  if (!exists(to, world)) return `${href} leads nowhere`
  if (!anchor) return undefined
  const page = world.pages.get(to)
  if (!page) return /^L\d+(-L\d+)?$/.test(anchor) ? undefined : `${href}: no page has anchors there`
  return page.headings.some(heading => heading.anchor === anchor) ? undefined : `${href}: no heading has that anchor`
}

function external(href) {
  if (!URL.canParse(href)) return `${href} is no address`
  const { protocol, hostname, username } = new URL(href)
  if (protocol !== 'https:') return `${href} is not https`
  if (username || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname)) return `${href} has no host that the world knows`
  return undefined
}

/** A file, or a folder: what is tracked lies there. */
function exists(path, { files }) {
  const plain = path.replace(/\/+$/, '')
  if (plain === '.' || files.has(plain)) return true
  const below = `${plain}/`
  for (const file of files) if (file.startsWith(below)) return true
  return false
}

function span(from, text, world) {
  if (/^(make|npx|cargo|node|npm) /.test(text) || SHELL.has(text)) return commandTrouble(text, world)
  if (/^turnseal\/[a-z-]+$/.test(text)) return world.entries.has(`./${text.slice(9)}`) ? undefined : `the package has no entry ${text}`
  if (/^[\w.@*{},-]+(\/[\w.@*{},-]*)+$/.test(text)) return pathTrouble(from, text, world)
  if (/^[\w.-]+$/.test(text) && OURS.test(text) && !THEIRS.test(text)) {
    const isThere = [...world.files].some(file => posix.basename(file) === text)
    return isThere ? undefined : `no file is named ${text}`
  }
  return undefined
}

/** A path counts as one of ours where its first step is a folder of the root, or beside the page. */
function pathTrouble(from, text, world) {
  if (/^(target|node_modules)(\/|$)/.test(text) || /(^|\/)(dist|wasm|node_modules)(\/|$)/.test(text)) return undefined
  const [first] = text.split('/')
  const places = ['', `${posix.dirname(from)}/`].filter(base => exists(base + first, world) && first !== '')
  if (places.length === 0) return undefined
  return places.some(base => matches(base + text, world)) ? undefined : `there is no ${text}`
}

/** Whether a path with `*` and `{a,b}` names something. */
function matches(path, world) {
  const braces = /\{([^{}]+)\}/.exec(path)
  if (braces) return braces[1].split(',').every(one => matches(path.replace(braces[0], one), world))
  const plain = posix.normalize(path).replace(/\/$/, '')
  if (!plain.includes('*')) return exists(plain, world) || (!OURS.test(plain) && [...world.files].some(file => file.startsWith(`${plain}.`)))
  const pattern = new RegExp(`^${plain.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('[^/]*')}(/|$)`)
  return [...world.files].some(file => pattern.test(file))
}

/** What is wrong with a command line; nothing where it is a command of this tree, or of its reader's machine. */
export function commandTrouble(command, world) {
  const words = command.match(/[^\s"']*"[^"]*"|[^\s"']*'[^']*'|\S+/g) ?? []
  while (words.length > 0 && /^[A-Z_]+=/.test(words[0])) words.shift()
  const [program, ...rest] = words
  if (program === undefined) return undefined
  if (program === 'make') return makeTrouble(rest, world)
  if (program === 'cargo') return cargoTrouble(rest, world)
  if (program === 'npx') return npxTrouble(rest, world)
  if (program === 'node') return nodeTrouble(rest, world)
  if (program === 'npm') return /^(install|i|ci|create|run|pack|publish|exec)$/.test(rest[0]) ? undefined : `npm has no command ${rest[0]}`
  if (SHELL.has(program)) return undefined
  if (/\//.test(program)) return exists(program.replace(/^\.\//, ''), world) || program.startsWith('target/') ? undefined : `there is no ${program}`
  return /^turnseal(-[a-z]+)?$/.test(program) ? npxTrouble([program, ...rest], world) : `${program} is no command that a page may use`
}

function makeTrouble(words, { targets, steps, stages }) {
  for (const word of words) {
    const [, name, given] = /^([A-Z_]+)=(.*)$/.exec(word) ?? []
    if (name === undefined) {
      if (!word.startsWith('-') && !targets.has(word)) return `make has no target ${word}`
      continue
    }
    const known = { STEPS: steps, STAGES: stages }[name]
    const wrong = known && given.replace(/["']/g, '').split(' ').find(one => !known.has(one))
    if (wrong) return `${name} has no ${wrong}`
  }
  return undefined
}

function cargoTrouble(words, { cargo }) {
  for (const [at, word] of words.entries()) {
    const kind = /^(--test|--bench|--example|-p|--package)$/.exec(word)?.[1]
    if (kind && !cargo[kind.replace('--package', '-p')].has(words[at + 1])) return `cargo has no ${kind} ${words[at + 1]}`
  }
  return undefined
}

function npxTrouble([program, command], { bins }) {
  if (!program.startsWith('turnseal')) return /^(vite|sv|create-[\w-]+|degit)(@|$)/.test(program) ? undefined : `npx ${program} is unknown here`
  if (!bins.has(program)) return `the package has no program ${program}`
  const commands = bins.get(program)
  return commands.length === 0 || command === undefined || commands.includes(command) ? undefined : `${program} has no command ${command}`
}

function nodeTrouble(words, world) {
  const file = words.find(word => /\.(mjs|js|ts)$/.test(word))
  if (!file || matches(file, world)) return undefined
  return /\//.test(file) ? `there is no ${file}` : undefined
}
