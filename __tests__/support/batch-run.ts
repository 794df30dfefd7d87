/** Runs a batch in simulated time, and returns everything that happened. */
import path from 'node:path'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { Deadline } from '../../src/clock.ts'
import type { Store } from '../../src/download/store.ts'
import type {
  BatchCollaborators,
  BatchListener,
  BatchPlan,
  BatchSeed,
  BatchSnapshot,
} from '../../src/execution/batch/batch.ts'
import { followBatch } from '../../src/execution/batch/follow-batch.ts'
import { describeReport } from '../../src/messages/batch/report.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import type { EarlierRun } from '../../src/execution/rerun.ts'
// These modules are loaded here, because simulated time does not wait for imports.
import '../../src/execution/poll.ts'
import '../../src/execution/cause.ts'
import { BatchService, type Course } from './batch-service.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface Given extends Partial<Omit<BatchPlan, 'seeds' | 'deadline'>> {
  timeout?: number
  /** Milliseconds from the beginning. */
  cancelAt?: number
  latency?: number
  store?: (clock: SimulatedClock) => Store
  /** Called before the batch begins. */
  prepare?: (service: BatchService, clock: SimulatedClock) => void
  collaborators?: Partial<BatchCollaborators>
  listener?: Partial<BatchListener>
  /** When to take a snapshot, in milliseconds from the beginning. */
  snapshotsAt?: number[]
}

const noStore: Store = { open: () => Promise.reject(new Error('nothing is kept')) }

export async function runBatch(courses: Course[], given: Given = {}) {
  await using folder = await makeTemporaryFolder()
  const clock = new SimulatedClock({ maxJump: 0 })
  const service = new BatchService(clock)
  service.latency = given.latency ?? 0
  given.prepare?.(service, clock)
  const cancellation = new AbortController()
  using deadline = new Deadline(clock, given.timeout ?? 3_600_000, cancellation.signal)
  if (given.cancelAt !== undefined) {
    void clock.sleep(given.cancelAt).then(() => cancellation.abort(new Error('cancelled')))
  }
  const log: string[] = []
  const snapshots: BatchSnapshot[] = []
  const report = await endOf(
    followBatch(
      { ...planOf(courses, given), deadline },
      {
        service,
        clock,
        folder: folder.path,
        store: given.store?.(clock) ?? noStore,
        random: () => 0,
        cancelled: cancellation.signal,
        removeFolder: (made) => rm(made, { recursive: true }),
        makeFolder: (seed) => makeRunFolder(folder.path, seed),
        readLogEnd: (file) => readFile(file, 'utf8'),
        showWords: (text) => text,
        describe: (report) =>
          describeReport(report, {
            show: new Secrets(() => undefined).show,
            cancelled: cancellation.signal,
            timeout: given.timeout ?? 3_600_000,
            retries: given.retries ?? 0,
            retryOn: new Set(['container-error']),
            hasArtifact: true,
          }),
        ...given.collaborators,
      },
      { ...listen(log, snapshots, clock, given.snapshotsAt ?? []), ...given.listener },
    ),
    clock,
  )
  const stopped = report.records.find(({ stopReason }) => stopReason)?.stopReason
  return { ...report, stopped, service, log, snapshots, endedAt: clock.elapsed, clock }
}

function planOf(courses: Course[], given: Given) {
  const seeds = courses.map((course, index): BatchSeed => {
    // Each seed has a different text, so that the service can distinguish the starts.
    const text = JSON.stringify({ number: index + 1, ...course })
    return { index, text, label: `run ${index + 1}`, key: String(index), occurrence: 0 }
  })
  const failing = [
    'error',
    'container-error',
    'stopped',
    'timed-out',
    'refused',
    'unknown',
    'not-started',
  ]
  return {
    seeds,
    request: { project: 'demo', automation: 'daily_report' },
    maxParallel: 5,
    failFast: false,
    retries: 0,
    retryOn: new Set(['container-error'] as const),
    failsStep: (conclusion: string) => failing.includes(conclusion),
    pollInterval: 5_000,
    recorded: (): EarlierRun => ({ kind: 'none' }),
    onRerun: 'resume' as const,
    ...given,
  }
}

async function makeRunFolder(folder: string, { index }: BatchSeed): Promise<string> {
  const made = path.join(folder, `run-${index + 1}`)
  await mkdir(made, { recursive: true })
  return made
}

function listen(
  log: string[],
  snapshots: BatchSnapshot[],
  clock: SimulatedClock,
  moments: number[],
) {
  const add = (line: string) => void log.push(`${clock.elapsed} ${line}`)
  return {
    onBegin: (snapshot) => {
      for (const moment of moments) void clock.sleep(moment).then(() => snapshots.push(snapshot()))
    },
    onStarted: ({ index }, id) => add(`run ${index + 1} is ${id}`),
    onStartRetry: ({ index }, { message }) => add(`run ${index + 1} not accepted: ${message}`),
    onRetry: ({ index }) => add(`run ${index + 1} again`),
    onDownload: ({ index }, { kind }) => add(`run ${index + 1} download: ${kind}`),
    onStartedAnew: ({ index }, { executionId }) =>
      add(`run ${index + 1} anew after ${executionId}`),
    onHold: (span) => add(`held for ${span}`),
    onFailedCheck: ({ index }, { message }, _, isFirst) => {
      if (isFirst) add(`run ${index + 1} check failed: ${message}`)
    },
    onStop: (cause) => add(`stop: ${cause}`),
    onEnded: ({ index }, { conclusion }) => add(`run ${index + 1} ended: ${conclusion}`),
  } satisfies BatchListener
}

async function endOf<Value>(work: Promise<Value>, clock: SimulatedClock): Promise<Value> {
  const ending = await runToEnd(work, clock, clock.startedAt + 86_400_000, new PendingWork())
  if (ending.kind === 'returned') return ending.value
  throw ending.kind === 'threw' ? ending.error : new Error(ending.why)
}
