/** A run that an earlier attempt of the job saw succeed: its files are fetched again. */
import { collect, type CollectedFiles } from '../../download/collect.ts'
import { NoFreshLinkError, StatusRefresh } from '../../download/status-refresh.ts'
import { Deadline } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { HttpError } from '../../service/errors.ts'
import type { RunRecord } from './record.ts'
import { missingOf, pathsOf } from './outcome.ts'
import type { BatchSeed } from './seed-list.ts'
import type { Place, Shared } from './shared.ts'

interface Kept {
  files: CollectedFiles | undefined
  /** Why there are no files, where there are none. */
  why?: string
  /** The service knows the execution no longer: no later attempt will have its files. */
  isGone: boolean
}

/** It is counted as what it was, whether its files can still be had or not. */
export async function keep(place: Place, executionId: string, shared: Shared): Promise<void> {
  const { seed } = place
  shared.listener.onStarted(seed, executionId)
  const { files, why, isGone } = await fetchAgain(seed, executionId, shared)
  const { folder, showWords } = shared.collaborators
  const cause = why === undefined ? missingOf(files, showWords) : showWords(why)
  const conclusion = 'success'
  const record: RunRecord = {
    ...{ index: seed.index, label: seed.label, executionId, conclusion, cause },
    attempts: [{ executionId, conclusion }],
    resumed: true,
    startedAt: undefined,
    endedAt: undefined,
    ...pathsOf(files, folder),
    failsStep: cause !== undefined && !isGone,
  }
  shared.tally.count(conclusion)
  await shared.record(place, record)
}

async function fetchAgain(seed: BatchSeed, executionId: string, shared: Shared): Promise<Kept> {
  const { plan, collaborators } = shared
  const { store, clock, cancelled } = collaborators
  let isGone = false
  const check = async (signal: AbortSignal) => {
    try {
      const status = await shared.service.executionStatus(executionId, signal)
      shared.listener.onStatus(status)
      return status
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error
      isGone = true
      throw new NoFreshLinkError('the service no longer has this execution', { cause: error })
    }
  }
  const fetchInTurn = async () => {
    const deadline = plan.deadline.at
    using bound = new Deadline(clock, plan.deadline.remaining(), cancelled)
    const status = await new StatusRefresh({ check, clock, deadline }).fresh(bound.signal)
    const makeFolder = () => collaborators.makeFolder(seed)
    return await collect(status, { check, store, clock, cancelled, deadline, makeFolder })
  }
  try {
    return { files: await shared.download(plan.deadline.signal, fetchInTurn), isGone }
  } catch (error) {
    return {
      files: undefined,
      why: `its files were not fetched again: ${messageOf(error)}`,
      isGone,
    }
  }
}
