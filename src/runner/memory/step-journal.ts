/** The journal of one step that follows a batch. */
import type { Step } from '../step.ts'
import { messageOf } from '../../errors.ts'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { noCache } from '../../messages/memory.ts'
import type { BatchInputs } from '../inputs/read-batch.ts'
import { hasCacheService, type StepStorage } from '../storage/step-storage.ts'
import { attemptOf } from '../workflow-run.ts'
import { BatchJournal } from './batch-journal.ts'
import {
  type JournalStore,
  type JournalStoreContext,
  openJournalStore,
  withoutJournals,
} from './journal-store.ts'
import { identifyStep } from './step-memory.ts'

export type JournalInputs = Pick<
  BatchInputs,
  'connection' | 'target' | 'delivery' | 'list' | 'again' | 'retrying'
>

/** Costs nothing before the first start, unless an earlier attempt's journal is asked for. */
export function openBatchJournal(
  inputs: JournalInputs,
  storage: StepStorage,
  step: Step,
): BatchJournal {
  const { clock, environment } = step
  return new BatchJournal({
    seeds: inputs.list.seeds.seeds,
    attempt: attemptOf(environment),
    onRerun: inputs.again.onRerun,
    retries: inputs.retrying.retries,
    clock,
    openStore: () => openStepJournals(inputs, storage, step),
    prepare: () => {
      // What goes wrong with it, whoever saves is told.
      if (hasCacheService(environment)) storage.load().catch(() => undefined)
    },
  })
}

/** Counts the step, so it must be called once in every step. Never rejects. */
async function openStepJournals(
  inputs: JournalInputs,
  storage: StepStorage,
  step: Step,
): Promise<JournalStore> {
  const { environment, log, secrets, clock, cancelled } = step
  const runId = environment['GITHUB_RUN_ID'] ?? ''
  // Without it, journals of one workflow run would be found by another.
  if (!/^\d+$/.test(runId)) return withoutJournals('GITHUB_RUN_ID is not set', log)
  try {
    const identity = await identifyStep(subjectOf(inputs), environment)
    const attempt = attemptOf(environment)
    const context = { runId, attempt, identity, log, secrets, clock, cancelled }
    const hasCache = hasCacheService(environment)
    return openJournalStore({ ...context, storage: hasCache ? lazily(storage) : nowhere })
  } catch (error) {
    return withoutJournals(`RUNNER_TEMP cannot be used: ${describeFileProblem(error)}`, log)
  }
}

/** The seeds are not among what tells steps apart: a list may grow. No seed begins like a shard. */
export function subjectOf({
  connection,
  target,
  delivery,
  list,
  again,
}: Omit<JournalInputs, 'retrying'>) {
  const { index, total } = list.shard ?? { index: 0, total: 1 }
  const { webhook } = delivery
  const start = { ...target, ...(webhook === undefined ? {} : { webhook }) }
  return { connection, again, start: { ...start, seed: `shard ${index}/${total}` } }
}

function lazily(storage: StepStorage): JournalStoreContext['storage'] {
  const failed = (error: unknown) =>
    ({ kind: 'failure', name: 'Error', message: messageOf(error) }) as const
  return {
    saveFile: (file, signal) =>
      storage.open().then((thread) => thread.saveFile(file, signal), failed),
    restoreFile: (order, signal) =>
      storage.open().then((thread) => thread.restoreFile(order, signal), failed),
  }
}

/** Without a cache no thread is started only to say that there is none. */
const nowhere: JournalStoreContext['storage'] = {
  saveFile: () => Promise.resolve({ kind: 'report', report: { kind: 'failed', why: noCache } }),
  restoreFile: () => Promise.resolve({ kind: 'report', report: { kind: 'failed', why: noCache } }),
}
