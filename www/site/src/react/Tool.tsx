import { useEffect, useRef, useState } from 'react'
import type { Thread, ToolPart } from 'turnseal'
import { type Shown, isActive, question, toolInput, toolName, toolOutput, toolResult, toolState, toolSummary } from '../shared/format.ts'
import { followEnd } from '../shared/page.ts'
import { Icon } from './Icon.tsx'

export function Tool({ tool, thread }: { tool: ToolPart; thread: Thread }) {
  const output = toolOutput(tool)
  const [choice, setChoice] = useState<boolean>()
  // What prints is opened, and stays so for as long as it is on the page.
  const [printed, setPrinted] = useState(false)
  if (!printed && isActive(tool) && output !== '') setPrinted(true)
  const open = choice ?? printed
  return (
    <section className="tool" data-state={tool.state} aria-label={`${toolName(tool.name)}: ${toolState(tool)}`}>
      <button type="button" className="bar" aria-expanded={open} onClick={() => setChoice(!open)}>
        <span className="mark"><Mark state={tool.state} /></span>
        <span className="name">{toolName(tool.name)}</span>
        <span className="about">{toolSummary(tool)}</span>
        <span className="doing">{toolState(tool)}</span>
        <span className="turn"><Icon name="right" size={15} /></span>
      </button>
      {tool.state === 'awaiting-approval' && <Ask tool={tool} thread={thread} />}
      {open && <Body tool={tool} output={output} />}
    </section>
  )
}

function Mark({ state }: { state: ToolPart['state'] }) {
  if (state === 'done') return <Icon name="check" size={16} />
  if (state === 'awaiting-approval' || state === 'error') return <Icon name="alert" size={16} />
  if (state === 'denied') return <Icon name="close" size={16} />
  if (state === 'interrupted') return <Icon name="stopped" size={16} />
  return <i className="spinner" />
}

function Ask({ tool: { approval, callId }, thread }: { tool: ToolPart; thread: Thread }) {
  const { words, about } = question(approval?.prompt)
  const answering = approval?.state === 'answering'
  return (
    <div className="ask" role="group" aria-label="Approval">
      <p>{words}{about && <code>{about}</code>}</p>
      <button type="button" className="button small" disabled={answering} onClick={() => thread.deny(callId)}>Deny</button>
      <button type="button" className="button small primary" disabled={answering} onClick={() => thread.approve(callId)}>Approve</button>
    </div>
  )
}

function Body({ tool, output }: { tool: ToolPart; output: string }) {
  const input = toolInput(tool)
  return (
    <div className="body">
      {input && <div><h3>Input</h3><pre>{input}</pre></div>}
      {output && <div><h3>Output</h3><Terminal text={output} /></div>}
      <Result shown={toolResult(tool)} isBad={tool.isError === true} />
    </div>
  )
}

function Terminal({ text }: { text: string }) {
  const pre = useRef<HTMLPreElement>(null)
  useEffect(() => (pre.current ? followEnd(pre.current) : undefined), [])
  return <pre className="terminal" tabIndex={0} aria-label="Output" ref={pre}>{text}</pre>
}

function Result({ shown, isBad }: { shown: Shown; isBad: boolean }) {
  if (shown.kind === 'none') return null
  if (shown.kind === 'text') return <div><h3>Result</h3><pre className={isBad ? 'bad' : undefined}>{shown.text}</pre></div>
  return (
    <div>
      <h3>Result</h3>
      <div className="table" tabIndex={0} role="region" aria-label="Result">
        <table>
          <thead><tr>{shown.columns.map((column, at) => <th key={at}>{column}</th>)}</tr></thead>
          <tbody>{shown.rows.map((row, at) => <tr key={at}>{row.map((cell, place) => <td key={place}>{cell}</td>)}</tr>)}</tbody>
        </table>
      </div>
    </div>
  )
}
