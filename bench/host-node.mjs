// One lane in a process of its own: what other lanes have compiled or left in memory does not count. Prints JSON.
import { createStore } from '../pkg/dist/node.js'
import { play } from './lanes/index.mjs'

const costs = await play(createStore, JSON.parse(process.argv[2]))
process.stdout.write(`${JSON.stringify(costs)}\n`, () => process.exit(0)) // A peer's open stream would hold the process.
