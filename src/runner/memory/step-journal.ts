/** The journal of one step that follows a batch. */
import type { Step } from '../step.ts'
import { describeFileProblem } from '../../messages/file-problem.ts'
import type { BatchInputs } from '../inputs/read-batch.ts'
import type { Storage } from '../storage/step-storage.ts'
import { attemptOf } from '../workflow-run.ts'
import { BatchJournal } from './batch-journal.ts'
import { type JournalStore, openJournalStore, withoutJournals } from './journal-store.ts'
import { identifyStep } from './step-memory.ts'

export type JournalInputs = Pick<
  BatchInputs,
  'connection' | 'target' | 'delivery' | 'list' | 'again' | 'retrying'
>

/** Costs nothing before the first start, unless an earlier attempt's journal is asked for. */
export function openBatchJournal(
  inputs: JournalInputs,
  storage: Storage,
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
    prepare: () => storage.prepare(),
  })
}

/** Counts the step, so it must be called once in every step. Never rejects. */
async function openStepJournals(
  inputs: JournalInputs,
  storage: Storage,
  step: Step,
): Promise<JournalStore> {
  const { environment, log, secrets, clock, cancelled } = step
  const runId = environment['GITHUB_RUN_ID'] ?? ''
  // Without it, journals of one workflow run would be found by another.
  if (!/^\d+$/.test(runId)) return withoutJournals('GITHUB_RUN_ID is not set', log)
  try {
    const identity = await identifyStep(subjectOf(inputs), environment)
    const attempt = attemptOf(environment)
    return openJournalStore({ runId, attempt, identity, log, secrets, clock, cancelled, storage })
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
