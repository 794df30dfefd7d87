/** Reads the inputs of a batch. In a file of its own, so that other actions do not load this code. */
import type { BatchInputs } from './action-inputs.ts'
import type { Inputs } from './inputs.ts'
import {
  readDelivery,
  readRerun,
  readRetrying,
  readTarget,
  readersOfCommon,
  readersOfWaiting,
} from './read.ts'
import { anyText, boolean, timeoutAboveZero, wholeNumber } from './readings.ts'
import { labelOf, maxListSize, readCsvSeeds, readSeedList } from './seed-list.ts'

export function readBatchInputs(given: Inputs): Promise<BatchInputs> {
  return given.all<BatchInputs>({
    ...readersOfCommon(given),
    target: () => readTarget(given),
    list: () => readList(given),
    delivery: () => readDelivery(given),
    pool: () =>
      given.all({
        maxParallel: () => given.setting('max-parallel', wholeNumber(1, maxParallel)),
        failFast: () => given.setting('fail-fast', boolean),
      }),
    ...readersOfWaiting(given, timeoutAboveZero),
    retrying: () => readRetrying(given),
    rerun: () => readRerun(given),
  })
}

/** A higher limit would not help, because a batch sends at most 5 status requests a second. */
export const maxParallel = 200

async function readList(given: Inputs): Promise<BatchInputs['list']> {
  const [, table] = /\.(csv|tsv)$/i.exec(given.text('seeds-file')?.trim() ?? '') ?? []
  const { inline, fromFile, label } = await given.all({
    inline: () => given.long('seeds', (text) => readSeedList(text, 'inline')),
    fromFile: () =>
      given.file('seeds-file', maxListSize, (text) =>
        table === undefined ? readSeedList(text, 'file') : readCsvSeeds(text, /tsv/i.test(table)),
      ),
    only: () => given.notBoth('seeds', 'seeds-file', 'a batch takes one list'),
    label: () => given.optional('label', anyText),
  })
  if (given.text('seeds') === undefined && given.text('seeds-file') === undefined) {
    given.problem('seeds', 'neither seeds nor seeds-file was given; give one of the two')
  }
  const seeds = inline ?? fromFile ?? []
  if (label === undefined) return seeds
  return seeds.map((seed) => ({ ...seed, label: labelOf(seed.text, label) }))
}
