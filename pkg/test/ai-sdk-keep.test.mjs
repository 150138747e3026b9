import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepMessages } from '../dist/ai-sdk/keep.js'
import { toUIMessages } from '../dist/ai-sdk.js'
import { chance } from './lib.mjs'

test('a kept list is what a new one would be, and another one only where a message is another', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { below, pick } = chance(seed)
    const isWanted = group => group.state !== 'queued'
    const keep = keepMessages(isWanted)
    let count = 0
    const make = () => ({ key: `k${count++}`, role: 'user', state: pick(['live', 'live', 'queued', 'sealed']), streaming: false, parts: [{ type: 'text', text: `${count}` }] })
    let groups = []
    let before = keep(groups)
    for (let step = 0; step < 30; step++) {
      const at = below(groups.length + 1)
      groups = [...groups]
      if (below(3) === 0) groups.splice(at, below(2), make())
      else if (groups.length > 0) groups[below(groups.length)] = make()
      const now = keep(groups)
      const fresh = toUIMessages(groups.filter(isWanted))
      assert.deepEqual(now.map(message => message.id), fresh.map(message => message.id), `seed ${seed}`)
      assert.ok(now.every((message, index) => message === fresh[index]))
      assert.equal(now === before, before.length === fresh.length && before.every((message, index) => message === fresh[index]), `seed ${seed}`)
      assert.equal(keep([...groups]), now)
      before = now
    }
  }
})
