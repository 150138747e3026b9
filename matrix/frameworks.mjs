// Frameworks that render on a server and take the page over in the browser. A press on the page feeds the store once more.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WORDS, freePort } from './pages.mjs'

const MORE = 'and more'
const notice = text => `store.handleEvent({ type: 'notice', message: '${text}' })`

// What a server knows goes to the page as text, and the page starts from it.
const reactChat = entry => `import { createStore } from '${entry}'
import { useGroups, useThread } from 'turnseal/react'
import { useState } from 'react'

export function Chat({ from }) {
  const [store] = useState(() => createStore({ from, schedule: 'sync' }))
  const status = useThread(store, 'main', state => state.status)
  const groups = useGroups(store.thread())
  const text = groups.flatMap(group => group.parts).map(part => part.text).join(', ')
  return <div id="app" data-status={status} onClick={() => ${notice(MORE)}}>{text}</div>
}
`
// On a server the first entry has its file at hand.
const serverState = entry => `import { createStore } from '${entry}'
export function state() {
  const store = createStore({ schedule: 'sync' })
  ${notice(WORDS)}
  return store.dehydrate()
}
`

const next = (name, flag, says) => ({
  name,
  set: 'next',
  isSlow: true,
  says,
  run: async tools => {
    tools.write({
      'package.json': '{"name":"app","private":true}',
      'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(join(tools.folder, '..'))} }, outputFileTracingRoot: ${JSON.stringify(join(tools.folder, '..'))} }\n`,
      'app/layout.jsx': 'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html> }\n',
      'app/chat.jsx': `'use client'\n${reactChat('turnseal/inline')}`,
      'app/state.js': serverState('turnseal/inline'),
      'app/page.jsx': "import { Chat } from './chat'\nimport { state } from './state'\nexport const dynamic = 'force-dynamic'\nexport default function Page() { return <Chat from={state()} /> }\n",
      // The entry whose wasm is a file, in the browser alone: what Next bundles for its server has no file beside it.
      'app/file/page.jsx': `'use client'
import { createStore, init } from 'turnseal'
import { useEffect, useState } from 'react'
export default function Page() {
  const [text, setText] = useState('')
  useEffect(() => {
    init().then(() => {
      const store = createStore({ schedule: 'sync' })
      ${notice(WORDS)}
      setText(store.renderGroups()[0].parts[0].text)
    })
  }, [])
  return <div id="app">{text}</div>
}
`,
    })
    await tools.sh(`'${tools.bin('next')}' build ${flag}`, { minutes: 6 })
    const port = await freePort()
    const html = await tools.start(tools.bin('next'), ['start', '-p', String(port), '-H', '127.0.0.1'], `http://127.0.0.1:${port}/`, tools.folder)
    if (!html.includes(WORDS)) throw new Error('the server did not render it')
    await tools.look(`http://127.0.0.1:${port}/`, { after: MORE })
    await tools.look(`http://127.0.0.1:${port}/file`)
  },
})

const viteSsr = (name, entry, says) => ({
  name,
  says,
  run: async tools => {
    const { build } = await import(pathToFileURL(join(tools.packages, 'vite/dist/node/index.js')).href)
    tools.write({
      'chat.jsx': reactChat(entry),
      'state.js': serverState('turnseal'),
      'server.jsx': "import { renderToString } from 'react-dom/server'\nimport { Chat } from './chat.jsx'\nimport { state } from './state.js'\nexport function render() {\n  const from = state()\n  return { html: renderToString(<Chat from={from} />), from }\n}\n",
      'client.jsx': `import { hydrateRoot } from 'react-dom/client'\nimport { init } from '${entry}'\nimport { Chat } from './chat.jsx'\nawait init()\nhydrateRoot(document.querySelector('#root'), <Chat from={document.querySelector('#state').textContent} />)\n`,
    })
    const base = { root: tools.folder, configFile: false, logLevel: 'error', oxc: { jsx: { runtime: 'automatic' } }, define: { 'process.env.NODE_ENV': '"production"' } }
    await build({ ...base, build: { ssr: 'server.jsx', outDir: 'server', target: 'es2022' } })
    await build({ ...base, build: { outDir: 'dist', target: 'es2022', rolldownOptions: { input: 'client.jsx', output: { entryFileNames: 'client.js' } } } })
    const { render } = await import(pathToFileURL(tools.files().find(file => /\/server\/server\.m?js$/.test(file))).href)
    const { html, from } = render()
    if (!html.includes(WORDS)) throw new Error('the server did not render it')
    tools.write({ 'dist/index.html': `<!doctype html><link rel="icon" href="data:,"><div id="root">${html}</div><script type="application/json" id="state">${from.replaceAll('<', '\\u003c')}</script><script type="module" src="client.js"></script>` })
    await tools.look(await tools.serve({ '/': join(tools.folder, 'dist') }), { after: MORE })
  },
})

export const frameworks = [
  viteSsr('vite-ssr', 'turnseal', 'await init() before hydrateRoot'),
  viteSsr('vite-ssr-inline', 'turnseal/inline', 'nothing'),
  {
    name: 'sveltekit',
    says: 'nothing',
    run: async tools => {
      tools.write({
        'package.json': '{"name":"app","private":true,"type":"module"}',
        'svelte.config.js': 'export default { kit: {} }\n',
        'vite.config.js': "import { sveltekit } from '@sveltejs/kit/vite'\nexport default { plugins: [sveltekit()] }\n",
        'src/app.html': '<!doctype html><html lang="en"><head><link rel="icon" href="data:,">%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
        'src/routes/state.js': serverState('turnseal'),
        'src/routes/+page.server.js': "import { state } from './state.js'\nexport const load = () => ({ from: state() })\n",
        'src/routes/+page.svelte': `<script>
  import { createStore } from 'turnseal/inline'
  import { ThreadState } from 'turnseal/svelte'
  let { data } = $props()
  const store = createStore({ from: data.from, schedule: 'sync' })
  const chat = new ThreadState(store.thread())
</script>

<button id="app" onclick={() => ${notice(MORE)}}>{chat.groups.flatMap(group => group.parts).map(part => part.text).join(', ')}</button>
`,
        // The entry whose wasm is a file: on the server from its folder, in the browser by its address.
        'src/routes/file/+page.svelte': `<script>
  import { createStore, init } from 'turnseal'
  import { onMount } from 'svelte'
  let text = $state('')
  onMount(async () => {
    await init()
    const store = createStore({ schedule: 'sync' })
    ${notice(WORDS)}
    text = store.renderGroups()[0].parts[0].text
  })
</script>

<div id="app">{text}</div>
`,
      })
      await tools.sh(`'${tools.bin('vite')}' build`)
      const port = await freePort()
      const html = await tools.start(tools.bin('vite'), ['preview', '--port', String(port), '--host', '127.0.0.1'], `http://127.0.0.1:${port}/`, tools.folder)
      if (!html.includes(WORDS)) throw new Error('the server did not render it')
      await tools.look(`http://127.0.0.1:${port}/`, { after: MORE })
      await tools.look(`http://127.0.0.1:${port}/file`)
    },
  },
  next('next-webpack', '--webpack', 'nothing'),
  next('next-turbopack', '--turbopack', 'nothing'),
]
