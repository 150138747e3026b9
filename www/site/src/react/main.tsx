import '../style/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { connect } from '../shared/connect.ts'
import { createThreads } from '../shared/threads.ts'
import { App } from './App.tsx'

const store = await connect()
const target = document.querySelector('#app')
const threads = createThreads()
if (target) createRoot(target).render(<StrictMode><App store={store} threads={threads} /></StrictMode>)
