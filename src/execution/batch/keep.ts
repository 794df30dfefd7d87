/** A run that an earlier attempt of the job saw succeed: its files are fetched again. */
import { collect, type CollectedFiles } from '../../download/collect.ts'
import { NoFreshLinkError, StatusRefresh } from '../../download/status-refresh.ts'
import { messageOf } from '../../errors.ts'
import { ServiceError } from '../../service/errors.ts'
import { grace, missed, nothingKnown } from '../poll-state.ts'
import type { RunRecord } from './record.ts'
import { missingOf, pathsOf } from './outcome.ts'
import type { BatchSeed } from './seed-list.ts'
import type { Place, Shared } from './shared.ts'

interface Kept {
  files: CollectedFiles | undefined
  /** Why there are no files, where there are none. */
  why?: string
  /** For 30 s the service did not know the execution: no later attempt will have its files. */
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
    index: seed.index,
    label: seed.label,
    executionId,
    conclusion,
    cause,
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
  const deadline = plan.deadline.at
  let state = nothingKnown
  let isGone = false
  const check = async (signal: AbortSignal) => {
    try {
      const status = await shared.service.executionStatus(executionId, signal)
      shared.listener.onStatus(status)
      state = nothingKnown
      return status
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      state = missed(error, state, clock.now())
      isGone = clock.now() - (state.missingSince ?? Infinity) >= grace
      if (!isGone) throw error
      throw new NoFreshLinkError('the service no longer has this execution', { cause: error })
    }
  }
  try {
    const status = await new StatusRefresh({ check, clock, deadline }).fresh(plan.deadline.signal)
    const files = await collect(status, {
      check,
      store,
      clock,
      cancelled,
      deadline,
      makeFolder: () => collaborators.makeFolder(seed),
      turn: (cancelled, work) => shared.download(cancelled, work),
    })
    return { files, isGone }
  } catch (error) {
    const why = `its files were not fetched again: ${messageOf(error)}`
    return { files: undefined, why, isGone }
  }
}
