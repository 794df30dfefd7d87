// `npm run test:workflows` runs e2e.yml and the examples with act, against the sandbox. Words after `--`
// choose the files that have one of the words in their name. If a workflow needs a run that another
// workflow starts, choose both.
import path from 'node:path'
import process from 'node:process'
import { findProgram } from './find-program.ts'
import { howToGetAct } from './test-workflows/act.ts'
import { copyCheckout } from './test-workflows/checkout.ts'
import type { Place, Trial } from './test-workflows/setup.ts'
import { openSetup, runTrial } from './test-workflows/trial.ts'
import { chains } from './test-workflows/trials.ts'

// Most of the time, a chain waits for the next check or for the end of a run.
const chainsAtOnce = 5

const words = process.argv.slice(2)
const chosen = chains.map((trials) => trials.filter(isChosen)).filter((trials) => trials.length > 0)
const act = findProgram('act')
if (act === undefined) fail(howToGetAct)
else if (chosen.length === 0) fail(`No workflow has ${words.join(' or ')} in its name`)
else await runAll(act)

function isChosen({ file }: Trial): boolean {
  return words.length === 0 || words.some((word) => file.includes(word))
}

async function runAll(act: string): Promise<void> {
  await using checkout = await copyCheckout(path.resolve(import.meta.dirname, '..'))
  const interruption = new AbortController()
  // After a signal, act ends its jobs, and the temporary folder is removed.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort())
  const place = { act, checkout, interrupted: interruption.signal }
  const queue = chosen.entries()
  const failures: string[] = []
  const worker = async (): Promise<void> => {
    for (const [index, trials] of queue) {
      failures.push(...(await runChain(trials, String(index), place)))
    }
  }
  await Promise.all(Array.from({ length: chainsAtOnce }, worker))
  console.log(`\n${chosen.flat().length - failures.length} of ${chosen.flat().length} passed`)
  if (failures.length > 0 || interruption.signal.aborted) process.exitCode = 1
}

/** Returns the files of the trials that failed. */
async function runChain(trials: Trial[], name: string, place: Place): Promise<string[]> {
  await using setup = await openSetup(place, name)
  const failed: string[] = []
  for (const trial of trials) {
    if (setup.interrupted.aborted) break
    const startedAt = performance.now()
    const problems = await runTrial(trial, setup)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const sign = problems.length > 0 ? '✗' : '✓'
    // Prints all lines at once, because other chains print at the same time.
    console.log([`${sign} ${trial.file} (${trial.event}, ${seconds} s)`, ...problems].join('\n  '))
    if (problems.length > 0) failed.push(trial.file)
  }
  return failed
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
