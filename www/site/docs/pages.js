// The pages below /docs/, in the order of the sidebar: which Markdown of the repository each is made of.
export const REPOSITORY = 'https://github.com/turnseal/turnseal'

/** Group, and in it the slug of each page, its source and what the sidebar calls it. */
export const GROUPS = [
  ['To begin', [
    ['', 'docs/README.md', 'All pages'],
    ['start', 'README.md', 'First steps'],
    ['concepts', 'docs/concepts.md', 'Concepts'],
    ['recipes', 'docs/recipes.md', 'Recipes'],
    ['migrate', 'docs/migrate.md', 'Migrating'],
    ['compare', 'docs/compare.md', 'Compared'],
  ]],
  ['Servers', [
    ['protocol', 'docs/protocol.md', 'Events for back ends'],
    ['server', 'www/server/PROTOCOL.md', 'The reference server'],
  ]],
  ['When it goes wrong', [
    ['troubleshooting', 'docs/troubleshooting.md', 'Troubleshooting'],
    ['diagnostics', 'docs/diagnostics.md', 'Diagnostics and errors'],
  ]],
  ['Reference', [
    ['api', 'docs/api.md', 'Entries and crate'],
    ['changes', 'CHANGELOG.md', 'Changes'],
  ]],
  ['How it is made', [
    ['costs', 'BENCH.md', 'What it costs'],
    ['proof', 'PROOF.md', 'What is proven'],
    ['architecture', 'ARCHITECTURE.md', 'Architecture'],
    ['contributing', 'CONTRIBUTING.md', 'Contributing'],
  ]],
]

export const PAGES = GROUPS.flatMap(([group, pages]) => pages.map(([slug, source, name]) => ({ group, slug, source, name, url: slug ? `/docs/${slug}/` : '/docs/' })))

/** What `make docs` builds beside the pages: folder below /docs/api/, and its name. Until then a page there says so. */
export const BUILT_APART = [
  ['js', 'TypeScript reference'],
  ['rust/turnseal', 'Rust reference'],
]
