import { conclusionOf, type Evidence } from './evidence.ts'
import { judgeDisruption } from './judge-disruption.ts'
import { judgeEnding } from './judge-ending.ts'
import { judgeLeaks } from './judge-leaks.ts'
import { judgeStart } from './judge-start.ts'
import { judgeVerdict } from './judge-verdict.ts'
import { unless, type Offence } from './offence.ts'
import { outcomeOf } from './run-plan.ts'

/** All that is wrong with one step; an independent reading of the rules, not the action's own. */
export function judge(evidence: Evidence): Offence[] {
  const ending = judgeEnding(evidence)
  if (evidence.performance.hung !== undefined) return ending
  return [
    ...ending,
    ...judgeStart(evidence),
    ...judgeVerdict(evidence),
    ...judgeLeaks(evidence),
    ...judgeDisruption(evidence),
  ]
}

/** A calm step that fetches a finished run by its id must get all of it. */
export function judgeFetching({ performance, world, files }: Evidence): Offence[] {
  const truth = outcomeOf(world.plan.flags)
  const told = conclusionOf(performance)
  const { result, log } = world.objects
  const whole = (!result || files.result) && (!log || files.log)
  const zero = 'runs that could not be fetched later'
  return [
    ...unless(told === truth, zero, `${told} instead of ${truth}`),
    ...unless(Boolean(whole), zero, 'a file is missing'),
  ]
}
