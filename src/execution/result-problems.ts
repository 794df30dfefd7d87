/** Why a result does not match its schema. */

/** One problem. Its texts may contain secrets and any characters. */
export interface SchemaProblem {
  /** The JSON Pointer of the wrong value. Empty for the whole result. */
  place: string
  /** The beginning of the place, up to the first name that the schema does not mention. */
  namedPlace: string
  /** What was expected, as the end of a sentence. */
  expected: string
  /**
   * The beginning of the value's JSON, longer than what is shown. Undefined if there is no value.
   */
  found: string | undefined
  /** The names of the texts that were cut, perhaps within a secret. */
  cut: readonly CutText[]
}

export type CutText = 'place' | 'namedPlace' | 'expected' | 'found'

export interface SchemaProblems {
  /** The first few. */
  problems: readonly SchemaProblem[]
  /** The number of all problems. */
  count: number
  /** True if the check ran out of time or memory, or was not made. */
  isUnchecked?: boolean
}

/** The problems of a result as people may see them. */
export interface ResultProblems {
  /**
   * One line for each of the first problems. Without values if the step does not print the result.
   */
  lines: readonly string[]
  /** The number of all problems. */
  count: number
  /** See {@link SchemaProblems}. */
  isUnchecked?: boolean | undefined
}

/** Returns a problem of the whole result: there is no value to check, or the check was not made. */
export function wholeProblem(expected: string): SchemaProblems {
  const problem = { place: '', namedPlace: '', expected, found: undefined, cut: [] }
  return { problems: [problem], count: 1 }
}
