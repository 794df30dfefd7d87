// `npm run test:workflows`: the repository's workflow and the examples, run by act, the independent
// runner, against the sandbox. Words behind `--` choose the files that have them in their name; a
// workflow that finishes what another has started needs that one chosen, too.
import path from 'node:path'
import process from 'node:process'
import { findProgram } from './find-program.ts'
import { howToGetAct } from './test-workflows/act.ts'
import { copyCheckout } from './test-workflows/checkout.ts'
import { openSetup, type Place, type Setup } from './test-workflows/setup.ts'
import { runTrial } from './test-workflows/trial-run.ts'
import type { Chain, Trial } from './test-workflows/trial.ts'
import { chains } from './test-workflows/trials.ts'

// They wait most of the time: for the next check, or for a run to end.
const chainsAtOnce = 5

const root = path.resolve(import.meta.dirname, '..')
const words = process.argv.slice(2)
const chosen = chains
  .map(({ trials, ...chain }) => ({ ...chain, trials: trials.filter(isChosen) }))
  .filter(({ trials }) => trials.length > 0)
const act = findProgram('act')
if (act === undefined) fail(howToGetAct)
else if (chosen.length === 0) fail(`No workflow has ${words.join(' or ')} in its name`)
else await runAll(act)

function isChosen({ file }: Trial): boolean {
  return words.length === 0 || words.some((word) => file.includes(word))
}

async function runAll(act: string): Promise<void> {
  const startedAt = performance.now()
  await using checkout = await copyCheckout(root)
  const interruption = new AbortController()
  // Ended in order: act ends its jobs, and the temporary folder goes away.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort())
  const interrupted = interruption.signal
  const queue = [...chosen.entries()]
  const lane = async (): Promise<number> => {
    const [index, chain] = queue.shift() ?? []
    if (index === undefined || chain === undefined || interrupted.aborted) return 0
    return (await runChain(chain, String(index), { act, checkout, interrupted })) + (await lane())
  }
  const lanes = await Promise.all(Array.from({ length: chainsAtOnce }, lane))
  const failed = lanes.reduce((sum, count) => sum + count, 0)
  const all = chosen.reduce((sum, { trials }) => sum + trials.length, 0)
  const seconds = secondsSince(startedAt)
  console.log(`\n${all - failed} of ${all} workflows passed, in ${seconds} s`)
  if (failed > 0 || interrupted.aborted) process.exitCode = 1
}

/** Gives the number of trials that failed. */
async function runChain(chain: Chain, name: string, place: Place): Promise<number> {
  await using setup = await openSetup(place, name, chain)
  let failed = 0
  for (const trial of chain.trials) {
    if (!setup.interrupted.aborted) failed += await runOne(trial, setup)
  }
  return failed
}

async function runOne(trial: Trial, setup: Setup): Promise<0 | 1> {
  const startedAt = performance.now()
  const { passed, problems } = await runTrial(trial, setup)
  const attempt = trial.attempt === undefined ? '' : `, attempt ${trial.attempt}`
  // In one piece: other chains print meanwhile.
  console.log(`\n${trial.file} (${trial.event}${attempt}, ${secondsSince(startedAt)} s)`)
  for (const line of passed) console.log(`  ${line}`)
  for (const problem of problems) console.error(`  ✗ ${problem.replaceAll('\n', '\n  ')}`)
  return problems.length > 0 ? 1 : 0
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1000)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
