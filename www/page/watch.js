const shownText = group => group.parts.map(part => part.text ?? '').join('\n')

/** Looks at every change of a client: is a row there twice, out of its order, or a message of its user gone? */
export function createWatch({ server }) {
  const watch = { looks: 0, twice: 0, lost: 0, astray: 0, detail: '' }
  const sent = { A: new Set(), B: new Set() }

  const repeated = names => names.find((name, index) => name !== undefined && names.indexOf(name) !== index)
  const isOlder = (text, groups) => {
    const first = groups.find(group => group.seq !== undefined)?.seq ?? 0
    return server.log.some(({ seq, role, data }) => seq < first && role === 'user' && data.text.includes(text))
  }
  const found = (kind, words) => {
    watch[kind] += 1
    watch.detail ||= words
  }

  return {
    state: watch,
    /** The user of that client wrote this. */
    wrote: (name, text) => sent[name].add(text),
    /** Somebody took a message back or changed its words: it need not be seen any longer. */
    changed(group) {
      for (const texts of Object.values(sent)) for (const text of texts) if (group !== undefined && shownText(group).includes(text)) texts.delete(text)
    },
    look(name, groups) {
      watch.looks += 1
      for (const field of ['key', 'messageId', 'clientId']) {
        const twice = repeated(groups.filter(({ role }) => field === 'key' || role === 'user').map(group => group[field]))
        if (twice !== undefined) found('twice', `${name}: ${field} ${twice} is shown twice`)
      }
      // A client may be behind the server, but what it has of an open turn stands in the server's order.
      for (const { turnId, rows } of server.turns) {
        const roles = groups.filter(group => group.turnId === turnId).map(group => group.role)
        if (roles.some((role, at) => role !== rows[at]?.role)) found('astray', `${name}: ${turnId} stands as ${roles.join(', ')}`)
      }
      const texts = groups.filter(({ role }) => role === 'user').map(shownText)
      for (const text of sent[name]) {
        if (texts.some(shown => shown.includes(text)) || isOlder(text, groups)) continue
        found('lost', `${name}: “${text}” is gone`)
        sent[name].delete(text)
      }
    },
  }
}
