import { useEffect, useState } from 'react'
import { CALM, type Chaos, SLIDERS, STORM, isChaotic, readChaos, writeChaos } from '../shared/chaos.ts'
import { Icon } from './Icon.tsx'

export function Weather() {
  const [chaos, setChaos] = useState<Chaos>()
  const [open, setOpen] = useState(false)
  useEffect(() => void readChaos().then(setChaos), [open])
  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      setOpen(false)
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [open])
  const set = (next: Chaos) => {
    setChaos(next)
    void writeChaos(next).catch(() => undefined)
  }
  if (!chaos) return null
  return (
    <>
      <button type="button" className={`icon${isChaotic(chaos) ? ' on' : ''}`} aria-label="Bad network" title="Bad network" aria-expanded={open} onClick={() => setOpen(!open)}><Icon name="storm" /></button>
      {open && (
        <div className="panel" role="dialog" aria-labelledby="weather">
          <h2 id="weather">A bad network</h2>
          <p>The server plays it for every page that is open.</p>
          {SLIDERS.map(({ name, label, unit, max, step }) => (
            <label key={name}>
              <span>{label}</span><output>{chaos[name] ? `${chaos[name]} ${unit}` : 'off'}</output>
              <input type="range" min="0" max={max} step={step} value={chaos[name]} onChange={event => set({ ...chaos, [name]: event.currentTarget.valueAsNumber })} />
            </label>
          ))}
          <footer>
            <button type="button" className="button" onClick={() => set(CALM)}>Calm</button>
            <button type="button" className="button" onClick={() => set(STORM)}>Storm</button>
          </footer>
        </div>
      )}
    </>
  )
}
