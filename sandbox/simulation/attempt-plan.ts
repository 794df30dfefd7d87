/** One attempt of a job: what goes wrong differs from attempt to attempt. */
import { drawRates, noFaults } from './fault-rates.ts'
import type { SeededRandom } from './seeded-random.ts'
import { drawCancellation, type StepPlan } from './step-plan.ts'

/** Each but the first is a re-run of the whole job. */
export function drawAttempts(random: SeededRandom): number {
  return random.weigh([
    [4, 1],
    [2, 2],
    [1, 3],
    [1, 5],
  ])
}

interface Attempt {
  /** Counted from 1. */
  attempt: number
  /** Whether its runner may vanish: another attempt follows then. */
  killable: boolean
}

/** The same step in one attempt of its job. */
export function planAttempt(
  plan: StepPlan,
  { attempt, killable }: Attempt,
  random: SeededRandom,
): StepPlan {
  const faultRates = plan.faultRates === noFaults ? noFaults : drawRates(random)
  const killAfter = killable && random.chance(0.4) ? random.sizeBetween(300, 300_000) : undefined
  const place = {
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_ATTEMPT: String(attempt),
    ACTIONS_CACHE_URL: 'cache:',
    GITHUB_JOB: 'report',
    GITHUB_ACTION: 'first',
    ...plan.place,
  }
  return { ...plan, faultRates, killAfter, cancelAfter: drawCancellation(plan, random), place }
}
