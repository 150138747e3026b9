// React and Svelte pass one suite, in a page, each through a driver of its own.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bundle, served } from '../skins/build.mjs'
import * as shared from '../skins/suite.js'
import { own } from '../skins/titles.js'
import { browser, serve } from './server.mjs'

let chrome
let server
before(async () => {
  chrome = await browser()
  server = await serve('<!doctype html><title>page</title><link rel="icon" href="data:,">')
})
after(async () => {
  await chrome?.close()
  server?.close()
})

const render = {
  react: `import { renderToString } from 'react-dom/server'
    import { createElement } from 'react'
    import { Chat } from './chat.react.js'
    export const html = props => '<div>' + renderToString(createElement(Chat, props)) + '</div>'`,
  svelte: `import { render } from 'svelte/server'
    import Chat from './Chat.svelte'
    export const html = props => render(Chat, { props }).body`,
}

for (const name of ['react', 'svelte']) {
  let script
  let given
  before(async () => {
    script = await bundle(`import { cases as shared } from './suite.js'
      import { cases as own } from './${name}.cases.js'
      export { driver } from './${name}.driver.js'
      export const cases = { ...shared, ...own }`)
    const { html, servedStore, createStore } = await served(`${render[name]}
      export { servedStore } from './suite.js'
      export { createStore } from '../../dist/inline.js'`, name)
    const store = servedStore(createStore)
    given = { html: html({ store, threadId: 'main', by: 'key' }), from: store.dehydrate() }
    store.free()
  })
  for (const title of [...Object.keys(shared.cases), ...own[name]]) {
    test(`${name}: ${title}`, async () => {
      const page = await chrome.newPage()
      const said = []
      page.on('pageerror', error => said.push(String(error)))
      page.on('console', message => ['error', 'warning'].includes(message.type()) && said.push(message.text()))
      try {
        await page.goto(server.url)
        await page.addScriptTag({ content: script })
        await page.evaluate(([title, given]) => skin.cases[title](skin.driver, given), [title, given])
        assert.deepEqual(said, [])
      } finally {
        await page.close()
      }
    })
  }
}
