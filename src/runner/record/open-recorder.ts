/** Creates the recorder that saves the record of a step for re-runs. */
import type { BatchSeed } from '../../execution/batch/batch-types.ts'
import type { Credentials, ServiceAddress } from '../../service/client.ts'
import type { BatchInputs } from '../inputs/action-inputs.ts'
import type { Rerun, StartInputs } from '../inputs/action-inputs.ts'
import type { Step } from '../step.ts'
import type { Storage } from '../storage/step-storage.ts'
import { attemptOf } from '../environment.ts'
import { nameOfSeed } from './format.ts'
import { addressOf, type IdentityParts, type Sign, signWith } from './identity.ts'
import { Recorder } from './recorder.ts'
import { RecordStore } from './record-store.ts'

/** Creates the recorder of a single run. */
export function openRecorder(
  { connection, request, rerun }: Pick<StartInputs, 'connection' | 'request' | 'rerun'>,
  storage: Storage,
  step: Step,
): Recorder {
  const { project, automation, webhook = '', seed = '' } = request
  const subject = { project, automation, webhook, seed }
  return open({ carrier: 'run', connection, rerun, subject }, storage, step).recorder
}

/** Creates the recorder of a batch. `nameOf` returns the name of a seed's run in the record. */
export function openBatchRecorder(
  { connection, target, delivery, rerun }: BatchInputs,
  storage: Storage,
  step: Step,
): { recorder: Recorder; nameOf: (seed: BatchSeed) => string } {
  const { webhook = '' } = delivery
  const { project, automation } = target
  // The identity of a batch contains no seeds, because the list may grow before a re-run.
  const subject = { project, automation, webhook, seed: 'batch' }
  const { recorder, sign } = open({ carrier: 'batch', connection, rerun, subject }, storage, step)
  return { recorder, nameOf: (seed) => nameOfSeed(seed, sign) }
}

interface RecorderParts {
  carrier: 'run' | 'batch'
  connection: ServiceAddress & Credentials
  rerun: Rerun
  subject: Pick<IdentityParts, 'project' | 'automation' | 'webhook' | 'seed'>
}

function open(
  { carrier, connection, rerun, subject }: RecorderParts,
  storage: Storage,
  { environment, log, clock, cancelled }: Step,
): { recorder: Recorder; sign: Sign } {
  const { onRerun, rerunKey = '', matrix } = rerun
  const { GITHUB_RUN_ID: runId = '', GITHUB_JOB: job = '', GITHUB_ACTION: step = '' } = environment
  const attempt = attemptOf(environment)
  const sign = signWith(connection)
  const { baseUrl } = connection
  const parts = { job, step, matrix, rerunKey, baseUrl, ...subject }
  const address = addressOf(parts, runId, sign)
  const context = { carrier, address, sign, storage, log, clock, cancelled }
  const store = new RecordStore(context)
  const prepare = () => storage.prepare()
  const recorder = new Recorder({ carrier, store, prepare, attempt, onRerun, clock, cancelled })
  return { recorder, sign }
}
