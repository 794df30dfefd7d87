/** What keeps a result from being what its schema asks for. */

/** One problem, in texts that may hold secrets and any characters. */
export interface SchemaProblem {
  /** The JSON Pointer of the value that it is about; empty where it is about the whole. */
  place: string
  /** What was expected, as the end of a sentence. */
  expected: string
  /** The beginning of the value's JSON, longer than it is shown; undefined where there is none. */
  found: string | undefined
}

export interface SchemaProblems {
  /** The first few. */
  problems: readonly SchemaProblem[]
  /** Of all of them. */
  count: number
}

/** The problems of a result as people may see them. */
export interface ResultProblems {
  /** A line for each of the first few; without the value found where the step prints none. */
  lines: readonly string[]
  /** Of all of them. */
  count: number
}

/** Where there is no value to check, or no check. */
export function wholeProblem(expected: string): SchemaProblems {
  return { problems: [{ place: '', expected, found: undefined }], count: 1 }
}
