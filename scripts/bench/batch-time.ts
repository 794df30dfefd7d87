/** How long a batch takes in simulated time: what the budget of checks costs. */
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { Deadline } from '../../src/clock.ts'
import { followBatch } from '../../src/execution/batch/follow-batch.ts'
import type { ExecutionService } from '../../src/service/client.ts'
// Loaded before time begins to run: it would not wait for them.
import '../../src/execution/poll.ts'
import '../../src/download/collect.ts'
import { equalRuns, silent, usualCollaborators } from './batch-setup.ts'

export interface BatchTime {
  /** Milliseconds that the runs alone would take, one after the other in each slot. */
  ideal: number
  /** Milliseconds. */
  taken: number
  checks: number
}

const day = 86_400_000

/** `takes`: milliseconds of a run. Each call of the service takes a tenth of a second. */
export async function measureBatchTime(
  runs: number,
  maxParallel: number,
  takes: number,
): Promise<BatchTime> {
  const clock = new SimulatedClock()
  using deadline = new Deadline(clock, day)
  const { duration, checks, counts } = await followBatch(
    equalRuns(runs, maxParallel, deadline),
    {
      ...usualCollaborators(clock, ''),
      makeFolder: () => Promise.resolve(''),
      service: serviceOf(clock, takes),
      store: { open: () => Promise.reject(new Error('nothing is kept')) },
    },
    silent,
  )
  if (counts.succeeded !== runs) throw new Error('not all runs succeeded')
  return { ideal: (runs / maxParallel) * takes, taken: duration, checks }
}

function serviceOf(clock: SimulatedClock, takes: number): ExecutionService {
  const startedAt: number[] = []
  const latency = 100
  return {
    startAutomation: async (_, signal) => {
      await clock.sleep(latency, signal)
      return { executionId: String(startedAt.push(clock.now()) - 1), message: '' }
    },
    executionStatus: async (executionId, signal) => {
      await clock.sleep(latency, signal)
      const finished = clock.now() - (startedAt[Number(executionId)] ?? NaN) >= takes
      const flags = { error: false, stopped: false, container_error: false }
      return { finished, ...flags, result_url: null, logs_url: null }
    },
  }
}
