import { headingOf, type Entry, type Heading } from './messages/entries.ts'

/**
 * What the action reports to a person: what happened (`message`) and what to do (`hint`).
 * Leaves carry data; only an entry in `actions/` turns one into an annotation.
 */
export class ActionError extends Error {
  override readonly name: string = 'ActionError'
  /** The annotation's heading: a few words. */
  readonly title: string
  readonly entry: Entry
  readonly hint: string

  constructor(message: string, options: Heading & { hint: string; cause?: unknown }) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.title = options.title
    this.entry = options.entry
    this.hint = options.hint
  }
}

/** One problem of one input: told by the input's name as `action.yml` spells it. */
export interface InputProblem {
  input: string
  /** What was expected and what was found, without the value of a secret. */
  problem: string
}

/** All problems of all inputs, told at once and before any request is made. */
export class InputError extends ActionError {
  override readonly name = 'InputError'
  readonly problems: readonly InputProblem[]

  /** `untouched`: what has not happened, for the hint. */
  constructor(problems: readonly InputProblem[], untouched = 'nothing was started') {
    super(problems.map(({ input, problem }) => `${input}: ${problem}`).join('\n'), {
      ...headingOf(problems.length === 1 ? 'input-wrong' : 'inputs-wrong', {}),
      hint: `Correct the inputs of this step; ${untouched}.`,
    })
    this.problems = problems
  }
}

/** The text of anything thrown, for messages and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
