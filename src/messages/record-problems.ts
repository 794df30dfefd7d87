/** Words about the record that a step saves for a re-run of its job. */
import { unpunctuated } from './text/untrusted-text.ts'

export const noCache = 'this runner offers no cache'
export const noHome = 'this step has no home folder (set HOME to an absolute path)'

// Reasons why a record cannot be read.
export const newerVersion = 'the newest record was written by another version of this action'
export const foreignRecord =
  'the newest record is damaged, or another step or other credentials wrote it'
export const foreignCredentials =
  'the newest record of this place in the workflow was written with other credentials'
export const savedByAnotherStep =
  'an equal step of this attempt saved the newest record (give each step its own rerun-key)'

/** Says "may not", because the cache may contain the record even if the save failed. */
export function describeUnsaved(why: string): string {
  const need = /\btar\b/i.test(why) ? ' The cache needs GNU tar (on Alpine: apk add tar).' : ''
  return `The record for a re-run may not have been saved: ${unpunctuated(why)}.${need} A re-run of this job may start a second run.`
}
