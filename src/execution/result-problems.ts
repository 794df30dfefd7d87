/** What keeps a result from being what its schema asks for. */

/** One problem, in texts that may hold secrets and any characters. */
export interface SchemaProblem {
  /** The JSON Pointer of the value that it is about; undefined where it is about the text as a whole. */
  place: string | undefined
  /** What was expected, as the end of a sentence. */
  expected: string
  /** The beginning of the value's JSON, longer than it is shown; undefined where there is none. */
  found: string | undefined
}

export interface SchemaProblems {
  /** The first few. */
  problems: readonly SchemaProblem[]
  /** Of all of them; undefined where that is not known. */
  count: number | undefined
}

/** Where there is no value to check, or no check. */
export function wholeProblem(expected: string): SchemaProblems {
  return { problems: [{ place: undefined, expected, found: undefined }], count: 1 }
}
