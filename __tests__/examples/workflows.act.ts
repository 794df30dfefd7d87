/**
 * `npm run test:workflows` runs e2e.yml and the examples with act, against the sandbox. With the option
 * `-- -t WORD`, it runs the chains that have a file with this word in its name.
 */
import path from 'node:path'
import { afterAll, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import { findProgram } from '../../scripts/find-program.ts'
import { copyCheckout } from './harness/checkout.ts'
import { openSetup } from './harness/setup.ts'
import { runTrial } from './harness/trial.ts'
import { chains } from './trials.ts'

const act = findProgram('act')
if (act === undefined) {
  throw new Error(`act is not on PATH. It runs the workflows without GitHub. Install it with
  .ci/install-tools FOLDER
Then put the folder on PATH, and run this command again.`)
}

const checkout = await copyCheckout(root)
afterAll(async () => checkout[Symbol.asyncDispose]())

const named = chains.map((trials) => {
  const names = trials.map(({ file, event }) => `${path.basename(file)} (${event})`)
  return [names.join(', '), trials] as const
})

// Most of the time, a chain waits for the next check or for the end of a run.
it.concurrent.each(named)(
  '%s',
  async (_, trials) => {
    await using setup = await openSetup(act, checkout)
    for (const trial of trials) await runTrial(trial, setup)
  },
  600_000,
)
