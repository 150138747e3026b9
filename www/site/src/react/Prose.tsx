import { memo } from 'react'
import { blocks } from '../shared/markdown.ts'

export function Prose({ text, growing }: { text: string; growing: boolean }) {
  return (
    <div className="prose" data-growing={growing ? '' : undefined}>
      {blocks(text, growing).map((html, at) => <Block key={at} html={html} />)}
    </div>
  )
}

const Block = memo(function Block({ html }: { html: string }) {
  return <div className="block" dangerouslySetInnerHTML={{ __html: html }} />
})
