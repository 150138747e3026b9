/** An element. Text is always set as text: nothing of a message ever becomes HTML. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (name === 'on') for (const [type, run] of Object.entries(value)) node.addEventListener(type, run)
    else if (name === 'class') node.className = value
    else if (name === 'data') Object.assign(node.dataset, value)
    else if (name in node) node[name] = value
    else node.setAttribute(name, value)
  }
  node.append(...children.filter(child => child !== undefined && child !== ''))
  return node
}

export const button = (label, run, props = {}) => el('button', { type: 'button', on: { click: run }, ...props }, label)

/** A colour for a turn, so that rows and chunks of one turn are seen to belong together. */
export function tint(node, turnId) {
  if (turnId === undefined) return node
  let sum = 0
  for (const letter of turnId) sum = (sum * 31 + letter.charCodeAt(0)) % 997
  node.style.setProperty('--turn', `hsl(${(sum * 137) % 360} 55% 55%)`)
  return node
}

/** Keeps a list at its end while the reader is there. */
export function atEnd(list, draw) {
  const isThere = list.scrollHeight - list.scrollTop - list.clientHeight < 24
  draw()
  if (isThere) list.scrollTop = list.scrollHeight
}
