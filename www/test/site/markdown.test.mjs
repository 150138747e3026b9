// What a model says becomes Markdown, grows without jumping, and is never HTML.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { root, startChromium } from '../chromium.mjs'
import { VIEWS, open, quiet, serve, write } from './lib.mjs'

const esbuild = createRequire(`${root}/pkg/package.json`)('esbuild')
const { code } = esbuild.transformSync(readFileSync(`${root}/www/site/src/shared/mend.ts`, 'utf8'), { loader: 'ts' })
const { mend } = await import(`data:text/javascript,${encodeURIComponent(code)}`)

let chromium
before(async () => (chromium = await startChromium()))
after(() => chromium?.close())

test('a block that grows is drawn as if its marks were closed', () => {
  for (const [raw, mended] of [
    ['plain words', 'plain words'],
    ['a **bold', 'a **bold**'],
    ['a **bold ', 'a **bold** '],
    ['an *italic', 'an *italic*'],
    ['a **bold** and *italic', 'a **bold** and *italic*'],
    ['a `code', 'a `code`'],
    ['a **', 'a '],
    ['see [the docs', 'see the docs'],
    ['see [the docs](https://exa', 'see the docs'],
    ['see [the docs](https://example.org)', 'see [the docs](https://example.org)'],
    ['* a list\n* of things', '* a list\n* of things'],
    ['```js\nconst a = 1 * 2', '```js\nconst a = 1 * 2'],
    ['`**` is a mark', '`**` is a mark'],
  ]) assert.equal(mend(raw), mended)
})

const HOSTILE = `# A title

Words with **weight**, \`code\`, and a [link](https://example.org/a?b=1&c=2).

<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>

[press](javascript:document.title='owned') ![picture](https://example.org/track.png)

\`\`\`js
const a = '<b>'
\`\`\`

| a | b |
| --- | --- |
| 1 | <i>2</i> |
`

for (const view of VIEWS) {
  test(`${view}: what a model says is Markdown, and never HTML`, { timeout: 60_000 }, async t => {
    const folder = mkdtempSync(`${tmpdir()}/turnseal-replay-`)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    // In pieces of three characters, so that every mark is cut somewhere.
    const pieces = HOSTILE.match(/[^]{1,3}/g).map(content => JSON.stringify({ choices: [{ delta: { content } }] }))
    writeFileSync(`${folder}/said.sse`, [...pieces, JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] }), '[DONE]', ''].join('\n'))
    const server = await serve(t, { pace: 20, args: ['--model', 'replay', '--replay', `${folder}/said.sse`] })
    const page = await open(chromium, server, view)
    const title = await page.title()
    await write(page, 'Say it')
    await quiet(page)
    const prose = page.locator('.prose')
    assert.equal(await prose.locator('img, script, i, b, [onerror]').count(), 0)
    assert.match(await prose.textContent(), /<img src=x onerror="document\.title='owned'">/)
    assert.match(await prose.textContent(), /<i>2<\/i>/)
    assert.equal(await prose.locator('h1').textContent(), 'A title')
    assert.equal(await prose.locator('strong').textContent(), 'weight')
    assert.equal(await prose.locator('pre code').textContent(), "const a = '<b>'")
    const links = await prose.locator('a').evaluateAll(all => all.map(link => [link.textContent, link.getAttribute('href'), link.rel, link.target]))
    assert.deepEqual(links.find(([text]) => text === 'link'), ['link', 'https://example.org/a?b=1&c=2', 'noopener noreferrer nofollow', '_blank'])
    assert.ok(links.every(([, href]) => href === null || href.startsWith('https://')), JSON.stringify(links))
    assert.equal(await page.title(), title)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await prose.getByRole('button', { name: 'Copy' }).click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "const a = '<b>'")
  })
}
