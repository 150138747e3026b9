import '../style/lab.css'
import { mount } from 'svelte'
import { init } from 'turnseal'
import Lab from './Lab.svelte'

await init()
const target = document.querySelector('#app')
if (target) mount(Lab, { target })
