/** Why a file could not be written or read. */
import { getSystemErrorMap } from 'node:util'
import { codeOf, messageOf } from '../errors.ts'

/**
 * The system's words, without the path that Node adds, and its code for those who look it up. Other
 * errors say it themselves.
 */
export function describeFileProblem(error: unknown): string {
  const code = codeOf(error)
  const known = [...getSystemErrorMap().values()].find(([name]) => name === code)
  return known ? `${known[1]} (${known[0]})` : messageOf(error)
}

/** A file that an input asks for, or that an output names, and that could not be written. */
export interface LostFile {
  /** The name of that input or output. */
  input: string
  why: string
}

/** The disk of the runner's temporary folder. */
export const diskFull = {
  why: "The runner's disk is full (RUNNER_TEMP).",
  cure: 'Free space before this step, or use a larger runner',
}
