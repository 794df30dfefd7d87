// `npm run check` runs all checks, one for each processor at a time, the longest first. Prints a line
// when a check ends, and the output of a check that failed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { text } from 'node:stream/consumers'

const checks = ['lint', 'types', 'format:check', 'knip', 'docs:check', 'licenses']
const failed = []

/** Runs one check, and prints how it ended. */
async function run(check) {
  const start = Date.now()
  // npm needs a shell on Windows. In a shell, `2>&1` keeps stdout and stderr in order.
  const child = spawn(`npm run --silent ${check} 2>&1`, { shell: true })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const seconds = ((Date.now() - start) / 1000).toFixed(0)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} npm run ${check} (${seconds} s)`)
  if (code === 0) return
  failed.push(check)
  console.log(output.trimEnd())
}

/** Runs checks until none is waiting. Several calls share the iterator `waiting`. */
async function runEach(waiting) {
  for (const check of waiting) await run(check)
}

console.log(`Running ${checks.join(', ')}`)
const waiting = checks.values()
await Promise.all(Array.from({ length: availableParallelism() }, () => runEach(waiting)))
console.log(failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
