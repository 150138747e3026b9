// make release-dry-run: everything that a release does but the release itself; a table closes the run.
import { readFileSync } from 'node:fs'
import { at, fail, must, run, table, tool, version } from './lib.mjs'

/** What names the version, and what it says. */
function versions() {
  const read = path => readFileSync(at(path), 'utf8')
  const found = (path, pattern) => [path, pattern.exec(read(path))?.[1] ?? 'none']
  return [
    ['pkg/package.json', version],
    found('pkg/package-lock.json', /"version": "([^"]+)"/),
    found('Cargo.toml', /\[package\]\nname = "turnseal"\nversion = "([^"]+)"/),
    found('CHANGELOG.md', /^## (\d[^,\s]*)/m),
    found('README.md', /turnseal-(\d[\w.-]*)\.tgz/),
  ]
}

async function sameVersion() {
  const others = versions().filter(([, said]) => said !== version)
  for (const [path, said] of others) console.error(`release: ${path} says ${said}, not ${version}`)
  return others.length === 0
}

/** The crate has its sources and its papers: a pattern without its slash takes what other folders have of that name, too. */
async function crateFiles() {
  const papers = ['.cargo_vcs_info.json', 'CHANGELOG.md', 'Cargo.lock', 'Cargo.toml', 'Cargo.toml.orig', 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md']
  const { code, output } = await run('cargo package --list --allow-dirty -p turnseal 2>/dev/null', { quiet: true })
  const listed = output.trim().split('\n')
  const foreign = listed.filter(path => !papers.includes(path) && !/^src\/.+\.rs$/.test(path))
  const missing = [...papers, 'src/lib.rs'].filter(path => !listed.includes(path))
  for (const path of foreign) console.error(`release: the crate would carry ${path}`)
  for (const path of missing) console.error(`release: the crate would lack ${path}`)
  console.log(`${listed.length} files`)
  return code === 0 && foreign.length === 0 && missing.length === 0
}

const ok = command => async () => (await run(command, { minutes: 20 })).code === 0
const tarball = at(`target/pack/turnseal-${version}.tgz`)
// A tree with uncommitted changes can be tried; a release is made from a clean one.
const steps = [
  ['versions', sameVersion],
  ['licences', ok(`'${tool('cargo-deny')}' --log-level error --all-features check licenses && node scripts/npm-licences.mjs`)],
  ['tarball', ok('node scripts/build.mjs && node scripts/pack.mjs')],
  ['npm publish', ok(`npm publish --dry-run --access public --tag next '${tarball}'`)],
  ['crate files', crateFiles],
  ['cargo publish', ok('cargo publish --dry-run --allow-dirty -p turnseal')],
]

const rows = []
for (const [name, step] of steps) {
  console.log(`\n== ${name}`)
  rows.push([name, (await step()) ? 'ok' : 'FAILED'])
}
const { output } = await run('git status --porcelain', { quiet: true })
rows.push(['clean tree', output.trim() === '' ? 'ok' : 'no: commit first'])
await must(`ls -l '${tarball}'`)
console.log(`\n${table([['release', ''], ...rows])}`)
if (rows.some(([, result]) => result === 'FAILED')) fail('release: not ready')
