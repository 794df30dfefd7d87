/** One run of a workflow in two attempts: the second takes over what the first has started. */
import type { ActRecord } from './record.ts'
import type { Stage } from './stage.ts'
import type { Trial } from './trial.ts'
import type { Verdict } from './verdict.ts'

const file = 'examples/push.yml'
const runId = '4720'

export const rerunTrials: Trial[] = [
  {
    ...{ file, event: 'push', runId, attempt: 1, artifacts: 0 },
    // The record of a run is saved once it is 20 s old. act kills the step outright.
    cutOffAt: 'Saved for a re-run: ',
    given: ({ sandbox }) => {
      sandbox.script('next', [{}])
      return Promise.resolve({})
    },
  },
  {
    ...{ file, event: 'push', runId, attempt: 2, artifacts: 1 },
    given: ({ sandbox }) => {
      // It goes on when the second attempt asks for it, and then ends.
      sandbox.script(latestIn(sandbox), [{}, { finished: true }])
      sandbox.requests.length = 0
      return Promise.resolve({})
    },
    brought: (stage, record) => Promise.resolve(judgeTakeover(stage, record)),
  },
]

const latestIn = ({ executions }: Pick<Stage['sandbox'], 'executions'>) =>
  executions.at(-1)?.id ?? 'none'

/** Holds that the step's first line tells of the execution, and that nothing else was started. */
export function judgeTakeover(
  { sandbox }: { sandbox: Pick<Stage['sandbox'], 'executions' | 'requests'> },
  record: ActRecord,
): Verdict {
  const id = latestIn(sandbox)
  const [job] = record.jobs.values()
  const lines = [...(job?.steps.values() ?? [])].flatMap((step) => step.lines)
  const said = lines.find((line) => /^(?:Execution|Attempt|Service) /.test(line)) ?? 'nothing'
  const expected = `Execution ${id}, which attempt 1 started, is still running: waiting for it; nothing new is started`
  const starts = sandbox.requests.filter(({ kind }) => kind === 'start').length
  const verdict: Verdict = { proofs: [], problems: [] }
  if (said === expected) verdict.proofs.push(said)
  else verdict.problems.push(`The log begins with: ${said}\nexpected: ${expected}`)
  if (starts === 0) verdict.proofs.push('the service got no second start')
  else verdict.problems.push(`the service got ${starts} more starts`)
  return verdict
}
