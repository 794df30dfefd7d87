/** Runs a step under random faults, and checks the invariants. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { maxFetchTime, turnsToFetch } from './check-ending.ts'
import { noteCache, rememberAttempt } from './check-reruns.ts'
import { checkStep } from './check-step.ts'
import { conclusionOf, readFiles, type FinishedStep } from './finished-step.ts'
import type { Violation } from './invariants.ts'
import { connectTo, type ScenarioContext } from './scenario-context.ts'
import type { SeededRandom } from './seeded-random.ts'
import { runStep, type Actions } from './simulated-step.ts'
import { environmentFor, fullDisk, seedsFile } from './step-environment.ts'
import type { ActionName, StepPlan } from './step-plan.ts'
import { Traffic } from './traffic.ts'

export interface Settings {
  actions: Actions
  /** An existing folder for the files of steps. It is emptied after each step. */
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
): Promise<{ report: StepReport; step: FinishedStep }> {
  const { folder } = settings
  await writeFile(path.join(folder, fullDisk), '')
  const seeds = plan.batch?.seeds.map(({ text }) => text) ?? []
  await writeFile(path.join(folder, seedsFile), seeds.join('\n'))
  try {
    const traffic = new Traffic()
    if (plan.full) traffic.faults.push(`disk full: ${plan.full}`)
    const { id = '' } = context.service.executions.last ?? {}
    const run = await runStep({
      ...context,
      ...plan,
      action: settings.actions[plan.action],
      connect: connectTo(context, random, plan.faultRates, traffic),
      disconnect: () => traffic.ended.abort(),
      cancelOn: plan.cancelOn && traffic.moments[plan.cancelOn].signal,
      killOn: plan.killOn && traffic.moments[plan.killOn].signal,
      environment: environmentFor(plan, id, context.caller, folder),
      random: random.fork('step'),
      // No step may take longer than this limit.
      timeLimit: Math.max(plan.timeout, 240_000) + (turnsToFetch(plan) + 2) * maxFetchTime,
    })
    traffic.ended.abort()
    if (run.signalledAgainAt !== undefined) traffic.faults.push('two signals')
    const step = { plan, run, traffic, context, files: await readFiles(run, plan, folder) }
    noteCache(step)
    const report = reportOn(step)
    if (!plan.batch) rememberAttempt(step)
    return { report, step }
  } finally {
    await clear(folder)
  }
}

async function clear(folder: string): Promise<void> {
  const names = await readdir(folder)
  await Promise.all(names.map((name) => rm(path.join(folder, name), { recursive: true })))
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
