/** Reads the inputs of a batch. In a file of its own, so that other actions do not load this code. */
import type { Inputs } from './inputs.ts'
import {
  readServiceConnection,
  readDashboard,
  readDelivery,
  readJobId,
  readPublishing,
  readRerun,
  readRetrying,
  readTarget,
  readWaiting,
} from './read.ts'
import { anyText, boolean, timeoutAboveZero, wholeNumber } from './readings.ts'
import { labelOf, maxListSize, readCsvSeeds, readSeedList } from './seed-list.ts'

export async function readBatchInputs(given: Inputs) {
  return {
    connection: readServiceConnection(given),
    dashboard: readDashboard(given),
    target: readTarget(given),
    list: await readList(given),
    delivery: await readDelivery(given),
    pool: {
      maxParallel: given.setting('max-parallel', wholeNumber(1, maxParallel)),
      failFast: given.setting('fail-fast', boolean),
    },
    waiting: readWaiting(given, timeoutAboveZero),
    retrying: await readRetrying(given),
    publishing: readPublishing(given),
    rerun: readRerun(given),
    jobId: readJobId(given),
  }
}

export type BatchInputs = Awaited<ReturnType<typeof readBatchInputs>>

/** A higher limit would not help, because a batch sends at most 5 status requests a second. */
export const maxParallel = 200

async function readList(given: Inputs) {
  const inline = await given.long('seeds', (text) => readSeedList(text, 'inline'))
  const [, table] = /\.(csv|tsv)$/i.exec(given.text('seeds-file')?.trim() ?? '') ?? []
  const fromFile = await given.file('seeds-file', maxListSize, (text) =>
    table === undefined ? readSeedList(text, 'file') : readCsvSeeds(text, /tsv/i.test(table)),
  )
  given.notBoth('seeds', 'seeds-file', 'a batch takes one list')
  if (given.text('seeds') === undefined && given.text('seeds-file') === undefined) {
    given.problem('seeds', 'neither seeds nor seeds-file was given; give one of the two')
  }
  const label = given.optional('label', anyText)
  const seeds = inline ?? fromFile ?? []
  if (label === undefined) return seeds
  return seeds.map((seed) => ({ ...seed, label: labelOf(seed.text, label) }))
}
