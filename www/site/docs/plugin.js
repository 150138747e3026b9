// The documentation as pages of the site: Markdown of the repository becomes /docs/, with an index for the search.
// The pages are made when vite builds, and anew for each request while it serves.
import MiniSearch from 'minisearch'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, posix, resolve } from 'node:path'
import { BUILT_APART, GROUPS, PAGES, REPOSITORY } from './pages.js'
import { draw, escape, read } from './read.js'
import { SEARCH } from '../src/docs/search.ts'

const site = resolve(import.meta.dirname, '..')
const repository = resolve(site, '../..')
const PICTURE = /\.(svg|png)$/
/** So much of a section is searched: the tables of BENCH.md would be most of the index. */
const SECTION_MAX = 4_000

/** Every page by the file that vite takes it for. */
const entries = new Map([
  ...PAGES.map(page => [resolve(site, `.${page.url}index.html`), () => html(page)]),
  ...BUILT_APART.map(([slug, name]) => [resolve(site, `docs/api/${slug}/index.html`), () => shell({ name, url: `/docs/api/${slug}/` }, apart(name), [])]),
])

export const docs = () => ({
  name: 'turnseal-docs',
  config: () => ({ build: { rollupOptions: { input: Object.fromEntries([...entries.keys()].map(path => [`docs${path.slice(site.length).replace(/\W+/g, '-')}`, path])) } } }),
  resolveId: id => (entries.has(id) ? id : undefined),
  load: id => entries.get(id)?.(),
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'docs/search.json', source: index() })
    for (const path of pictures()) this.emitFile({ type: 'asset', fileName: `docs/files/${basename(path)}`, source: readFileSync(path) })
  },
  configureServer(server) {
    server.middlewares.use(async (request, response, next) => {
      const path = new URL(request.url, 'http://site').pathname
      const page = entries.get(resolve(site, `.${path}index.html`))
      const picture = path.startsWith('/docs/files/') && pictures().find(file => basename(file) === basename(path))
      if (page) response.setHeader('content-type', 'text/html').end(await server.transformIndexHtml(path, page()))
      else if (path === '/docs/search.json') response.setHeader('content-type', 'application/json').end(index())
      else if (picture) response.setHeader('content-type', picture.endsWith('.svg') ? 'image/svg+xml' : 'image/png').end(readFileSync(picture))
      else next()
    })
  },
})

const source = ({ source: path }) => read(readFileSync(resolve(repository, path), 'utf8'))

/** Where a link of a source leads on the site: to a page, to a copy of a picture, or to the file in the repository. */
function target(from, href) {
  if (/^(https?:|#)/.test(href)) return href
  const [path, anchor] = href.split('#')
  const file = posix.join(posix.dirname(from), path)
  const page = PAGES.find(({ source: known }) => known === file || (file === 'docs' && known === 'docs/README.md'))
  if (page) return page.url + (anchor ? `#${anchor}` : '')
  if (PICTURE.test(file)) return `/docs/files/${basename(file)}`
  const isFolder = existsSync(resolve(repository, file)) && statSync(resolve(repository, file)).isDirectory()
  return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${file}${anchor ? `#${anchor}` : ''}`
}

/** The pictures that the pages show, or lead to. */
function pictures() {
  const found = PAGES.flatMap(page => source(page).links.filter(({ href }) => PICTURE.test(href) && !/^https?:/.test(href))
    .map(({ href }) => resolve(repository, posix.join(posix.dirname(page.source), href))))
  return [...new Set(found)]
}

const cut = texts => texts.join('\n').slice(0, SECTION_MAX)

function index() {
  const search = new MiniSearch(SEARCH)
  for (const page of PAGES) {
    const found = source(page)
    for (const { anchor, title, words, code } of found.sections) {
      search.add({ id: `${page.url}#${anchor}`, page: page.name, title: title === found.title ? page.name : title, text: cut(words), code: cut(code) })
    }
  }
  return JSON.stringify(search)
}

function html(page) {
  const found = source(page)
  return shell({ ...page, title: found.title }, draw(found, href => target(page.source, href)), found.headings.filter(({ depth }) => depth === 2))
}

const apart = name => `<h1>${name}</h1><p>This site was built without it: <code>make docs</code> builds both references, and puts them here.</p>`

const entry = ({ url, name }, current) => `<li><a href="${url}"${url === current ? ' aria-current="page"' : ''}>${escape(name)}</a></li>`

function shell({ name, url, title = name, source: path }, body, headings) {
  const list = GROUPS.map(([group, pages]) => `<h2>${group}</h2><ul>${PAGES.filter(page => pages.some(([slug]) => slug === page.slug))
    .map(page => entry(page, url)).join('')}${group === 'Reference' ? BUILT_APART.map(([slug, apart]) => entry({ url: `/docs/api/${slug}/`, name: apart }, url)).join('') : ''}</ul>`).join('')
  const toc = headings.length < 2 ? '' : `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${headings
    .map(({ text, anchor }) => `<li><a href="#${anchor}">${escape(text)}</a></li>`).join('')}</ul></nav>`
  const edit = path ? `<footer><a href="${REPOSITORY}/blob/main/${path}">${path}</a></footer>` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="turnseal: ${escape(title)}">
<title>${title === 'turnseal' ? 'turnseal' : `${escape(title)} · turnseal`}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<script src="/theme.js"></script>
<script type="module" src="/src/docs/main.ts"></script>
</head>
<body class="docs">
<a class="skip" href="#content">To the text</a>
<header class="top">
<a class="brand" href="/docs/"><img src="/icon.svg" alt="">turnseal</a>
<form class="search" role="search"><input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false"><ol class="found" aria-label="Found" hidden></ol></form>
<nav class="doors" aria-label="Site"><a href="/">Chat</a><a href="/lab/">Lab</a><button type="button" class="theme" aria-label="Theme">◐</button></nav>
</header>
<div class="shell">
<details class="menu"><summary>${escape(name)}</summary><nav aria-label="Pages, in the menu">${list}</nav></details>
<nav class="pages" aria-label="Pages">${list}</nav>
<main id="content" class="text">${body}${edit}</main>
${toc}
</div>
</body>
</html>`
}
