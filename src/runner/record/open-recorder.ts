/** The recorder of one step: what identifies the step, and where its records are kept. */
import { tmpdir } from 'node:os'
import type { BatchSeed } from '../../execution/batch/batch.ts'
import type { BatchInputs } from '../inputs/read-batch.ts'
import type { StartInputs } from '../inputs/read.ts'
import { describeReadProblem } from '../readable-file.ts'
import type { Step } from '../step.ts'
import type { Storage } from '../storage/step-storage.ts'
import { attemptOf } from '../workflow-run.ts'
import { nameOfSeed, onlyRun } from './format.ts'
import { addressOf, countOccurrence, type IdentityParts, type Sign, signWith } from './identity.ts'
import { Recorder } from './recorder.ts'
import { CacheRecordStore, type RecordStore, withoutStore } from './store.ts'

/** Counts the step, so it must be called once in every step, before anything else. */
export async function openRecorder(
  { connection, start, again }: Pick<StartInputs, 'connection' | 'start' | 'again'>,
  storage: Storage,
  step: Step,
): Promise<Recorder> {
  const { project, automation, webhook = '', seed = '' } = start
  const subject = { baseUrl: connection.baseUrl, project, automation, webhook, seed }
  const parts = partsOf(subject, again, step)
  return open(
    { carrier: 'run', parts, names: [onlyRun], again, sign: signWith(connection) },
    storage,
    step,
  )
}

export type RecordedBatch = Pick<
  BatchInputs,
  'connection' | 'target' | 'delivery' | 'list' | 'again'
>

/** The same for a batch. `nameOf`: what its record calls the run of a seed. */
export async function openBatchRecorder(
  { connection, target, delivery, list, again }: RecordedBatch,
  storage: Storage,
  step: Step,
): Promise<{ recorder: Recorder; nameOf: (seed: BatchSeed) => string }> {
  // The seeds are no part of the identity: a list may grow. No seed begins like a shard.
  const { index, total } = list.shard ?? { index: 0, total: 1 }
  const seed = `shard ${index}/${total}`
  const { webhook = '' } = delivery
  const parts = partsOf({ baseUrl: connection.baseUrl, ...target, webhook, seed }, again, step)
  const sign = signWith(connection)
  const nameOf = (one: BatchSeed) => nameOfSeed(one, sign)
  const names = list.seeds.seeds.map(nameOf)
  return {
    recorder: await open({ carrier: 'batch', parts, names, again, sign }, storage, step),
    nameOf,
  }
}

function partsOf(
  subject: Pick<IdentityParts, 'baseUrl' | 'project' | 'automation' | 'webhook' | 'seed'>,
  { matrix, rerunKey = '' }: StartInputs['again'],
  { environment }: Step,
): IdentityParts {
  return {
    job: environment['GITHUB_JOB'] ?? '',
    step: environment['GITHUB_ACTION'] ?? '',
    matrix,
    rerunKey,
    ...subject,
  }
}

interface Recorded {
  carrier: 'run' | 'batch'
  parts: IdentityParts
  names: readonly string[]
  again: StartInputs['again']
  sign: Sign
}

async function open(recorded: Recorded, storage: Storage, step: Step): Promise<Recorder> {
  const { store, problem } = await openStore(recorded, storage, step)
  return new Recorder({
    store,
    problem,
    prepare: () => storage.prepare(),
    attempt: attemptOf(step.environment),
    onRerun: recorded.again.onRerun,
    names: recorded.names,
    clock: step.clock,
  })
}

/** Never rejects. */
async function openStore(
  { carrier, parts, sign }: Recorded,
  storage: Storage,
  { environment, log, secrets, clock, cancelled }: Step,
): Promise<{ store: RecordStore; problem: string | undefined }> {
  const runId = environment['GITHUB_RUN_ID'] ?? ''
  const attempt = attemptOf(environment)
  // Without it, records of one workflow run would be found by another.
  if (!/^\d+$/.test(runId)) {
    return { store: withoutStore('GITHUB_RUN_ID is not set', log), problem: undefined }
  }
  try {
    const named = environment['RUNNER_TEMP'] ?? ''
    const folder = named.trim() === '' ? tmpdir() : named
    const alike = addressOf(parts, 0, runId, sign).identity
    const occurrence = await countOccurrence(alike, { folder, runId, attempt })
    const address = addressOf(parts, occurrence, runId, sign)
    const store = new CacheRecordStore({
      carrier,
      address,
      attempt,
      sign,
      storage,
      log,
      secrets,
      clock,
      cancelled,
    })
    return { store, problem: undefined }
  } catch (error) {
    const problem = `RUNNER_TEMP cannot be used: ${describeReadProblem(error)}`
    return { store: withoutStore(problem, log), problem }
  }
}
