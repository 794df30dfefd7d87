/** Creates the recorder that saves the record of a step for re-runs. */
import type { BatchSeed } from '../../execution/batch/batch-types.ts'
import type { BatchInputs, Rerun, StartInputs } from '../inputs/action-inputs.ts'
import type { Step } from '../step.ts'
import type { Storage } from '../storage/step-storage.ts'
import { attemptOf } from '../environment.ts'
import { addressOf, type Hmac, hmacWith, type RecordForm } from './identity.ts'
import { nameOfSeed } from './record.ts'
import { Recorder } from './recorder.ts'
import { RecordStore } from './record-store.ts'

/** Creates the recorder of a single run. */
export function openRecorder(
  { connection, request, rerun }: Pick<StartInputs, 'connection' | 'request' | 'rerun'>,
  storage: Storage,
  step: Step,
): Recorder {
  const { project, automation, webhook = '', seed = '' } = request
  const subject = [connection.baseUrl, project, automation, webhook, seed]
  return open('key', subject, rerun, hmacWith(connection), storage, step)
}

/** Creates the recorder of a batch. `nameOf` returns the name of a seed's run in the record. */
export function openBatchRecorder(
  { connection, target, delivery, rerun }: BatchInputs,
  storage: Storage,
  step: Step,
): { recorder: Recorder; nameOf: (seed: BatchSeed) => string } {
  const { project, automation } = target
  // The identity of a batch contains no seeds, because the list may grow before a re-run. The word
  // `batch` is never the JSON of a seed.
  const subject = [connection.baseUrl, project, automation, delivery.webhook ?? '', 'batch']
  const hmac = hmacWith(connection)
  const recorder = open('file', subject, rerun, hmac, storage, step)
  return { recorder, nameOf: (seed) => nameOfSeed(seed, hmac) }
}

function open(
  form: RecordForm,
  subject: readonly string[],
  { onRerun, rerunKey = '', matrix = '' }: Rerun,
  hmac: Hmac,
  storage: Storage,
  { environment, log, clock, cancelled }: Step,
): Recorder {
  // GITHUB_JOB is the id of the job in the workflow file. GITHUB_ACTION is the step's id, or a
  // generated name that may repeat in composite actions.
  const { GITHUB_RUN_ID: runId = '', GITHUB_JOB: job = '', GITHUB_ACTION: step = '' } = environment
  const address = addressOf(form, runId, [job, matrix, step, rerunKey], subject, hmac)
  const store = new RecordStore({ form, address, hmac, storage, log, clock, cancelled })
  const prepare = () => storage.prepare()
  const ownAttempt = attemptOf(environment)
  return new Recorder({ form, store, prepare, ownAttempt, onRerun, clock, cancelled })
}
