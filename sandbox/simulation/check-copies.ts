/** Checks that the workspace contains the requested copies, and no result of a failed run. */
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'

const kinds = ['result', 'log'] as const

/** Returns the files that a successful step must have and does not have: the result or a copy. */
export function missingOf({ plan, files, context }: FinishedStep): ('result' | 'log')[] {
  const isLost = (kind: 'result' | 'log') =>
    kind === 'result' && context.plan.result !== undefined && files.result === undefined
  const isUncopied = (kind: 'result' | 'log') =>
    plan.copies.includes(kind) && files.copies[kind] === undefined
  return kinds.filter((kind) => isLost(kind) || isUncopied(kind))
}

export function checkCopies(step: FinishedStep): Violation[] {
  const { plan, run, files } = step
  if (plan.action !== 'run' && plan.action !== 'wait') return []
  const conclusion = conclusionOf(run)
  // The conclusion is empty if the outputs could not be written.
  const mayBeCopied = conclusion === 'success' || conclusion === ''
  const uncopied = plan.copies.filter((kind) => files.copies[kind] === undefined)
  return [
    ...check(
      mayBeCopied || files.copies.result === undefined,
      'results copied without a success',
      conclusion,
    ),
    ...check(
      !run.passed || conclusion !== 'success' || uncopied.length === 0,
      'steps that pass without a requested copy',
      uncopied.join(),
    ),
  ]
}
