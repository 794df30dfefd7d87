/** Puts the line of a log that says why a run failed into words. */
import type { Cause } from '../cause/find-cause.ts'

/** Returns in one line why an execution failed, or '' if its log does not say why. */
export function causeWords(cause: Cause | undefined): string {
  if (!cause) return ''
  return cause.isLastLine ? `its log ends with: ${causeLine(cause)}` : causeLine(cause)
}

/** Returns the cause. If no line of the log says why, says what happened and how the log ends. */
export function causeSentence(cause: Cause, happened: string): string {
  return cause.isLastLine ? `${happened} Its log ends with: ${causeLine(cause)}` : causeLine(cause)
}

/** Returns the cause with its file and line. */
function causeLine({ text, frame }: Cause): string {
  return frame === undefined ? text : `${text} (${frame.file}, line ${frame.line})`
}
