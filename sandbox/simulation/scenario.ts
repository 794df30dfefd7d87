/** Simulates one scenario: a step under random faults, its re-runs and the steps that follow. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drawBatchPlan, makeBatchContext } from './batch-plan.ts'
import { checkFetching } from './check-step.ts'
import type { FinishedStep } from './finished-step.ts'
import { drawAttempts, drawOtherStep, simulateJob, type JobStep } from './job.ts'
import { makeContext } from './scenario-context.ts'
import { SeededRandom } from './seeded-random.ts'
import { drawCaller } from './secrets.ts'
import type { Actions } from './simulated-step.ts'
import { simulate, type Settings, type StepReport } from './simulate.ts'
import {
  disrupt,
  drawStepPlan,
  undisturbedWait,
  type ActionName,
  type Disruption,
} from './step-plan.ts'

/** Runs one scenario. The seed decides everything that happens in the scenario. */
export async function runScenario(
  seed: number,
  actions: Actions,
  simulateScenario: typeof simulateStep,
): Promise<StepReport[]> {
  // A step may write only in the inner folder. A check of batches searches the outer folder.
  const outer = await mkdtemp(path.join(tmpdir(), 'simulation-'))
  try {
    const folder = path.join(outer, 'scenario')
    await mkdir(folder)
    return await simulateScenario(new SeededRandom(seed), { actions, folder })
  } finally {
    await rm(outer, { recursive: true, force: true })
  }
}

/** Simulates a batch in a job. The runner may kill the job, and the job may be re-run. */
export async function simulateBatch(
  random: SeededRandom,
  settings: Settings,
): Promise<StepReport[]> {
  const plan = drawBatchPlan(random.fork('batch'))
  const attempts = drawAttempts(random.fork('attempts'))
  const caller = drawCaller(random.fork('caller'))
  const context = makeBatchContext(random.fork('context'), caller, plan, attempts)
  return (await simulateJob([{ plan, context }], attempts, random.fork('job'), settings)).reports
}

export async function simulateStep(
  random: SeededRandom,
  settings: Settings,
): Promise<StepReport[]> {
  const action = random.weigh<ActionName>([
    [6, 'run'],
    [2, 'start'],
    [2, 'wait'],
    [1, 'create-project'],
  ])
  const disruption = random.chance(0.3) ? random.pick(['outage', 'disk-full']) : 'none'
  const plan = disrupt(drawStepPlan(action, random.fork('step')), disruption, random.fork('disk'))
  const caller = drawCaller(random.fork('caller'))
  const isJob = action === 'run' || action === 'start'
  const attempts = isJob ? drawAttempts(random.fork('attempts')) : 1
  const span = { timeout: plan.timeout, attempts }
  const context = makeContext(random.fork('context'), caller, span, disruption)
  if (action === 'wait') {
    context.service.executions.begin(context.clock.now() - random.between(0, 60_000))
  }
  const steps: [JobStep, ...JobStep[]] = [{ plan, context }]
  if (isJob && random.chance(0.35)) {
    const other = makeContext(random.fork('other'), caller, span, disruption, context)
    steps.push({ plan: drawOtherStep(plan, random.fork('other plan')), context: other })
  }
  const { reports, last } = await simulateJob(steps, attempts, random.fork('job'), settings)
  return [...reports, ...(await simulateFollowUp(last, disruption, random, settings))]
}

/** Checks that `wait` can fetch a run whose id the step has reported, even if the step failed. */
async function simulateFollowUp(
  first: FinishedStep | undefined,
  disruption: Disruption,
  random: SeededRandom,
  settings: Settings,
): Promise<StepReport[]> {
  if (!first) return []
  const { plan, run, context } = first
  const { service, clock } = context
  const { last } = service.executions
  const isKnown = run.recorded.output('execution-id') !== ''
  const isMissing = last?.plan.change !== undefined
  if (!isKnown || !last || isMissing || run.hung !== undefined) return []
  const reports: StepReport[] = []
  if (plan.action === 'start') {
    const drawn = drawStepPlan('wait', random.fork('wait plan'))
    const wait = disrupt(drawn, disruption, random.fork('disk of wait'))
    reports.push((await simulate(wait, context, random.fork('wait'), settings)).report)
  }
  service.hasFaults = false
  const later = last.startedAt + context.plan.duration + 60_000
  await clock.advance(Math.max(0, later - clock.now()))
  const fetched = await simulate(undisturbedWait(), context, random.fork('fetch'), settings)
  const { report } = fetched
  const violations = [...report.violations, ...checkFetching(fetched.step)]
  return [...reports, { ...report, violations }]
}
