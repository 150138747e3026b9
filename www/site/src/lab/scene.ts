// What is shown, as a scenario draws it, and the whole of what was played as a scenario file.
import type { Group, Part } from 'turnseal'
import { quoted } from './lines.ts'
import type { World } from './world.ts'

function part(one: Part): string {
  switch (one.type) {
    case 'text': return `text ${quoted(one.text)}`
    case 'reasoning': return `think ${quoted(one.text)}${one.sealed ? ' closed' : ''}`
    case 'tool': return `tool ${one.callId} ${one.name} ${one.state} step=${one.step}${one.result === undefined ? '' : ` = ${JSON.stringify(one.result)}`}`
    case 'notice':
    case 'error': return `${one.type} ${quoted(one.text)}`
    default: return `part ${JSON.stringify(one)}`
  }
}

/** The lines of a block `view`, as the runner of `tests/scenarios` draws them. */
export function view(groups: readonly Group[]): string[] {
  const lines = groups.flatMap(group => {
    const [first, ...rest] = group.parts
    const isText = first?.type === 'text'
    const head = [group.role, group.state, ownerOf(group), isText ? quoted(first.text) : '', group.intent === 'steer' ? 'steer' : '', group.error === undefined ? '' : `why=${quoted(group.error)}`]
    const out = [head.filter(word => word !== '').join('  '), ...(isText ? rest : group.parts).map(one => `  ${part(one)}`)]
    if (group.streaming) out.push(`${out.pop() ?? ''}~`)
    return out
  })
  return lines.length === 0 ? ['none'] : lines
}

/** The word behind the state: the turn, or the name of a message whose turn has not begun here. */
function ownerOf({ state, turnId, messageId, clientId }: Group): string {
  return (state === 'starting' ? undefined : turnId) ?? messageId ?? clientId ?? '-'
}

const blocks = (world: World) => world.clients().flatMap(({ number, store }) => [`  view ${number}`, ...view(store.renderGroups('main')).map(line => `    ${line}`)])

/** The file: what was played, what each client shows then, and what it shows once all has arrived. `rest` is another world. */
export function scenario(title: string, lines: readonly string[], now: World, rest: World): string {
  for (const line of lines) rest.play(line)
  rest.play('quiet')
  return [`# ${title}`, ...lines, ...blocks(now), 'quiet', ...blocks(rest), ''].join('\n')
}
