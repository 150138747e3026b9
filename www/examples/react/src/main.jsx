import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createStore, init } from 'turnseal'
import { Chat } from './Chat.jsx'
import './style.css'

await init()
const store = createStore({
  connect: { url: '/' }, // The page's own server; vite.config.js says where that is.
  onDiagnostic: ({ code, detail }) => console.warn(`turnseal: ${code}: ${detail}`),
})

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <Chat store={store} />
  </StrictMode>,
)
