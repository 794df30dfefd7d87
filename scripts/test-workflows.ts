// `npm run test:workflows`: the repository's workflow and the README's examples, run by act, the
// independent runner, against the sandbox. Words behind `--` choose the files that have them in their
// name; a workflow that finishes what another has started needs that one chosen, too.
import path from 'node:path'
import process from 'node:process'
import { openSandbox } from '../sandbox/service/sandbox.ts'
import { findProgram } from './find-program.ts'
import { howToGetAct } from './test-workflows/act.ts'
import { copyCheckout } from './test-workflows/checkout.ts'
import { openGithubSide } from './test-workflows/github-side.ts'
import type { Stage } from './test-workflows/stage.ts'
import { runTrial } from './test-workflows/trial-run.ts'
import type { Trial } from './test-workflows/trial.ts'
import { trials } from './test-workflows/trials.ts'

const root = path.resolve(import.meta.dirname, '..')
const words = process.argv.slice(2)
const chosen = trials.filter(
  ({ file }) => words.length === 0 || words.some((word) => file.includes(word)),
)
const act = await findProgram('act', process.env)
if (act === undefined) fail(howToGetAct)
else if (chosen.length === 0) fail(`No workflow has ${words.join(' or ')} in its name`)
else await runAll(act)

async function runAll(act: string): Promise<void> {
  await using checkout = await copyCheckout(root)
  await using sandbox = await openSandbox()
  await using github = await openGithubSide()
  const interruption = new AbortController()
  // Ended in order: act ends its jobs, and the temporary folder goes away.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort())
  const interrupted = interruption.signal
  let failed = 0
  for (const trial of chosen) {
    if (interrupted.aborted) break
    failed += await runOne(trial, { act, checkout, sandbox, github, interrupted })
  }
  console.log(`\n${chosen.length - failed} of ${chosen.length} workflows did what they promise`)
  if (failed > 0 || interrupted.aborted) process.exitCode = 1
}

async function runOne(trial: Trial, stage: Stage): Promise<0 | 1> {
  const startedAt = performance.now()
  const { proofs, problems } = await runTrial(trial, stage)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const attempt = trial.attempt === undefined ? '' : `, attempt ${trial.attempt}`
  console.log(`\n${trial.file} (${trial.event}${attempt}, ${seconds} s)`)
  for (const proof of proofs) console.log(`  ${proof}`)
  for (const problem of problems) console.error(`  ✗ ${problem.replaceAll('\n', '\n  ')}`)
  return problems.length > 0 ? 1 : 0
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
