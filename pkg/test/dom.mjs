// A page without a browser, and React in it. Import this before anything that draws.
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('<!doctype html><body></body>', { url: 'http://localhost/', pretendToBeVisual: true })
for (const name of ['document', 'HTMLElement', 'Element', 'Node', 'MutationObserver', 'DocumentFragment', 'getComputedStyle', 'requestAnimationFrame', 'cancelAnimationFrame']) globalThis[name] = window[name]
globalThis.window = window
globalThis.navigator ??= window.navigator
globalThis.IS_REACT_ACT_ENVIRONMENT = true

const { createElement, StrictMode, act } = await import('react')
const { createRoot } = await import('react-dom/client')

/** Draws a component as in development, where effects run twice; gives what ends it. */
export async function draw(Component, { isStrict = true } = {}) {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const element = createElement(Component)
  await act(async () => root.render(isStrict ? createElement(StrictMode, null, element) : element))
  return {
    place,
    text: () => place.textContent,
    unmount: async () => {
      await act(async () => root.unmount())
      place.remove()
    },
  }
}

export { act, createElement }
