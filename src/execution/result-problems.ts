/** What keeps a result from being what its schema asks for. */

/** One problem, in texts that may hold secrets and any characters. */
export interface SchemaProblem {
  /** The JSON Pointer of the value that it is about; empty where it is about the whole. */
  place: string
  /** The beginning of the place, up to the first name that is data and not a word of the schema. */
  namedPlace: string
  /** What was expected, as the end of a sentence. */
  expected: string
  /** The beginning of the value's JSON, longer than it is shown; undefined where there is none. */
  found: string | undefined
  /** The texts that were cut at their end, maybe within a secret. */
  cut: readonly CutText[]
}

export type CutText = 'place' | 'namedPlace' | 'expected' | 'found'

export interface SchemaProblems {
  /** The first few. */
  problems: readonly SchemaProblem[]
  /** Of all of them. */
  count: number
  /** The check ran out of time or memory, or was not made: nothing is known of the result itself. */
  isUnchecked?: boolean
}

/** The problems of a result as people may see them. */
export interface ResultProblems {
  /** A line for each of the first few; without the value found where the step prints none. */
  lines: readonly string[]
  /** Of all of them. */
  count: number
  /** See {@link SchemaProblems}. */
  isUnchecked?: boolean | undefined
}

/** A problem of the whole: there is no value to check, or no check. */
export function wholeProblem(expected: string): SchemaProblems {
  const problem = { place: '', namedPlace: '', expected, found: undefined, cut: [] }
  return { problems: [problem], count: 1 }
}
