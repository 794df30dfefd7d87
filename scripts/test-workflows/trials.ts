import { batchPageTrials } from './batch-page-trials.ts'
import { recipeTrials } from './recipe-trials.ts'
import { rerunTrials } from './rerun-trials.ts'
import type { Trial } from './trial.ts'

/** Texts that break JSON, shells and workflow commands where an input is pasted instead of passed. */
const hostileTitle = 'it\'s "quoted" \\ $(touch pasted) `id` %0A::error::pasted'

export const trials: Trial[] = [
  // Of the 13 steps that publish, one is killed by act while it waits.
  { file: '.github/workflows/e2e.yml', event: 'push', artifacts: 12, seenRed: true },
  { file: 'examples/push.yml', event: 'push', artifacts: 1 },
  {
    file: 'examples/schedule.yml',
    event: 'schedule',
    artifacts: 1,
    skipped: ['Tell that nobody gets a report today'],
  },
  {
    file: 'examples/dispatch.yml',
    event: 'workflow_dispatch',
    inputs: { title: hostileTitle, top: '3' },
    artifacts: 1,
  },
  { file: 'examples/use-result-in-next-step.yml', event: 'push', artifacts: 1 },
  { file: 'examples/use-result-in-another-job.yml', event: 'push', artifacts: 1 },
  { file: 'examples/commit-result.yml', event: 'push', artifacts: 1, pushed: 'data/series.json' },
  { file: 'examples/matrix.yml', event: 'push', artifacts: 3 },
  { file: 'examples/start-now-wait-later.yml', event: 'push', artifacts: 1 },
  // act has no environments: it begins the second job at once.
  { file: 'examples/wait-timer.yml', event: 'push', artifacts: 1 },
  {
    file: 'examples/handle-failure.yml',
    event: 'push',
    artifacts: 1,
    skipped: ['Go on without waiting any longer'],
  },
  {
    file: 'examples/create-project.yml',
    event: 'workflow_dispatch',
    inputs: { name: 'shop-reports' },
    artifacts: 0,
  },
  ...recipeTrials,
  ...rerunTrials,
  ...batchPageTrials,
]
