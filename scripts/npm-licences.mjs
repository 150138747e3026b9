// The npm package has no runtime dependency, so a user gets no licence but ours. What the lock file would install
// for a user is named here with its licence, and fails the check.
import { readFileSync } from 'node:fs'
import { at, fail } from './lib.mjs'

const manifest = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8'))
const { packages } = JSON.parse(readFileSync(at('pkg/package-lock.json'), 'utf8'))
const shipped = Object.entries(packages).filter(([path, entry]) => path && !entry.dev && !entry.devOptional && !entry.peer)
const named = ['dependencies', 'optionalDependencies', 'bundleDependencies'].filter(field => manifest[field] !== undefined)

if (manifest.license !== 'MIT OR Apache-2.0') fail(`npm licences: package.json says ${manifest.license}`)
if (named.length > 0) fail(`npm licences: package.json has ${named.join(', ')}`)
if (shipped.length > 0) fail(`npm licences: a user would get ${shipped.map(([path, { license }]) => `${path} (${license})`).join(', ')}`)
console.log('npm licences: no runtime dependency')
