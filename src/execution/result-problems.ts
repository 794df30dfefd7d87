/** Defines the problems of a result that does not match its schema, and of a schema. */

/** The maximum length of a text. A text of this length may end inside a secret. */
export const maxTextLength = 4_096

/** One mismatch with a schema. The texts may contain secrets and control characters. */
export interface SchemaProblem {
  /** The JSON Pointer to the wrong value. Empty if the whole result is wrong. */
  place: string
  /** The expectation in words, for example `expected at least 1 item`. */
  expected: string
  /** The found value, size or name as JSON, possibly cut. Undefined if there is nothing to show. */
  found: string | undefined
}

export interface SchemaProblems {
  problems: readonly SchemaProblem[]
  /** The number of all problems, including problems that are not in `problems`. */
  count: number
}

/** The reason why a result was not validated: no time or memory was left. */
export interface NotValidated {
  notValidated: string
}

/** The problems of a result, redacted so that they may be shown. */
export interface ResultProblems {
  /** A text for each of the first problems. Contains no values if `print-result` is false. */
  lines: readonly string[]
  count: number
}

/** Returns one problem of the whole result, for example that the result is empty. */
export function wholeProblem(expected: string, found?: string): SchemaProblems {
  return { problems: [{ place: '', expected, found }], count: 1 }
}
