// One page for each door: `/` and `/svelte/` are the chat in Svelte, `/react/` is the same in React, `/lab/` holds messages
// back, `/bench/` measures; `/docs/` is to read.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { docs } from './docs/plugin.js'

const page = path => resolve(import.meta.dirname, path)

export default defineConfig({
  plugins: [svelte(), react(), docs()],
  worker: { format: 'es' },
  build: {
    outDir: page('dist'),
    target: 'es2023',
    assetsInlineLimit: 0,
    rollupOptions: { input: { index: page('index.html'), svelte: page('svelte/index.html'), react: page('react/index.html'), lab: page('lab/index.html'), bench: page('bench/index.html') } },
  },
  // For work on the pages: `turnseal-server --port 8787`, and `npx vite` beside it.
  server: {
    proxy: {
      '/ws': { target: 'http://127.0.0.1:8787', ws: true, changeOrigin: true },
      '/threads': 'http://127.0.0.1:8787',
      '/chaos': 'http://127.0.0.1:8787',
    },
  },
})
