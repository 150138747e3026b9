// The skins on a server: they draw what the store has, also where it came after its first reader.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from '../dist/node.js'
import { isAlike } from '../dist/react-alike.js'
import { served } from './skins/build.mjs'
import { servedStore } from './skins/suite.js'

const servers = {
  react: `import { renderToString } from 'react-dom/server'
    import { createElement } from 'react'
    import { Chat } from './chat.react.js'
    export const html = props => renderToString(createElement(Chat, props))`,
  svelte: `import { render } from 'svelte/server'
    import Chat from './Chat.svelte'
    export const html = props => render(Chat, { props }).body`,
}

for (const [name, code] of Object.entries(servers)) {
  for (const by of ['key', 'group']) {
    test(`${name}: a server draws the rows of a store, by ${by}, as often as it is asked`, async () => {
      const { html } = await served(code, `${name}-${by}`)
      const rows = store => [...html({ store, threadId: 'main', by }).matchAll(/<li data-key="([^"]+)" data-state="(\w+)">([^<]*)<\/li>/g)].map(([, ...found]) => found)
      const store = servedStore(createStore)
      const wanted = () => store.renderGroups().map(group => [group.key, group.state, group.parts[0].text])
      assert.equal(rows(store).length, 6)
      assert.deepEqual(rows(store), wanted())
      store.handleEvent({ type: 'text-delta', turnId: 'a', delta: 'e' })
      assert.deepEqual(rows(store), wanted())
      assert.equal(rows(store).at(-1)[2], 'one')
      const page = createStore({ from: store.dehydrate(), schedule: 'sync' })
      assert.deepEqual(rows(page), wanted(), 'a page starts with the same keys')
      // What `using` calls.
      for (const one of [store, page]) one[Symbol.dispose]()
      assert.throws(() => html({ store, threadId: 'main', by }), { code: 'freed' })
    })
  }
}

test('alike is what holds the same values, one level down', () => {
  const [a, b] = [{}, []]
  for (const [left, right] of [[1, 1], [NaN, NaN], [[a, b], [a, b]], [{ a, b }, { b, a }], [Object.create(null), {}]]) assert.ok(isAlike(left, right))
  for (const [left, right] of [[0, -0], [[a], [{}]], [{ a }, { b: a }], [{ a: undefined }, { b: undefined }], [[], {}], [null, {}], [new Date(0), new Date(0)], [{ a }, { a, b }]]) assert.ok(!isAlike(left, right))
})
