import '../style/index.css'
import { mount } from 'svelte'
import { connect } from '../shared/connect.ts'
import { createThreads } from '../shared/threads.ts'
import App from './App.svelte'

const store = await connect()
const target = document.querySelector('#app')
if (target) mount(App, { target, props: { store, threads: createThreads() } })
