/** One scenario: a step among random faults, the steps that follow it, and what they violate. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkFetching, checkStep } from './check-step.ts'
import { conclusionOf, readFiles, type FinishedStep } from './finished-step.ts'
import type { Violation } from './invariants.ts'
import { connectTo, makeContext, type ScenarioContext } from './scenario-context.ts'
import { SeededRandom } from './seeded-random.ts'
import { declarations } from './product-actions.ts'
import { drawCaller } from './secrets.ts'
import { runStep, type Actions } from './simulated-step.ts'
import { environmentFor, fullDisk, type Defaults } from './step-environment.ts'
import {
  disrupt,
  drawStepPlan,
  undisturbedWait,
  type ActionName,
  type Disruption,
  type StepPlan,
} from './step-plan.ts'
import { Traffic } from './traffic.ts'

/** What all scenarios share. */
export interface Settings {
  actions: Actions
  defaults: Defaults
  /** An existing folder for what steps write; nothing stays in it. */
  folder: string
}

export interface StepReport {
  action: ActionName
  conclusion: string
  faults: readonly string[]
  violations: readonly Violation[]
  /** What a person sees of it: the log, then the annotations. */
  shown: readonly string[]
}

/** Everything in it follows from the seed. */
export async function runScenario(seed: number, settings: Settings): Promise<StepReport[]> {
  const random = new SeededRandom(seed)
  const action = random.weigh<ActionName>([
    [6, 'run'],
    [2, 'start'],
    [2, 'wait'],
    [1, 'create-project'],
  ])
  const disruption = random.chance(0.3) ? random.pick(['outage', 'disk-full']) : 'none'
  const plan = disrupt(drawStepPlan(action, random.fork('step')), disruption, random.fork('disk'))
  const caller = drawCaller(random.fork('caller'))
  const context = makeContext(random.fork('context'), caller, plan.timeout, disruption)
  if (action === 'wait') context.service.startedAt = context.clock.now() - random.between(0, 60_000)
  const first = await simulate(plan, context, random.fork('first'), settings)
  const further = await simulateFollowUp(first.step, disruption, random, settings)
  return [first.report, ...further]
}

/** Whatever the first step came to: a run whose id it gave can be waited for, and fetched. */
async function simulateFollowUp(
  { plan, run, context }: FinishedStep,
  disruption: Disruption,
  random: SeededRandom,
  settings: Settings,
): Promise<StepReport[]> {
  const { service, clock } = context
  const isKnown = run.recorded.output('execution-id') !== ''
  if (!isKnown || service.startedAt === undefined || run.hung !== undefined) return []
  const reports: StepReport[] = []
  if (plan.action === 'start') {
    const drawn = drawStepPlan('wait', random.fork('wait plan'))
    const wait = disrupt(drawn, disruption, random.fork('disk of wait'))
    reports.push((await simulate(wait, context, random.fork('wait'), settings)).report)
  }
  service.revocable = false
  const later = service.startedAt + context.plan.duration + 60_000
  await clock.advance(Math.max(0, later - clock.now()))
  const { report, step } = await simulate(
    undisturbedWait(),
    context,
    random.fork('fetch'),
    settings,
  )
  return [...reports, { ...report, violations: [...report.violations, ...checkFetching(step)] }]
}

/** Past the deadline a download that flows may take ten minutes; nothing takes longer. */
const longestPublishing = 660_000

async function simulate(
  plan: StepPlan,
  context: ScenarioContext,
  random: SeededRandom,
  settings: Settings,
): Promise<{ report: StepReport; step: FinishedStep }> {
  const folder = path.join(settings.folder, 'step')
  await mkdir(folder)
  await writeFile(path.join(folder, fullDisk), '')
  try {
    const traffic = new Traffic()
    if (plan.full) traffic.faults.push(`disk full: ${plan.full}`)
    const { executionId } = context.service
    const run = await runStep({
      ...context,
      ...plan,
      action: settings.actions[plan.action],
      inputs: declarations[plan.action],
      connect: connectTo(context, random, plan.faultRates, traffic),
      environment: environmentFor(plan, executionId, context.caller, settings.defaults, folder),
      random: random.fork('step'),
      patience: Math.max(plan.timeout, 120_000) + longestPublishing,
    })
    const step = { plan, run, traffic, context, files: await readFiles(run, folder) }
    return { report: reportOn(step), step }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function reportOn(step: FinishedStep): StepReport {
  const { plan, run, traffic } = step
  return {
    action: plan.action,
    conclusion: conclusionOf(run) || (run.passed ? 'passed' : 'failed'),
    faults: traffic.faults,
    violations: checkStep(step),
    shown: run.recorded.shown(),
  }
}
