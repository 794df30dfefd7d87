/** Why a file could not be written or read. */
import { getSystemErrorMap } from 'node:util'
import { messageOf } from '../errors.ts'

/**
 * The system's words, without the path that Node adds, and its code for those who look it up. Other
 * errors say it themselves.
 */
export function describeFileProblem(error: unknown): string {
  const code = codeOf(error)
  const known = [...getSystemErrorMap().values()].find(([name]) => name === code)
  return known ? `${known[1]} (${known[0]})` : messageOf(error)
}

/** The code of an error of the file system; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** A file that an input asks for, or that an output names, and that could not be written. */
export interface LostFile {
  /** The name of that input or output. */
  input: string
  why: string
}
