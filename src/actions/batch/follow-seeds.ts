/** Follows the runs of a batch: the engine, with what this step's inputs and runner give it. */
import { Deadline } from '../../clock.ts'
import type {
  BatchCollaborators,
  BatchListener,
  BatchPlan,
  BatchReport,
} from '../../execution/batch/batch.ts'
import { followBatch } from '../../execution/batch/follow-batch.ts'
import { failsStep } from '../../execution/conclusion.ts'
import { showLog } from '../../messages/text/shown-texts.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { BatchJournal } from '../../runner/memory/batch-journal.ts'
import type { Step } from '../../runner/step.ts'
import type { Connections } from '../connect.ts'
import { reportBatchProgress, type RunFacts } from './progress.ts'
import type { RunFolders } from './run-folders.ts'

/** What the service bears of one step, whatever number of runs it follows. */
const checksPerSecond = 5

export interface Means {
  connections: Connections
  folders: RunFolders
  /** Filled as the runs end. */
  facts: RunFacts
  journal: BatchJournal
}

export async function followSeeds(
  inputs: BatchInputs,
  means: Means,
  step: Step,
): Promise<BatchReport> {
  const { folders, facts, journal } = means
  const { target, list, delivery, pool, waiting, again, retrying } = inputs
  const { pollInterval, timeout, failOn } = waiting
  using deadline = new Deadline(step.clock, timeout, step.cancelled)
  using listener = reportBatchProgress(retrying.retries, { folders, facts }, step)
  const plan: BatchPlan = {
    seeds: list.seeds,
    request: { ...target, ...delivery },
    pollInterval,
    deadline,
    ...pool,
    ...retrying,
    failsStep: (conclusion) => failsStep(conclusion, failOn),
    recorded: (seed) => journal.recorded(seed),
    onRerun: again.onRerun === 'reuse' ? 'reuse' : 'resume',
  }
  return await followBatch(plan, collaboratorsIn(step, means), journaling(listener, journal))
}

/** The listener of a batch on its way, which lets the journal know too. */
function journaling(listener: BatchListener, journal: BatchJournal): BatchListener {
  return {
    ...listener,
    onStarted: (seed, executionId, ...rest) => {
      journal.started(seed, executionId)
      listener.onStarted(seed, executionId, ...rest)
    },
    onEnded: async (seed, record, report) => {
      journal.ended(seed, record)
      await listener.onEnded(seed, record, report)
    },
  }
}

function collaboratorsIn(
  { clock, random, cancelled, secrets }: Step,
  { connections: { service, store }, folders }: Means,
): BatchCollaborators {
  return {
    service,
    store,
    clock,
    random,
    cancelled,
    checksPerSecond,
    folder: folders.folder,
    makeFolder: (seed) => folders.make(seed),
    removeFolder: (folder) => folders.remove(folder),
    showLog: (text) => showLog(text, secrets.show),
    showWords: (text) => secrets.words(text),
  }
}
