import { batchChains } from './batch-trials.ts'
import { pullRequestChains } from './pull-request-trials.ts'
import { rerunTrials } from './rerun-trials.ts'
import { resultChains } from './result-trials.ts'
import type { Chain, Trial } from './trial.ts'
import { lookChain, webhookChain } from './waiting-trials.ts'

/** Texts that break JSON, shells and workflow commands where an input is pasted instead of passed. */
const hostileTitle = 'it\'s "quoted" \\ $(touch pasted) `id` %0A::error::pasted'

const endToEnd: Trial = {
  file: '.github/workflows/e2e.yml',
  event: 'push',
  seenRed: true,
  // Of the 13 steps that publish, one is killed by act while it waits.
  artifacts: 12,
}

/** Each has its service to itself. */
const single: Trial[] = [
  { file: 'examples/push.yml', event: 'push', artifacts: 1 },
  {
    file: 'examples/schedule.yml',
    event: 'schedule',
    artifacts: 1,
    skipped: ['Tell that nobody gets a report today'],
  },
  { file: 'examples/schedule-time-zone.yml', event: 'schedule', artifacts: 1 },
  {
    file: 'examples/dispatch.yml',
    event: 'workflow_dispatch',
    inputs: { title: hostileTitle, top: '3' },
    artifacts: 1,
  },
  { file: 'examples/use-result-in-next-step.yml', event: 'push', artifacts: 1 },
  { file: 'examples/use-result-in-another-job.yml', event: 'push', artifacts: 1 },
  { file: 'examples/commit-result.yml', event: 'push', artifacts: 1, pushed: 'data/series.json' },
  { file: 'examples/start-now-wait-later.yml', event: 'push', artifacts: 1 },
  // act has no environments: it begins the second job at once.
  { file: 'examples/wait-timer.yml', event: 'push', artifacts: 1 },
  {
    file: 'examples/handle-failure.yml',
    event: 'push',
    artifacts: 1,
    skipped: ['Go on without waiting any longer'],
  },
]

/** A new project is empty; the second time, it has been there and has its code. */
const newProject: Trial[] = [
  {
    file: 'examples/create-project.yml',
    event: 'workflow_dispatch',
    artifacts: 0,
    inputs: { name: 'shop-reports' },
    skippedJobs: ['first-run'],
  },
  {
    file: 'examples/create-project.yml',
    event: 'workflow_dispatch',
    artifacts: 1,
    inputs: { name: 'demo', automation: 'word-report' },
    skipped: ['Say what comes next'],
  },
]

/** Those that take longest come first. */
export const chains: Chain[] = [
  { trials: [endToEnd] },
  { trials: rerunTrials },
  webhookChain,
  lookChain,
  ...pullRequestChains,
  ...resultChains,
  { trials: newProject },
  ...batchChains,
  ...single.map((trial) => ({ trials: [trial] })),
]
