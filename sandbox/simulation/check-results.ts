/** Checks that no result passes a schema. In the simulation, no result matches. */
import type { Row } from './batch-files.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'

export function checkResults({ plan, run, files }: FinishedStep): Violation[] {
  if (!plan.isChecked) return []
  const conclusion = conclusionOf(run)
  const taken = files.batch?.rows?.filter(isTaken).map(({ index }) => `run ${index + 1}`) ?? []
  return [
    ...check(
      !(run.passed && conclusion === 'success') && taken.length === 0,
      'steps that pass with an invalid result',
      `${conclusion} ${taken.join()}`,
    ),
    ...check(
      files.copies.result === undefined,
      'copies overwritten by an invalid result',
      conclusion,
    ),
  ]
}

/** A lost result was not checked. */
function isTaken({ conclusion, result_file: file }: Row): boolean {
  return conclusion === 'success' && file !== null
}
