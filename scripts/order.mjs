// Puts functions that are alike next to each other. gzip finds a repetition only within 32 KB, and the copies that a
// compiler makes of one generic function for several types lie far apart: this saves a fiftieth of the download.
//
// It names each function by its place in the new order; `wasm-opt --reorder-functions-by-name` then moves them.

/** So many bytes in a row count as one feature. */
const GRAM = 5
/** A feature of more functions than this tells nothing. */
const COMMON = 400
/** The next function is to be like the last so many. */
const RECENT = 4

/** Reads a number at a cursor. */
export function number(bytes, cursor) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[cursor.at++]
    value |= (byte & 127) << shift
    if (byte < 128) return value >>> 0
  }
}

/** A number in the form of wasm. */
function written(value) {
  const out = []
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128)
  return [...out, value]
}

/** Sections but for custom ones, the number of imported functions, and the bodies of the others. */
export function sections(wasm) {
  const cursor = { at: 8 }
  const kept = [wasm.subarray(0, 8)]
  let imports = 0
  let bodies = []
  while (cursor.at < wasm.length) {
    const start = cursor.at
    const id = wasm[cursor.at++]
    const size = number(wasm, cursor)
    const end = cursor.at + size
    if (id === 2) imports = importedFunctions(wasm, cursor)
    if (id === 10) bodies = Array.from({ length: number(wasm, cursor) }, () => {
      const length = number(wasm, cursor)
      cursor.at += length
      return wasm.subarray(cursor.at - length, cursor.at)
    })
    if (id !== 0) kept.push(wasm.subarray(start, end))
    cursor.at = end
  }
  return { kept, imports, bodies }
}

function importedFunctions(wasm, cursor) {
  let functions = 0
  const text = () => {
    const length = number(wasm, cursor)
    cursor.at += length
  }
  const limits = () => {
    const flags = wasm[cursor.at++]
    number(wasm, cursor)
    if ((flags & 1) !== 0) number(wasm, cursor)
  }
  for (let left = number(wasm, cursor); left > 0; left--) {
    text()
    text()
    const kind = wasm[cursor.at++]
    if (kind === 0) {
      number(wasm, cursor)
      functions += 1
    } else if (kind === 1) {
      cursor.at++
      limits()
    } else if (kind === 2) limits()
    else cursor.at += 2
  }
  return functions
}

/** Each function once, every next one as like the last few as any that is left. */
function chain(bodies) {
  const features = bodies.map(grams)
  const holders = new Map()
  features.forEach((set, index) => {
    for (const gram of set) {
      const list = holders.get(gram)
      if (list === undefined) holders.set(gram, [index])
      else list.push(index)
    }
  })
  const left = new Set(bodies.keys())
  const order = []
  let next = features.reduce((best, set, index) => (set.size > features[best].size ? index : best), 0)
  while (left.size > 0) {
    left.delete(next)
    order.push(next)
    const likeness = new Map()
    order.slice(-RECENT).reverse().forEach((one, age) => {
      for (const gram of features[one]) {
        const list = holders.get(gram)
        if (list.length <= COMMON) for (const other of list) if (left.has(other)) likeness.set(other, (likeness.get(other) ?? 0) + 1 / (age + 1))
      }
    })
    let best = -1
    for (const one of left) {
      const value = (likeness.get(one) ?? 0) / Math.sqrt(features[one].size + 20)
      if (value > best) [best, next] = [value, one]
    }
  }
  return order
}

function grams(body) {
  const set = new Set()
  for (let at = 0; at + GRAM <= body.length; at++) {
    let gram = 0
    for (let step = 0; step < GRAM; step++) gram = (Math.imul(gram, 31) + body[at + step]) | 0
    set.add(gram)
  }
  return set
}

/** The module with names by which its functions are to be ordered. */
export function named(wasm) {
  const { kept, imports, bodies } = sections(wasm)
  const places = []
  chain(bodies).forEach((index, place) => { places[index] = place })
  const names = [...written(bodies.length)]
  places.forEach((place, index) => {
    const name = Buffer.from(`f${String(place).padStart(6, '0')}`)
    names.push(...written(imports + index), name.length, ...name)
  })
  const section = [4, ...Buffer.from('name'), 1, ...written(names.length), ...names]
  return Buffer.concat([...kept, Buffer.from([0, ...written(section.length), ...section])])
}
