// What a wasm file is made of: bytes of code by crate, by room and by function. The published file has no names, so this
// makes one that has them, by the same steps as scripts/build.mjs, in a folder of its own.
import { mkdirSync, readFileSync } from 'node:fs'
import { at, fail, must, npmBin, table, tool } from './lib.mjs'
import { number, sections } from './order.mjs'

/** So many functions are named. */
const TOP = 30
/** And so long is a name. */
const WIDE = 100
const FEATURES = [
  '--enable-reference-types', '--enable-bulk-memory', '--enable-nontrapping-float-to-int',
  '--enable-sign-ext', '--enable-mutable-globals', '--enable-multivalue',
].join(' ')

/** A section's bytes: by its id, or a custom one by its name. */
function* parts(wasm) {
  const cursor = { at: 8 }
  while (cursor.at < wasm.length) {
    const id = wasm[cursor.at++]
    const size = number(wasm, cursor)
    const end = cursor.at + size
    let name = ''
    if (id === 0) {
      const length = number(wasm, cursor)
      name = wasm.subarray(cursor.at, cursor.at + length).toString()
      cursor.at += length
    }
    yield { id, name, size, body: wasm.subarray(cursor.at, end) }
    cursor.at = end
  }
}

/** The names of functions, by their index. */
function names(wasm) {
  const found = [...parts(wasm)].find(({ id, name }) => id === 0 && name === 'name')
  if (!found) fail('size: the wasm has no names')
  const { body } = found
  const cursor = { at: 0 }
  const list = new Map()
  while (cursor.at < body.length) {
    const kind = body[cursor.at++]
    const end = number(body, cursor) + cursor.at
    if (kind === 1) for (let left = number(body, cursor); left > 0; left--) {
      const index = number(body, cursor)
      const length = number(body, cursor)
      list.set(index, body.subarray(cursor.at, cursor.at + length).toString())
      cursor.at += length
    }
    cursor.at = end
  }
  return list
}

/** A name without what tells builds apart, and not longer than a line. */
const plain = name => name.replace(/\[[0-9a-f]{16}\]|::h[0-9a-f]{16}$/g, '')
const brief = name => (name.length > WIDE ? `${name.slice(0, WIDE)}…` : name)

/** The path that a function belongs to: of `<a::B as c::D>::f` that of `a::B`. The binding's exports have none. */
const path = name => /[a-z_]\w*(?:::[\w{}#]+)+/i.exec(name.replace(/[<&*(]|\bmut |\bdyn /g, ' '))?.[0].split('::') ?? ['exports and glue']
const crate = name => path(name)[0]
const room = name => path(name).slice(0, 2).join('::')

/** Bytes by a key, the most first. */
function by(functions, key) {
  const sums = new Map()
  for (const one of functions) {
    const [bytes, count] = sums.get(key(one.name)) ?? [0, 0]
    sums.set(key(one.name), [bytes + one.bytes, count + 1])
  }
  return [...sums].map(([name, [bytes, count]]) => [name, bytes, count]).sort((one, other) => other[1] - one[1])
}

/** The tables of one wasm, `store` or `engine`. */
export async function inside(which) {
  const raw = at('target', `wasm-${which}`, 'wasm32-unknown-unknown/wasm/turnseal.wasm')
  const out = at('target/size', which)
  mkdirSync(out, { recursive: true })
  await must(`'${tool('wasm-bindgen')}' '${raw}' --target web --omit-default-module-path --out-name turnseal --out-dir '${out}'`, { quiet: true })
  await must(`'${npmBin('wasm-opt')}' -Oz --converge -g ${FEATURES} '${out}/turnseal_bg.wasm' -o '${out}/named.wasm'`, { quiet: true })
  const wasm = readFileSync(`${out}/named.wasm`)
  const known = names(wasm)
  const { bodies, imports } = sections(wasm)
  const functions = bodies.map((body, index) => ({ name: plain(known.get(imports + index) ?? 'without a name'), bytes: body.length }))
  const code = functions.reduce((total, { bytes }) => total + bytes, 0)
  const data = [...parts(wasm)].filter(({ id }) => id === 11).reduce((total, { size }) => total + size, 0)
  const share = bytes => `${(bytes / code * 100).toFixed(1)} %`
  const shown = rows => rows.map(([name, bytes, count]) => [name, bytes, share(bytes), count])
  return [
    `\n${which}: ${code} bytes of code in ${functions.length} functions, ${data} bytes of data`,
    table([['crate', 'bytes', 'of the code', 'functions'], ...shown(by(functions, crate))]),
    table([['room', 'bytes', 'of the code', 'functions'], ...shown(by(functions, room).filter(([name]) => name.startsWith('turnseal')))]),
    table([['function', 'bytes', 'of the code', 'copies'], ...shown(by(functions, brief).slice(0, TOP))]),
  ].join('\n')
}
