// The blocks of code in a page of Markdown, and how one is run as it stands.
import { transformSync } from 'esbuild'

const AsyncFunction = (async () => {}).constructor

/** All blocks, with their languages. */
export const blocksOf = markdown => [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, code]) => ({ language, code }))

/** Runs a block with what it is given; its imports come from `modules`, and `tail` is what it gives back. */
export function runBlock({ code, language }, modules, given, tail = 'undefined') {
  const plain = language === 'jsx' ? transformSync(code, { loader: 'jsx' }).code : code
  const body = plain
    .replace(/^import (\{.*?\}) from ['"](.*?)['"];?$/gm, (_, names, from) => `const ${names} = modules['${from}']`)
    .replace(/^export \{[\s\S]*?\};?$/gm, '')
    .replace(/^export /gm, '')
  const all = { modules, ...given }
  return new AsyncFunction(...Object.keys(all), `'use strict'\n${body}\nreturn ${tail}`)(...Object.values(all))
}
