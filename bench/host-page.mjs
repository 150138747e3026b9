// The same lanes in a page, bundled: `bench/hosts.mjs` asks for one at a time.
import { createStore } from '../pkg/dist/inline.js'
import { play } from './lanes/index.mjs'

globalThis.lane = options => play(createStore, options)
