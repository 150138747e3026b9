// make docs: the pages of the documentation, and beside them both references, by typedoc and by rustdoc. A warning of
// either ends it. What `make demo` serves afterwards has them, too, until the site is built anew.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { at, fail, must, npmBin, root } from './lib.mjs'

const dist = at('www/site/dist/docs')
const built = { js: at('target/api/js'), rust: at('target/api/rust/doc') }

await must('node scripts/site.mjs')
rmSync(built.js, { recursive: true, force: true })
await must(`'${npmBin('typedoc')}' --out '${built.js}'`, { cwd: at('pkg') })
// A folder of its own: rustdoc keeps in its index whatever else was documented there. Without `wasm`, which is no API.
rmSync(built.rust, { recursive: true, force: true })
await must('cargo doc --quiet --no-deps --lib --features drive,browser -p turnseal', {
  env: { RUSTDOCFLAGS: '-D warnings', CARGO_TARGET_DIR: at('target/api/rust') },
})
for (const [name, from, index] of [['js', built.js, 'index.html'], ['rust', built.rust, 'turnseal/index.html']]) {
  if (!existsSync(`${from}/${index}`)) fail(`docs: ${from}/${index} was not built`)
  rmSync(`${dist}/api/${name}`, { recursive: true, force: true })
  cpSync(from, `${dist}/api/${name}`, { recursive: true })
}
console.log(`docs: ${relative(root, dist)}: pages, api/js/ and api/rust/turnseal/; make demo serves them below /docs/`)
