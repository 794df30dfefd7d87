/** What is said about the record that a step leaves for a later attempt of its job. */
import { describeElapsed } from './quantities.ts'

const consequence = (executions: string) => `A re-run of this job would not know of ${executions}.`
/** What the record of a step with one run tells of. */
const one = 'this execution'

export const noCache = 'this runner offers no cache'
/** The cache packs entries as the runner can, and shows no entry that was packed otherwise. */
export const noZstd =
  'this runner has no zstd, so a record that a runner with zstd saved is invisible to it'

/** The cache holds the key already, or another attempt is saving it. */
export const recordTaken =
  'The record for a re-run is in the cache already, or is just being saved there.'

/** `why` is in the cache service's own words. */
export function describeDenied(why: string, executions = one): string {
  return `This job may not write to the cache (${why}). ${consequence(executions)}`
}

export function describeUnsaved(why: string, executions = one): string {
  return `The record for a re-run was not saved: ${why}. ${consequence(executions)}`
}

/** Given up on the way: nobody knows how far it got. */
export function describeUnfinishedSave(span: number, lastWords: string | undefined): string {
  return `The record for a re-run may not have been saved: ${describeLate(span, lastWords)}.`
}

/** `lastWords`: what the client had printed before it was given up. */
export function describeLate(span: number, lastWords: string | undefined): string {
  const late = `the cache was not done after ${describeElapsed(span)}`
  return lastWords === undefined ? late : `${late} (${lastWords})`
}
