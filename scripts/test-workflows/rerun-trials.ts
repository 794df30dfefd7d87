/** One run of a workflow in two attempts: the second takes over what the first has started. */
import type { ActRecord } from './record.ts'
import type { Setup } from './setup.ts'
import type { Trial } from './trial.ts'
import type { CheckResult } from './check-jobs.ts'

const file = 'examples/push.yml'
const runId = '4720'

export const rerunTrials: Trial[] = [
  {
    file,
    event: 'push',
    runId,
    attempt: 1,
    artifacts: 0,
    // The record of a run is saved once it is 20 s old. act kills the step outright.
    cutOffAt: 'Saved for a re-run: ',
    given: ({ sandbox }) => {
      sandbox.script('next', [{}])
    },
  },
  {
    file,
    event: 'push',
    runId,
    attempt: 2,
    artifacts: 1,
    given: ({ sandbox }) => {
      // It goes on when the second attempt asks for it, and then ends.
      sandbox.script(latestIn(sandbox), [{}, { finished: true }])
      sandbox.requests.length = 0
    },
    check: (setup, record) => checkTakeover(setup, record),
  },
]

const latestIn = ({ executions }: Pick<Setup['sandbox'], 'executions'>) =>
  executions.at(-1)?.id ?? 'none'

/** Checks that the step's first line names the execution, and that nothing else was started. */
export function checkTakeover(
  { sandbox }: { sandbox: Pick<Setup['sandbox'], 'executions' | 'requests'> },
  record: ActRecord,
): CheckResult {
  const id = latestIn(sandbox)
  const [job] = record.jobs.values()
  const lines = [...(job?.steps.values() ?? [])].flatMap((step) => step.lines)
  const said = lines.find((line) => /^(?:Execution|Attempt|Service) /.test(line)) ?? 'nothing'
  const expected = `Execution ${id}, which attempt 1 started, is still running: waiting for it; nothing new is started`
  const starts = sandbox.requests.filter(({ kind }) => kind === 'start').length
  const result: CheckResult = { passed: [], problems: [] }
  if (said === expected) result.passed.push(said)
  else result.problems.push(`The log begins with: ${said}\nexpected: ${expected}`)
  if (starts === 0) result.passed.push('the service got no second start')
  else result.problems.push(`the service got ${starts} more starts`)
  return result
}
