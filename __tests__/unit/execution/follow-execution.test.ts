import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { Deadline } from '../../../src/clock.ts'
import type { Store } from '../../../src/download/store.ts'
import type { ExecutionReport } from '../../../src/execution/execution-report.ts'
import {
  followExecution,
  type Collaborators,
  type ExecutionPlan,
} from '../../../src/execution/follow-execution.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { NotSentError } from '../../../src/service/errors.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../../sandbox/simulation/simulated-time.ts'
import { BatchService, type Course } from '../../support/batch-service.ts'
import { connectionRefused } from '../../support/failures.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const failedLog = 'starting\nerror: row 7 of hunter2 is empty\nbye\n'

/** Answers each link with the next status, and the last one ever after; a 200 has the log. */
function storeWith(...statuses: number[]): Store {
  let opened = 0
  return {
    open: () => {
      const status = statuses[Math.min(opened++, statuses.length - 1)] ?? 200
      const headers = { 'content-type': 'text/plain' }
      const body = Readable.from([Buffer.from(failedLog)])
      return Promise.resolve({ status, headers, body, close: () => undefined })
    },
  }
}

interface Given extends Partial<Pick<Collaborators, 'store' | 'showLog' | 'leastPause'>> {
  plan?: Partial<ExecutionPlan>
  prepare?: (service: BatchService) => void
}

/** Follows one execution of this course, which `e1` names. */
async function follow(course: Course, given: Given = {}) {
  await using folder = await makeTemporaryFolder()
  const clock = new SimulatedClock({ longestJump: 0 })
  const service = new BatchService(clock)
  given.prepare?.(service)
  const seen: ExecutionStatus[] = []
  const ended: ExecutionReport[] = []
  const nothing = () => undefined
  using deadline = new Deadline(clock, 3_600_000)
  const request = { project: 'demo', automation: 'report', seed: JSON.stringify(course) }
  const following = followExecution(
    { begin: request, pollInterval: 5_000, once: false, deadline, ...given.plan },
    {
      ...{ service, clock, random: () => 0, cancelled: neverAborts, store: storeWith(200) },
      makeFolder: () => Promise.resolve(folder.path),
      showLog: (text) => text,
      ...given,
    },
    {
      ...{ onStartRetry: nothing, onStarted: nothing, onWait: nothing, onCheck: nothing },
      ...{ onPause: nothing, onTrouble: nothing, onRecovery: nothing },
      onStatus: (status) => void seen.push(status),
      onEnding: (report) => void ended.push(report),
    },
  )
  const ending = await runToEnd(following, clock, clock.now() + 7_200_000, new PendingWork())
  if (ending.kind !== 'returned') throw new Error('it did not end', { cause: ending })
  return { report: ending.value, ended, seen, service }
}

describe('the cause of a failed execution', () => {
  it.each(['error', 'container-error'] as const)('is read from its log after %s', async (ends) => {
    const { report } = await follow({ ends, files: true })

    expect(report.cause).toEqual({ text: 'error: row 7 of hunter2 is empty' })
    expect(report.attempts).toMatchObject([{ conclusion: ends, cause: report.cause }])
  })

  it.each(['success', 'stopped'] as const)('is not looked for after %s', async (ends) => {
    expect((await follow({ ends, files: true })).report.cause).toBeUndefined()
  })

  it('is found in what may be shown of the log', async () => {
    const showLog = (text: string) => text.replace('hunter2', '***')
    const { report } = await follow({ ends: 'error', files: true }, { showLog })

    expect(report.cause?.text).toBe('error: row 7 of *** is empty')
  })

  it('is unknown where the log could not be fetched', async () => {
    const store = storeWith(404)
    const { report } = await follow({ ends: 'error', files: true }, { store })

    expect(report.files?.log.kind).toBe('unavailable')
    expect(report.cause).toBeUndefined()
  })
})

describe('the files of an execution', () => {
  it('are fetched after its end is told', async () => {
    const { report, ended } = await follow({ takes: 0, files: true })

    expect(ended).toMatchObject([{ conclusion: 'success', files: undefined }])
    expect(report.files).toMatchObject({ result: { kind: 'file' }, log: { kind: 'file' } })
  })

  it('come by fresh links where the first have expired; those are told, and no check', async () => {
    const store = storeWith(403, 403, 200)
    const { report, seen } = await follow({ takes: 0, files: true }, { store })

    expect(report.files?.log.kind).toBe('file')
    expect(seen.length).toBeGreaterThan(1)
    expect(report.checks).toBe(1)
  })
})

describe('the checks of an execution', () => {
  it('that were not sent do not count', async () => {
    let tries = 0
    const { report } = await follow(
      { takes: 4_000 },
      { prepare: (service) => (service.trouble = notSentOnce(() => ++tries === 3)) },
    )

    expect(report).toMatchObject({ conclusion: 'success', checks: 2 })
  })

  it('that fail do', async () => {
    let tries = 0
    const trouble = () => (++tries === 3 ? connectionRefused() : undefined)
    const { report } = await follow(
      { takes: 8_000 },
      { prepare: (service) => (service.trouble = trouble) },
    )

    expect(report).toMatchObject({ conclusion: 'success', checks: 3 })
  })

  it('lie as far apart as those of others demand', async () => {
    const { service } = await follow({ takes: 60_000 }, { leastPause: () => 40_000 })

    expect(service.checks.map(({ at }) => at)).toEqual([0, 40_000, 80_000])
  })
})

function notSentOnce(when: () => boolean) {
  return () => (when() ? new NotSentError('its turn did not come') : undefined)
}
