/** Checks that no result counts as valid. In the simulation, no result matches a schema. */
import type { Row } from './batch-files.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'

export function checkResults({ plan, run, files }: FinishedStep): Violation[] {
  if (!plan.isChecked) return []
  const conclusion = conclusionOf(run)
  const valid = files.batch?.rows?.filter(isValid).map(({ number }) => `run ${number}`) ?? []
  return [
    ...check(
      !(run.passed && conclusion === 'success') && valid.length === 0,
      'steps that pass with an invalid result',
      `${conclusion} ${valid.join()}`,
    ),
  ]
}

/** Returns true for a success with a result. A result that was lost cannot be checked. */
function isValid({ conclusion, result_file: file }: Row): boolean {
  return conclusion === 'success' && file !== null
}
