import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The page talks to its own server, and Vite hands that on: HTTP and the socket.
const target = process.env.BACKEND ?? 'http://127.0.0.1:8787'

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2022' },
  server: { proxy: { '/threads': { target }, '/ws': { target, ws: true } } },
})
