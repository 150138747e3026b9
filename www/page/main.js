import { createStore, init } from '/turnseal/index.js'
import { createColumn } from './column.js'
import { el } from './dom.js'
import { createPaper } from './paper.js'
import { play } from './play.js'
import { readRecording, replay, writeRecording } from './tape.js'
import { createWorld } from './world.js'

const id = name => document.getElementById(name)
const asked = new URLSearchParams(location.search)
const number = (name, usual) => {
  const value = Number(asked.get(name) ?? usual)
  return Number.isFinite(value) ? value : usual
}
const settings = { delay: number('delay', 180), loss: number('loss', 6) / 100, skew: number('skew', 50) / 100 }
const words = {
  busy: 'Network busy',
  equal: 'Both clients equal the log and the queue',
  differs: 'A client differs from the log',
  locked: 'Folds wait while a client reads older rows',
}
const SAID_MAX = 200

let [speed, isPaused] = [number('speed', 1), false]
let [world, columns, paper] = [undefined, {}, undefined]
let endPlay = () => {}
const dirty = new Set()

function said(name, { code, detail }) {
  id('said').prepend(el('li', {}, el('span', { class: 'seq' }, `${(world?.clock.now() ?? 0) / 1000 | 0} s`), el('b', {}, `${name} ${code}`), ` ${detail}`))
  id('said-count').textContent = String(Number(id('said-count').textContent) + 1)
  if (id('said').children.length > SAID_MAX) id('said').lastChild.remove()
}

/** A new server and two new clients, with the seed in the field. */
function restart({ isEmpty = false } = {}) {
  endPlay()
  world?.free()
  dirty.clear()
  id('said').replaceChildren()
  id('said-count').textContent = '0'
  const seed = Math.max(1, Math.trunc(Number(id('seed').value)) || 1)
  world = createWorld({ createStore, seed, settings, isEmpty, onChange: name => dirty.add(name), onDiagnostic: said })
  paper = createPaper(world)
  columns = Object.fromEntries(
    Object.entries(world.clients).map(([name, client]) => [name, createColumn({ name, client, onLook: turnId => paper.look(turnId) })]),
  )
  id('main').replaceChildren(columns.A.node, columns.B.node, paper.node)
  id('play').disabled = false
  document.documentElement.dataset.play = 'none'
  show()
}

function begin(start) {
  id('play').disabled = true
  document.documentElement.dataset.play = 'playing'
  endPlay = start(world, () => {
    id('play').disabled = false
    document.documentElement.dataset.play = 'done'
  })
}

function show() {
  for (const name of dirty) (columns[name] ?? paper).draw()
  dirty.clear()
  const { state, checks, faults, detail } = world.verdict
  const light = id('light')
  if (light.dataset.state !== state || light.dataset.checks !== String(checks)) {
    Object.assign(light.dataset, { state, checks, faults })
    light.title = detail
    id('words').textContent = state === 'differs' ? `${words.differs}: ${detail}` : words[state]
  }
  const { sent, lost, air } = world.network.count
  id('air').textContent = `Network: ${sent} messages, ${lost} lost, ${air} on their way`
  const { looks, twice, lost: gone, astray, detail: first } = world.watch
  const watch = id('watch')
  watch.textContent = `Each change looked at: ${looks}, rows twice: ${twice}, out of order: ${astray}, messages gone: ${gone}${first === '' ? '' : ` (${first})`}`
  watch.classList.toggle('trouble', twice + gone + astray > 0)
}

function run() {
  let last = performance.now()
  const frame = now => {
    // A page that was hidden goes on where it was.
    const ms = Math.min(now - last, 100)
    last = now
    if (!isPaused) world.clock.advance(ms * speed)
    show()
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

function slider(name, scale, unit) {
  const input = id(name)
  const tell = () => {
    settings[name] = Number(input.value) / scale
    input.nextElementSibling.textContent = `${input.value} ${unit}`
  }
  input.value = String(settings[name] * scale)
  input.addEventListener('input', tell)
  tell()
}

function complain(text) {
  id('notice').hidden = text === ''
  id('notice').textContent = text
}

async function load(file) {
  complain('')
  const { lines, refused } = readRecording(await file.text())
  if (lines.length === 0) return complain(`${file.name} holds no events and no chunks.`)
  if (refused > 0) complain(`${refused} lines of ${file.name} are neither events nor chunks; they were left out.`)
  restart({ isEmpty: true })
  begin((made, done) => replay(made, lines, done))
}

function save() {
  const url = URL.createObjectURL(new Blob([writeRecording(world.server.tape)], { type: 'application/jsonl' }))
  el('a', { href: url, download: `turnseal-${id('seed').value}.jsonl` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

id('seed').value = String(number('seed', 1 + Math.floor(Math.random() * 9999)))
if ([...id('speed').options].every(option => Number(option.value) !== speed)) id('speed').append(el('option', { value: String(speed) }, `${speed}×`))
id('speed').value = String(speed)
id('speed').addEventListener('change', () => (speed = Number(id('speed').value)))
id('pause').addEventListener('click', () => {
  isPaused = !isPaused
  id('pause').textContent = isPaused ? 'Go on' : 'Pause'
  id('pause').setAttribute('aria-pressed', String(isPaused))
})
id('play').addEventListener('click', () => begin(play))
id('restart').addEventListener('click', () => restart())
id('load').addEventListener('change', event => {
  const [file] = event.target.files
  if (file !== undefined) load(file)
  event.target.value = ''
})
id('save').addEventListener('click', save)
slider('delay', 1, 'ms')
slider('loss', 100, '%')
slider('skew', 100, '%')

try {
  await init()
  restart()
  if (asked.get('auto') === '1') begin(play)
  run()
} catch (thrown) {
  complain(`The store could not be loaded: ${thrown.message}`)
}
