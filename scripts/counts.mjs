// Reads how many tests passed and failed from what a test runner printed.

const forms = {
  // One line per test binary; the runner of wasm-bindgen prints the same.
  cargo: /^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<skipped>\d+) ignored/gm,
  plain: /^(?<passed>\d+) passed, (?<failed>\d+) failed(?:, (?<skipped>\d+) skipped)?$/gm,
}
// One line per number, in either reporter of Node. A cancelled test did not pass, so it failed.
const node = { passed: ['pass'], failed: ['fail', 'cancelled'], skipped: ['skipped', 'todo'] }

/** The counts in `output`, as the runner named by `reads` prints them, summed over all its closing lines. */
export function counts(reads, output) {
  const text = output.replace(/\x1b\[[0-9;]*m/g, '')
  if (reads === 'node') {
    const sum = words => words.flatMap(word => [...text.matchAll(new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`, 'gm'))])
      .reduce((total, [, number]) => total + Number(number), 0)
    return { passed: sum(node.passed), failed: sum(node.failed), skipped: sum(node.skipped) }
  }
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { groups } of text.matchAll(forms[reads])) {
    for (const name of Object.keys(total)) total[name] += Number(groups[name] ?? 0)
  }
  return total
}

/** What is wrong with a stage beyond its failed tests; empty where nothing is. */
export function trouble({ code, hung, seconds }, { passed, failed, skipped }) {
  if (hung) return `took longer than ${Math.round(seconds)} s`
  if (passed + failed === 0) return `ran no test (exit code ${code})`
  if (skipped > 0) return `${skipped} skipped`
  if (code !== 0 && failed === 0) return `exit code ${code}, but no test failed: a part did not build or crashed`
  if (code === 0 && failed > 0) return 'exit code 0, but a test failed'
  return ''
}
