/** Simulates the attempts of a job. All steps of the job share one clock and one cache. */
import type { FinishedStep } from './finished-step.ts'
import type { ScenarioContext } from './scenario-context.ts'
import type { SeededRandom } from './seeded-random.ts'
import { simulate, type Settings, type StepReport } from './simulate.ts'
import type { Moment } from './traffic.ts'
import { drawCancellation, drawRates, noFaults, type StepPlan } from './step-plan.ts'

export interface JobStep {
  plan: StepPlan
  context: ScenarioContext
}

/** Returns in `last` the first step of the last attempt. */
export async function simulateJob(
  steps: readonly [JobStep, ...JobStep[]],
  attempts: number,
  random: SeededRandom,
  settings: Settings,
): Promise<{ reports: StepReport[]; last: FinishedStep | undefined }> {
  const { clock } = steps[0].context
  const reports: StepReport[] = []
  let last: FinishedStep | undefined
  for (let attempt = 1; attempt <= attempts; attempt++) {
    for (const [index, { plan, context }] of steps.entries()) {
      const draws = random.fork(`step ${index} of attempt ${attempt}`)
      const planned = planAttempt(plan, { attempt, killable: attempt < attempts }, draws)
      const { report, step } = await simulate(planned, context, draws, settings)
      reports.push(report)
      if (index === 0) last = step
      const { hung, passed, killed } = step.run
      if (hung !== undefined) return { reports, last }
      // A workflow may continue after a failed step, but not after the runner was killed.
      const isJobEnded = !passed && draws.chance(0.5)
      if (killed || isJobEnded) break
    }
    await clock.advance(random.sizeBetween(1_000, 600_000))
    const services = [...steps.map(({ context }) => context), ...steps[0].context.runs]
    for (const [index, { service }] of services.entries()) {
      service.executions.change(clock.now(), random.fork(`changes of ${index} after ${attempt}`))
    }
    if (random.fork(`forgets after ${attempt}`).chance(0.1))
      steps[0].context.service.executions.forget()
  }
  return { reports, last }
}

/** Returns another step of the same job, which differs from the first step in one part. */
export function drawOtherStep(plan: StepPlan, random: SeededRandom): StepPlan {
  return random.pick([
    { ...plan, inputs: { ...plan.inputs, 'rerun-key': 'second' } },
    { ...plan, inputs: { ...plan.inputs, matrix: '{"leg":2}' } },
    { ...plan, variables: { ...plan.variables, GITHUB_ACTION: 'second' } },
  ])
}

/** Returns the number of attempts. Every attempt except the first is a re-run of all steps. */
export function drawAttempts(random: SeededRandom): number {
  return random.weigh([
    [4, 1],
    [2, 2],
    [1, 3],
    [1, 5],
  ])
}

interface Attempt {
  /** The number of the attempt. The first attempt has the number 1. */
  attempt: number
  /** Whether the runner may be killed. If true, another attempt must follow. */
  killable: boolean
}

/** Returns the plan of a step for one attempt of the job. */
function planAttempt(
  plan: StepPlan,
  { attempt, killable }: Attempt,
  random: SeededRandom,
): StepPlan {
  const faultRates = plan.faultRates === noFaults ? noFaults : drawRates(random)
  // A later step fetches the run of a `wait` step that was killed.
  const isKilled = (killable || plan.action === 'wait') && random.chance(0.4)
  const killAfter = isKilled ? random.sizeBetween(300, 300_000) : undefined
  const killOn = isKilled
    ? drawMoment(['save', 'last save', 'retry'], random.fork('death'))
    : undefined
  const variables = {
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_ATTEMPT: String(attempt),
    ACTIONS_CACHE_URL: 'cache:',
    GITHUB_JOB: 'report',
    GITHUB_ACTION: 'first',
    ...plan.variables,
  }
  const cancelAfter = drawCancellation(plan, random)
  const cancelOn = drawMoment(['last save', 'answer', 'commit status'], random.fork('moment'))
  return { ...plan, faultRates, killAfter, killOn, cancelAfter, cancelOn, variables }
}

function drawMoment(moments: readonly Moment[], random: SeededRandom): Moment | undefined {
  return random.chance(0.4) ? random.pick(moments) : undefined
}
