/** What is said about the record that a step leaves for a later attempt of its job. */
import { describeElapsed } from './quantities.ts'

const consequence = 'A re-run of this job would not know what this step started.'

export const noCache = 'this runner offers no cache'
export const noZstd =
  'this runner has no zstd, so a record that a runner with zstd saved is invisible to it'

// Why a record can't be read.
export const newerVersion = 'the newest record was written by another version of this action'
export const foreignRecord =
  'the newest record was not written by this step with these credentials, or is damaged'
export const foreignCredentials =
  'the newest record in this place of the workflow was written with other credentials'
export const leftByAnother =
  'another step of this attempt, which looks the same, left the newest record (give each a rerun-key)'

/** The cache holds the key already, or another attempt is saving it. */
export const recordTaken =
  'The record for a re-run is in the cache already, or is just being saved there.'

/** `why` is in the cache service's own words. */
export function describeDenied(why: string): string {
  return `This job may not write to the cache (${why}). ${consequence}`
}

export function describeUnsaved(why: string): string {
  return `The record for a re-run was not saved: ${why}. ${consequence}`
}

/** Given up on the way: nobody knows how far it got. */
export function describeUnfinishedSave(span: number, lastWords: string | undefined): string {
  return `The record for a re-run may not have been saved: ${describeLate(span, lastWords)}.`
}

/** `lastWords`: what the client had printed before it was given up. */
export function describeLate(span: number, lastWords: string | undefined): string {
  const late = `the cache did not finish within ${describeElapsed(span)}`
  return lastWords === undefined ? late : `${late} (${lastWords})`
}
