import { Icon } from './Icon.tsx'

export function Thoughts({ text, growing }: { text: string; growing: boolean }) {
  return (
    <details className="thoughts" data-growing={growing ? '' : undefined}>
      <summary><Icon name="right" size={14} /><span>{growing ? 'Thinking…' : 'Thoughts'}</span></summary>
      <p>{text}</p>
    </details>
  )
}
