import '../style/bench.css'
import { mount } from 'svelte'
import Bench from './Bench.svelte'
import recordedAt from '../../../../bench/result.json?url'
import type { Recorded } from './figures.ts'

const response = await fetch(recordedAt)
const recorded = (await response.json()) as Recorded
const target = document.querySelector('#app')
if (target) mount(Bench, { target, props: { recorded } })
