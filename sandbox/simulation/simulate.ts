/** Runs a step, or equal steps in parallel, under random faults. Checks the invariants. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { maxFetchTime, turnsToFetch } from './check-ending.ts'
import { noteCache, rememberAttempt } from './check-reruns.ts'
import { checkStep } from './check-step.ts'
import { conclusionOf, readFiles, type FinishedStep } from './finished-step.ts'
import type { Violation } from './invariants.ts'
import { declarations } from './product-actions.ts'
import { connectTo, type ScenarioContext } from './scenario-context.ts'
import type { SeededRandom } from './seeded-random.ts'
import { runStep, type Actions } from './simulated-step.ts'
import { environmentFor, fullDisk, seedsFile } from './step-environment.ts'
import type { ActionName, StepPlan } from './step-plan.ts'
import { Traffic } from './traffic.ts'

export interface Settings {
  actions: Actions
  /** An existing folder for the files of steps. Only the files that count equal steps are kept. */
  folder: string
}

export interface StepReport {
  action: ActionName
  conclusion: string
  faults: readonly string[]
  /** The conclusions of the runs of a batch. */
  runs: readonly string[]
  violations: readonly Violation[]
  /** The log, followed by the annotations. */
  shown: readonly string[]
}

export async function simulate(
  plan: StepPlan,
  context: ScenarioContext,
  random: SeededRandom,
  settings: Settings,
): Promise<{ reports: StepReport[]; steps: FinishedStep[] }> {
  const { folder } = settings
  await writeFile(path.join(folder, fullDisk), '')
  const seeds = plan.batch?.seeds.map(({ text }) => text) ?? []
  await writeFile(path.join(folder, seedsFile), seeds.join('\n'))
  try {
    const begin = async (index: number) => {
      const traffic = new Traffic()
      if (plan.full) traffic.faults.push(`disk full: ${plan.full}`)
      if (plan.atOnce > 1) traffic.faults.push('equal steps at the same time')
      const own = index === 0 ? random : random.fork(`at once ${index}`)
      const { id = '' } = context.service.executions.last ?? {}
      const run = await runStep({
        ...context,
        ...plan,
        // Equal steps begin 1 ms apart, so that the product always counts them in the same order.
        action: (step, connect) =>
          context.clock.sleep(index).then(() => settings.actions[plan.action](step, connect)),
        inputs: declarations[plan.action],
        connect: connectTo(context, own, plan.faultRates, traffic),
        disconnect: () => traffic.ended.abort(),
        environment: environmentFor(plan, id, context.caller, folder),
        random: own.fork('step'),
        // No step may take longer than this limit.
        timeLimit: Math.max(plan.timeout, 240_000) + (turnsToFetch(plan) + 2) * maxFetchTime,
      })
      traffic.ended.abort()
      if (run.signalledAgainAt !== undefined) traffic.faults.push('two signals')
      return { plan, run, traffic, context }
    }
    const atOnce = await Promise.all(
      Array.from({ length: plan.atOnce }, (_, index) => begin(index)),
    )
    const finish = async (step: (typeof atOnce)[number]) => {
      return { ...step, atOnce, files: await readFiles(step.run, plan, folder) }
    }
    const steps = await Promise.all(atOnce.map(finish))
    steps.forEach(noteCache)
    const reports = steps.map(reportOn)
    if (!plan.batch) steps.forEach(rememberAttempt)
    return { reports, steps }
  } finally {
    await clear(folder)
  }
}

/** Keeps the counts of equal steps, because attempts on a self-hosted runner share the folder. */
async function clear(folder: string): Promise<void> {
  const names = await readdir(folder)
  const ofStep = names.filter((name) => !name.startsWith('run-automation-steps-'))
  await Promise.all(ofStep.map((name) => rm(path.join(folder, name), { recursive: true })))
}

function reportOn(step: FinishedStep): StepReport {
  const { plan, run, traffic } = step
  return {
    action: plan.action,
    conclusion: run.killed ? 'killed' : conclusionOf(run) || (run.passed ? 'passed' : 'failed'),
    faults: traffic.faults,
    runs: step.files.batch?.rows?.map(({ conclusion }) => conclusion) ?? [],
    violations: checkStep(step),
    shown: run.recorded.shown(),
  }
}
