// Every public item of every entry says what it is for, as editors show it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const folder = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(folder, types)]))

test('every public item has a doc comment, and so has every member of an interface or class', () => {
  const program = ts.createProgram(entries, { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'], skipLibCheck: true, types: [] })
  const checker = program.getTypeChecker()
  const bare = new Set()
  let items = 0
  const isOurs = declaration => declaration.getSourceFile().fileName.includes('/dist/')
  const look = (symbol, path) => {
    items += 1
    if (symbol.getDocumentationComment(checker).length === 0) bare.add(path)
  }
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry))
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      look(symbol, symbol.name)
      for (const declaration of symbol.declarations.filter(isOurs)) {
        if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassDeclaration(declaration)) continue
        for (const member of declaration.members) {
          const isHidden = ts.isConstructorDeclaration(member) || ts.isIndexSignatureDeclaration(member) || (member.name !== undefined && ts.isPrivateIdentifier(member.name))
          const found = isHidden || member.name === undefined ? undefined : checker.getSymbolAtLocation(member.name)
          // What tells unions apart says what it is by its value.
          if (found !== undefined && found.name !== 'type') look(found, `${symbol.name}.${found.name}`)
        }
      }
    }
  }
  assert.ok(items > 300, `${items} items`)
  assert.deepEqual([...bare], [])
})
