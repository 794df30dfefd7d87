/** What is said about the record that a step leaves for a later attempt of its job. */
import { describeElapsed } from './quantities.ts'
import { unpunctuated } from './text/untrusted-text.ts'

export const noCache = 'this runner offers no cache'
export const noHome = 'this step has no home folder (HOME is empty or no absolute path)'
export const noZstd =
  'this runner has no zstd, and runners with and without it do not see each other’s records'

// Why a record can't be read.
export const newerVersion = 'the newest record was written by another version of this action'
export const foreignRecord =
  'the newest record was not written by this step with these credentials, or is damaged'
export const foreignCredentials =
  'the newest record in this place of the workflow was written with other credentials'
export const leftByAnother =
  'another step of this attempt, which looks the same, left the newest record (give each a rerun-key)'

/** An earlier record, or this one, may have got there all the same. */
export function describeUnsaved(why: string): string {
  return `The record for a re-run may not have been saved: ${unpunctuated(why)}. A re-run of this job may not know what this step started.`
}

/** `lastWords`: what the client had printed before it was given up. */
export function describeLate(
  service: string,
  span: number,
  isStalled: boolean,
  lastWords: string | undefined,
): string {
  const what = isStalled ? 'made no progress for' : 'did not finish within'
  const late = `the ${service} ${what} ${describeElapsed(span)}`
  return lastWords === undefined ? late : `${late} (${lastWords})`
}
