#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createStore } from './node.js'
import { RULES, checkRecording, formatReport } from './testing.js'
import { messageOf } from './errors.js'

const HELP = `turnseal-check FILE ... : tells which rules a recorded event stream breaks.

A file has JSON lines: events, rows of the log ({ seq, role, ... }), pages ({ chunks }); or it is what store.record()
gave. - is standard input. Exit code 1: a rule is broken. 2: a file cannot be read.

${Object.entries(RULES).map(([rule, [law, says]]) => `${law.padEnd(5)}${rule.padEnd(21)}${says}`).join('\n')}`

const files = process.argv.slice(2)
if (files.length === 0 || files.includes('--help')) {
  console.log(HELP)
  process.exit(files.length === 0 ? 2 : 0)
}
let code = 0
for (const file of files) {
  try {
    const report = checkRecording(readFileSync(file === '-' ? 0 : file, 'utf8'), { createStore })
    console.log(formatReport(file, report))
    if (report.findings.length > 0 && code === 0) code = 1
    if (report.lines === 0) throw new Error('it has no lines')
  } catch (error) {
    console.error(`turnseal-check: ${file}: ${messageOf(error)}`)
    code = 2
  }
}
process.exitCode = code
