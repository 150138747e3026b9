// The npm package has no runtime dependency, so a user gets no licence but ours. What the lock file would install
// for a user is named here with its licence, and fails the check. The site and the examples are
// built from other people's packages: each has a licence of the list.
import { existsSync, readFileSync } from 'node:fs'
import { examples } from './examples.mjs'
import { at, fail } from './lib.mjs'

const LICENCES = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'Zlib', 'Unicode-3.0', 'MPL-2.0']

const manifest = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8'))
const { packages } = JSON.parse(readFileSync(at('pkg/package-lock.json'), 'utf8'))
const shipped = Object.entries(packages).filter(([path, entry]) => path && !entry.dev && !entry.devOptional && !entry.peer)
const named = ['dependencies', 'optionalDependencies', 'bundleDependencies'].filter(field => manifest[field] !== undefined)

if (manifest.license !== 'MIT OR Apache-2.0') fail(`npm licences: package.json says ${manifest.license}`)
if (named.length > 0) fail(`npm licences: package.json has ${named.join(', ')}`)
if (shipped.length > 0) fail(`npm licences: a user would get ${shipped.map(([path, { license }]) => `${path} (${license})`).join(', ')}`)

const isAllowed = (licence = '') => licence.replace(/[()]/g, '').split(' OR ').some(one => one.split(' AND ').every(part => LICENCES.includes(part)))
const locks = ['site', ...Object.keys(examples).map(name => `examples/${name}`)].map(name => `www/${name}/package-lock.json`).filter(path => existsSync(at(path)))
const used = locks.flatMap(lock => Object.entries(JSON.parse(readFileSync(at(lock), 'utf8')).packages).filter(([path]) => path).map(([path, { license }]) => ({ path: `${lock}: ${path}`, license })))
const foreign = used.filter(({ license }) => !isAllowed(license))
if (foreign.length > 0) fail(`npm licences: not of the list: ${foreign.map(({ path, license }) => `${path} (${license})`).join(', ')}`)
console.log(`npm licences: no runtime dependency; the ${used.length} packages of the site and the examples are of the list`)
