/** Runs a batch in simulated time, and returns everything that happened. */
import path from 'node:path'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { findCause } from '../../src/cause/find-cause.ts'
import { Deadline } from '../../src/clock.ts'
import { messageOf } from '../../src/errors.ts'
import type { RunEvent } from '../../src/execution/events.ts'
import type { Store } from '../../src/download/store.ts'
import type { EarlierRun } from '../../src/execution/begin.ts'
import type {
  BatchEnv,
  BatchEvent,
  BatchPlan,
  BatchRow,
  BatchSeed,
  BatchSnapshot,
  EmitBatch,
  StopReason,
} from '../../src/execution/batch/batch-types.ts'
import { followBatch } from '../../src/execution/batch/follow-batch.ts'
import { nextStepAfter } from '../../src/messages/batch/runs.ts'
import { rowOf } from '../../src/messages/row-of.ts'
// This module is loaded here, because simulated time does not wait for imports.
import '../../src/download/collect.ts'
import { stepFacts } from './batch-rows.ts'
import { BatchService, type Course } from './batch-service.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface Given extends Partial<
  Omit<BatchPlan, 'seeds' | 'target' | 'deadline' | 'retrying'>
> {
  retries?: number
  timeout?: number
  /** Milliseconds from the beginning. */
  cancelAt?: number
  latency?: number
  store?: (clock: SimulatedClock) => Store
  /** Called before the batch begins. */
  prepare?: (service: BatchService, clock: SimulatedClock) => void
  env?: Partial<BatchEnv>
  /** Called with each event, after the log. */
  emit?: EmitBatch
  /** Returns the text of a seed. Default: its course, with its number. */
  seedText?: (index: number) => string
  /** When to take a snapshot, in milliseconds from the beginning. */
  snapshotsAt?: number[]
}

const target = { project: 'demo', automation: 'daily_report', webhookGiven: false }
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
  let stopped: StopReason | undefined
  const emit: EmitBatch = (event) => {
    log.push(...linesOf(event).map((line) => `${clock.elapsed} ${line}`))
    if (event.kind === 'opened') {
      for (const moment of given.snapshotsAt ?? []) {
        void clock.sleep(moment).then(() => snapshots.push(event.snapshot()))
      }
    }
    if (event.kind === 'starts-stopped') stopped = event.reason
    given.emit?.(event)
  }
  const report = await endOf(
    followBatch(
      { ...planOf(courses, given), deadline },
      {
        sendStart: ({ text }, signal) => service.startAutomation({ ...target, seed: text }, signal),
        sendCheck: (executionId, signal) => service.executionStatus(executionId, signal),
        clock,
        store: given.store?.(clock) ?? noStore,
        random: () => 0,
        cancelled: cancellation.signal,
        removeFolder: (made) => rm(made, { recursive: true }),
        makeFolder: (seed) => makeRunFolder(folder.path, seed),
        readCause: async (file) => findCause(await readFile(file, 'utf8')),
        validate: undefined,
        rowOf: (run) => rowOf(run, { ...stepFacts, folder: folder.path }),
        nextStepAfter: (end, othersRan) => {
          const facts = {
            automation: 'report',
            timeout: given.timeout ?? 3_600_000,
            retrying: retryingOf(given),
            resultPlace: 'in the artifact',
          }
          return nextStepAfter(end, facts, othersRan)
        },
        ...given.env,
      },
      emit,
    ),
    clock,
  )
  return {
    ...report,
    rows: report.rows.map(flat),
    stopped,
    service,
    log,
    snapshots,
    endedAt: clock.elapsed,
    clock,
  }
}

/** Returns the row with its facts side by side, and with the end of the run. */
function flat({ facts, ...row }: BatchRow) {
  const { startedAt, duration } = row
  const endedAt = startedAt === undefined ? undefined : startedAt + (duration ?? NaN)
  return { ...facts, ...row, endedAt }
}

function retryingOf({ retries = 0 }: Given): BatchPlan['retrying'] {
  return { retries, retryOn: new Set(['container-error']) }
}

function planOf(courses: Course[], given: Given) {
  const seeds = courses.map((course, index): BatchSeed => {
    // Each seed has a different text, so that the service can distinguish the starts.
    const text = given.seedText?.(index) ?? JSON.stringify({ number: index + 1, ...course })
    return { number: index + 1, text, label: `run ${index + 1}`, key: String(index), occurrence: 0 }
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
    target,
    maxParallel: 5,
    failFast: false,
    retrying: retryingOf(given),
    isFailing: (conclusion: string) => failing.includes(conclusion),
    pollInterval: 5_000,
    recorded: (): EarlierRun => ({ kind: 'none' }),
    mode: 'resume' as const,
    ...given,
  }
}

async function makeRunFolder(folder: string, { number }: BatchSeed): Promise<string> {
  const made = path.join(folder, `run-${number}`)
  await mkdir(made, { recursive: true })
  return made
}

function linesOf(event: BatchEvent): string[] {
  if (event.kind === 'starts-stopped') return [`stop: ${event.reason}`]
  if (event.kind === 'opened') return []
  const run = `run ${event.seed.number}`
  switch (event.kind) {
    case 'shared-execution':
      return [`${run} shares ${event.executionId} with run ${event.other.number}`]
    case 'replaced':
      return [`${run} anew after ${event.earlier.executionId}`]
    case 'done':
      return [`${run} ended: ${event.row.facts.conclusion}`]
    case 'run':
      return linesOfRun(run, event.event)
  }
}

function linesOfRun(run: string, event: RunEvent): string[] {
  switch (event.kind) {
    case 'start-retry':
      return [`${run} not accepted: ${messageOf(event.failure)}`]
    case 'retrying':
      return [`${run} again`]
    case 'download':
      return [`${run} download: ${event.download.kind}`]
    case 'recorded':
    case 'started':
      return [`${run} is ${event.executionId}`]
    case 'watching':
    case 'checked':
    case 'ended':
    case 'collected':
      return []
  }
}

async function endOf<Value>(work: Promise<Value>, clock: SimulatedClock): Promise<Value> {
  const ending = await runToEnd(work, clock, clock.startedAt + 86_400_000, new PendingWork())
  if (ending.kind === 'returned') return ending.value
  throw ending.kind === 'threw' ? ending.error : new Error(ending.why)
}
