/** The inputs that say how long to wait, how often to look, and what counts as failed. */
import { z } from 'zod'
import { durationBetween } from './duration.ts'
import { failOn } from './fail-on.ts'

/** Spans are milliseconds. A run longer than 30 days outlives every job of GitHub's. */
export const waiting = z
  .object({
    'poll-interval': durationBetween('100ms', '1h'),
    timeout: durationBetween('0s', '720h'),
    'fail-on': failOn,
  })
  .transform((given) => ({
    pollInterval: given['poll-interval'],
    timeout: given.timeout,
    failOn: given['fail-on'],
  }))
