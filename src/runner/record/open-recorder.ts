/** Creates the recorder that saves the record of a step for re-runs. */
import type { BatchSeed } from '../../execution/batch/batch.ts'
import type { Credentials, ServiceAddress } from '../../service/client.ts'
import type { Again } from '../inputs/again.ts'
import type { BatchInputs } from '../inputs/read-batch.ts'
import type { StartInputs } from '../inputs/read.ts'
import type { Step } from '../step.ts'
import type { Storage } from '../storage/step-storage.ts'
import { attemptOf } from '../environment.ts'
import { nothingStarted } from '../../messages/annotation.ts'
import { temporaryFolderOf } from '../step-folder.ts'
import { nameOfSeed } from './format.ts'
import { addressOf, countOccurrence, type IdentityParts, signWith } from './identity.ts'
import { Recorder } from './recorder.ts'
import { RecordStore } from './store.ts'

/** Creates the recorder of a single run. Each call counts as one more step with these inputs. */
export async function openRecorder(
  { connection, start, again }: Pick<StartInputs, 'connection' | 'start' | 'again'>,
  storage: Storage,
  step: Step,
): Promise<Recorder> {
  const { project, automation, webhook = '', seed = '' } = start
  const subject = { project, automation, webhook, seed }
  return open({ carrier: 'run', connection, again, subject }, storage, step)
}

/** Creates the recorder of a batch. `nameOf` returns the name of a seed's run in the record. */
export async function openBatchRecorder(
  { connection, target, delivery, again }: BatchInputs,
  storage: Storage,
  step: Step,
): Promise<{ recorder: Recorder; nameOf: (seed: BatchSeed) => string }> {
  const { webhook = '' } = delivery
  const { project, automation } = target
  // The identity of a batch contains no seeds, because the list may grow before a re-run.
  const subject = { project, automation, webhook, seed: 'batch' }
  const sign = signWith(connection)
  const nameOf = (seed: BatchSeed) => nameOfSeed(seed, sign)
  const recorder = await open({ carrier: 'batch', connection, again, subject }, storage, step)
  return { recorder, nameOf }
}

interface Recorded {
  carrier: 'run' | 'batch'
  connection: ServiceAddress & Credentials
  again: Again
  subject: Pick<IdentityParts, 'project' | 'automation' | 'webhook' | 'seed'>
}

/**
 * @throws ActionError if steps with equal inputs cannot be counted, because a re-run could confuse
 * the records of these steps.
 */
async function open(
  { carrier, connection, again, subject }: Recorded,
  storage: Storage,
  { environment, log, secrets, clock, cancelled }: Step,
): Promise<Recorder> {
  const { onRerun, rerunKey = '', matrix } = again
  const { GITHUB_RUN_ID: runId = '', GITHUB_JOB: job = '', GITHUB_ACTION: step = '' } = environment
  const attempt = attemptOf(environment)
  const sign = signWith(connection)
  const { baseUrl } = connection
  const parts = { job, step, matrix, rerunKey, baseUrl, ...subject }
  const addressAt = (occurrence: number) => addressOf(parts, occurrence, runId, sign)
  const folder = temporaryFolderOf(environment)
  const occurrence = await countOccurrence(addressAt(0).step, { folder, runId, attempt }).catch(
    (error: unknown) => {
      throw nothingStarted(subject.automation, error)
    },
  )
  const store = new RecordStore({
    carrier,
    address: addressAt(occurrence),
    sign,
    storage,
    log,
    secrets,
    clock,
    cancelled,
  })
  const prepare = () => storage.prepare()
  return new Recorder({ carrier, store, prepare, attempt, onRerun, clock })
}
