/** Follows an execution in simulated time, and returns what its listener was called with. */
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Deadline } from '../../../../src/clock.ts'
import type { Store } from '../../../../src/download/store.ts'
import type { ExecutionReport } from '../../../../src/execution/execution-report.ts'
import { followExecution, type Collaborators } from '../../../../src/execution/follow-execution.ts'
import type { ExecutionStatus } from '../../../../src/service/contract.ts'
import type { StartRequest } from '../../../../src/service/client.ts'
import { neverAborts, SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../../../sandbox/simulation/simulated-time.ts'
import { BatchService, type Course } from '../../../support/batch-service.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

/** The content of every link, for a result and for a log. */
const failedLog = 'starting\nerror: row 7 of hunter2 is empty\nbye\n'

/** Returns a store that answers links with these statuses, and then with 200 and the log. */
export function storeWith(...statuses: number[]): Store {
  let opened = 0
  return {
    open: () => {
      const status = statuses[opened++] ?? 200
      const headers = { 'content-type': 'text/plain' }
      const body = Readable.from([Buffer.from(failedLog)])
      return Promise.resolve({ status, headers, body, close: () => undefined })
    },
  }
}

interface Given extends Partial<
  Pick<Collaborators, 'store' | 'readLogEnd' | 'minPause' | 'checkResult'>
> {
  /** The errors of the first call, the second, and so on. */
  troubles?: (Error | undefined)[]
  request?: Partial<StartRequest>
}

/** Follows one execution with this course. Its id is `e1`. */
export async function follow(course: Course, given: Given = {}) {
  await using folder = await makeTemporaryFolder()
  const clock = new SimulatedClock({ maxJump: 0 })
  const service = new BatchService(clock)
  service.trouble = () => given.troubles?.shift()
  const seen: ExecutionStatus[] = []
  const ended: ExecutionReport[] = []
  const retried: string[] = []
  const nothing = () => undefined
  using deadline = new Deadline(clock, 3_600_000)
  const request = {
    project: 'demo',
    automation: 'report',
    seed: JSON.stringify(course),
    ...given.request,
  }
  const following = followExecution(
    { begin: request, pollInterval: 5_000, deadline },
    {
      service,
      clock,
      random: () => 0,
      cancelled: neverAborts,
      store: storeWith(),
      removeFolder: () => Promise.resolve(),
      makeFolder: () => Promise.resolve(folder.path),
      readLogEnd: (file) => readFile(file, 'utf8'),
      ...given,
    },
    {
      onStarted: nothing,
      onWait: nothing,
      onCheck: nothing,
      onDownload: nothing,
      onStartRetry: ({ message }, pause) => void retried.push(`${message}, ${pause}`),
      onStatus: (status) => void seen.push(status),
      onEnding: (report) => void ended.push(report),
    },
  )
  const ending = await runToEnd(following, clock, clock.now() + 7_200_000, new PendingWork())
  if (ending.kind !== 'returned') throw new Error('it did not end', { cause: ending })
  return { report: ending.value, ended, seen, retried, service }
}
