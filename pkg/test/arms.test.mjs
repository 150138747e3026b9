// What typedoc does not ask: each arm of a public union of objects, told apart by `type`, says what it is for.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import ts from 'typescript'

const src = new URL('../src/', import.meta.url)
/** Chunks of the AI SDK, which explains them; and the words of a browser's extension, which no entry exports. */
const FOREIGN = ['KnownChunk', 'devtools-extension.ts']

/** The arms of a union, also of one in an intersection, that are objects written in place. */
function armsOf(node) {
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap(armsOf)
  if (ts.isParenthesizedTypeNode(node)) return armsOf(node.type)
  return ts.isUnionTypeNode(node) ? node.types.filter(arm => !ts.isTypeReferenceNode(arm) && /\btype: *\n? *['|]/.test(arm.getText())) : []
}

function bareArms(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const isPublic = node => ts.isTypeAliasDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  const arms = file.statements.filter(node => isPublic(node) && !FOREIGN.includes(node.name.text)).flatMap(({ type }) => armsOf(type))
  return { count: arms.length, bare: arms.filter(arm => !/\*\/\s*\|?\s*$/.test(text.slice(0, arm.getStart()))).map(arm => `${name}: ${arm.getText().replace(/\s+/g, ' ').slice(0, 80)}`) }
}

test('each arm of a public union has a sentence', () => {
  const names = readdirSync(src, { recursive: true }).filter(name => name.endsWith('.ts') && !FOREIGN.includes(name))
  const found = names.map(name => bareArms(name, readFileSync(new URL(name, src), 'utf8')))
  assert.deepEqual(found.flatMap(({ bare }) => bare), [])
  assert.ok(found.reduce((sum, { count }) => sum + count, 0) > 90)
})

test('an arm without one is named', () => {
  const text = "export type A = { n: number } & (\n  /** One. */\n  | { type: 'one' }\n  | { type: 'two'; of: B }\n)\ntype Inner = { type: 'x' } | { type: 'y' }\n"
  assert.deepEqual(bareArms('a.ts', text), { count: 2, bare: ["a.ts: { type: 'two'; of: B }"] })
})
