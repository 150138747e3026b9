// A test build of the wasm that traps on demand: each function in which Rust may panic counts down on entry, and traps
// where the count ends. Import it before lib.mjs, which takes the wasm as it was built.
import { readFileSync } from 'node:fs'
import binaryen from 'binaryen'
import { core_loadSync as loadSync, turnseal_initSync as exportsOf } from '../dist/kernel.js'

/** True where Rust may panic in it: a panic that aborts is this instruction. */
const panics = body => /\bunreachable\b/.test(binaryen.emitText(body))

function trapping(bytes) {
  const wasm = binaryen.readBinary(bytes)
  const { Features, i32 } = binaryen
  wasm.setFeatures(Features.ReferenceTypes | Features.BulkMemory | Features.BulkMemoryOpt | Features.NontrappingFPToInt | Features.SignExt | Features.MutableGlobals | Features.Multivalue)
  wasm.addGlobal('fuel', i32, true, wasm.i32.const(0))
  wasm.addGlobalExport('fuel', 'fuel')
  const left = () => wasm.global.get('fuel', i32)
  let places = 0
  for (let at = 0; at < wasm.getNumFunctions(); at++) {
    const one = wasm.getFunctionByIndex(at)
    const { module, body } = binaryen.getFunctionInfo(one)
    if (module !== '' || !panics(body)) continue
    places += 1
    const burn = wasm.block(null, [
      wasm.global.set('fuel', wasm.i32.sub(left(), wasm.i32.const(1))),
      wasm.if(wasm.i32.eqz(left()), wasm.unreachable()),
    ])
    binaryen.Function.setBody(one, wasm.block(null, [wasm.if(left(), burn), body], binaryen.auto))
  }
  if (!wasm.validate()) throw new Error('the wasm that traps is no wasm')
  return { bytes: wasm.emitBinary(), places }
}

const build = trapping(readFileSync(new URL('../dist/wasm/store/turnseal.wasm', import.meta.url)))
loadSync(() => build.bytes)
const { fuel } = exportsOf({ module: build.bytes })

/** In how many functions it can trap. */
export const places = build.places

/** Traps in the `count`th entry of a function that may panic; gives whether it came to that. */
export async function trapIn(count, act) {
  fuel.value = count
  try {
    await act()
    return fuel.value === 0
  } finally {
    fuel.value = 0
  }
}
