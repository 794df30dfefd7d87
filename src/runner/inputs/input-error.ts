import { ActionError } from '../../messages/annotation.ts'
import { headingOf } from '../../messages/catalogue.ts'

/** One problem of one input, which is named as `action.yml` spells it. */
export interface InputProblem {
  input: string
  /** What was expected and what was found, without the value of a secret. */
  problem: string
}

/** All problems of all inputs, reported at once and before any request is made. */
export class InputError extends ActionError {
  override readonly name = 'InputError'
  readonly problems: readonly InputProblem[]

  /** `untouched`: what has not happened, for the hint. */
  constructor(problems: readonly InputProblem[], untouched = 'nothing was started') {
    super(problems.map(({ input, problem }) => `${input}: ${problem}`).join('\n'), {
      ...headingOf(problems.length === 1 ? 'input-wrong' : 'inputs-wrong', {}),
      hint: `Fix the inputs of this step; ${untouched}.`,
    })
    this.problems = problems
  }
}
