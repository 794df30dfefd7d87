import assert from 'node:assert/strict'
import { parse as parseJUnit } from 'junit2json'
import { githubChains, lastCall } from './github-trials.ts'
import { change, refusePushes, write } from './harness/change.ts'
import { git, repository } from './harness/checkout.ts'
import type { Setup } from './harness/setup.ts'
import { example, type Trial } from './harness/trial.ts'

/** Texts that break JSON, shells and workflow commands if they are pasted into them. */
const hostileTitle = 'it\'s "quoted" \\ $(touch pasted) `id` %0A::error::pasted'
const issues = [
  { number: 1, title: hostileTitle },
  { number: 2, title: '::error::pasted\n##[error]and %0A::error::again' },
  { number: 3, title: '</summary> | `` [link](https://example.com) 😀' },
]
const listed = ['Oslo', 'Lyon', 'Turin'].map((city) => ({ city }))
const spread = ['Ghent', 'Graz', 'Porto', 'Riga', 'Split'].map((city) => ({ city }))
const atlantis = { city: 'Atlantis', down: 1 }

/** A workflow that gives the composite action none of its optional inputs. */
const reportAsStep = `on: push
jobs:
  report:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7 # act copies the files itself
      - name: Run the report
        uses: ./examples/composite-action
        with:
          base-url: \${{ vars.AUTOMATION_BASE_URL }}
          api-token: \${{ secrets.AUTOMATION_API_TOKEN }}
          api-key: \${{ secrets.AUTOMATION_API_KEY }}
`

const endToEnd: Trial = {
  file: '.github/workflows/e2e.yml',
  event: 'push',
  hasAssertions: true,
  // 13 steps upload an artifact. act kills one of them while it waits.
  artifacts: 12,
}

/** The second attempt takes over the run of the first attempt. fetch.yml fetches the run again. */
const attempts: Trial[] = [
  example('push.yml', 'push', 0, {
    runId: '4720',
    attempt: 1,
    script: [{}],
    // The record is saved 20 s after the start. Then the trial ends act, which kills the step at once.
    cutOffAt: 'Saved for a re-run: ',
  }),
  example('push.yml', 'push', 1, {
    runId: '4720',
    attempt: 2,
    // The run is still running when the second attempt asks for it, and then ends.
    script: [{}, { finished: true }],
    check: ({ sandbox: { executions, requests } }, { steps }) => {
      const lines = steps.flatMap(([, step]) => step.lines)
      assert.equal(
        lines.find((line) => /^(?:Execution|Attempt|Service) /.test(line)),
        `Execution ${executions[0]?.id ?? ''} of attempt 1 is still running. This step takes it over and starts nothing.`,
      )
      assert.equal(requests.filter(({ kind }) => kind === 'start').length, 1)
    },
  }),
  example('fetch.yml', 'workflow_dispatch', 1, {
    given: ({ sandbox: { executions } }) => {
      return { inputs: { 'execution-id': executions[0]?.id ?? '', timeout: '1m' } }
    },
  }),
]

/** The first project is new and empty. The second project exists and has an automation. */
const newProject: Trial[] = [
  example('create-project.yml', 'workflow_dispatch', 0, {
    inputs: { name: 'shop-reports' },
    skippedJobs: ['first-run'],
  }),
  example('create-project.yml', 'workflow_dispatch', 1, {
    inputs: { name: 'demo', automation: 'word-report' },
    skipped: ['Say what comes next'],
  }),
]

/** Workflows that run an automation for each of many seeds in one step. */
const batches: Trial[] = [
  example('batch-list.yml', 'workflow_dispatch', 1, {
    check: (setup) => checkSeeds(setup, listed),
  }),
  example('batch-file.yml', 'workflow_dispatch', 1, {
    given: ({ github }) => {
      const route = `api repos/${repository}/issues?state=open&per_page=100`
      return github.answer({ [route]: issues.map((issue) => ({ ...issue, state: 'open' })) })
    },
    check: (setup) => checkSeeds(setup, issues),
  }),
  example('batch-failed-again.yml', 'workflow_dispatch', 2, {
    check: (setup) => checkSeeds(setup, [{ city: 'Oslo' }, atlantis, atlantis]),
  }),
  example('batch-parts.yml', 'workflow_dispatch', 2, {
    given: async (setup) => {
      await write(setup, 'cities.jsonl', spread.map((seed) => `${JSON.stringify(seed)}\n`).join(''))
      // act has neither the index nor the number of the jobs of a matrix.
      const parts = [1, 2].map((part, index) => ({ part, index }))
      return change(setup, 'batch-parts.yml', {
        'part: [1, 2]': `include: ${JSON.stringify(parts)}`,
        'strategy.job-index': 'matrix.index',
        '${{ strategy.job-total }}': '2',
      })
    },
    check: (setup) => checkSeeds(setup, spread),
  }),
  example('batch-junit.yml', 'workflow_dispatch', 1, {
    check: async (setup) => {
      checkSeeds(setup, listed)
      // Reads the report that the reporter received, with a parser that reporters use.
      const report = await parseJUnit((await lastCall(setup, 'uses')).content)
      const suites = report && 'testsuite' in report ? (report.testsuite ?? []) : []
      const names = suites.flatMap(({ testcase = [] }) => testcase.map(({ name }) => name))
      assert.deepEqual(names, ['Oslo', 'Lyon', 'Turin'])
    },
  }),
]

/** Throws unless the runs had exactly these seeds, in any order, because parts run in parallel. */
function checkSeeds({ sandbox: { executions } }: Setup, seeds: readonly object[]): void {
  const started = executions.map(({ seedText = '' }) => JSON.stringify(JSON.parse(seedText)))
  assert.deepEqual(started.sort(), seeds.map((seed) => JSON.stringify(seed)).sort())
}

/** Each of these trials has its own services. */
const single: Trial[] = [
  example('schedule.yml', 'schedule', 1, { skipped: ['Say that there is no report today'] }),
  example('dispatch.yml', 'workflow_dispatch', 1, { inputs: { title: hostileTitle, top: '3' } }),
  example('reusable-report.yml', 'workflow_call', 1, {
    inputs: { region: hostileTitle, 'rerun-key': 'north' },
    check: (setup) => checkSeeds(setup, [{ region: hostileTitle }]),
  }),
  // The optional input fail-on is empty, so its default fails the step.
  example('reusable-report.yml', 'workflow_call', 1, {
    inputs: { region: 'north', 'rerun-key': 'north', timeout: '1m' },
    script: [{ finished: true, error: true }],
    failing: ['Run the report'],
  }),
  example('reusable-report.yml', 'workflow_call', 1, {
    inputs: { region: 'north', 'rerun-key': 'north', 'fail-on': 'none' },
    script: [{ finished: true, error: true }],
  }),
  example('composite-action/report.yml', 'push', 1, {
    given: (setup) => write(setup, 'examples/composite-action/report.yml', reportAsStep),
  }),
  example('use-result-in-next-step.yml', 'push', 1),
  example('use-result-in-next-step.yml', 'push', 1, {
    script: [{ finished: true, result_url: null }],
    skipped: ['Use the result'],
  }),
  example('use-result-in-another-job.yml', 'push', 1),
  example('start-now-wait-later.yml', 'push', 1),
  // act has no environments, so it starts the second job at once.
  example('wait-timer.yml', 'push', 1),
  example('handle-failure.yml', 'push', 1, {
    skipped: ['Continue without the report', 'Fail in all other cases'],
  }),
  ...[
    { artifacts: 1, texts: { 'broken-report': 'crashing-import' } },
    { artifacts: 0, texts: { '${{ secrets.AUTOMATION_API_KEY }}': 'wrong' } },
  ].map(({ artifacts, texts }) =>
    example('handle-failure.yml', 'push', artifacts, {
      given: (setup) => change(setup, 'handle-failure.yml', texts),
      skipped: ['Continue without the report', 'Look into the log'],
      failing: ['Fail in all other cases'],
    }),
  ),
  example('result-as-matrix.yml', 'workflow_dispatch', 1),
]

/** The push of the first attempt fails. The second attempt starts no second run. */
const pushes: Trial[] = [
  example('commit-result.yml', 'schedule', 1, {
    runId: '4730',
    attempt: 1,
    given: refusePushes(true),
    failing: ['Commit the result if it has changed'],
  }),
  example('commit-result.yml', 'schedule', 1, {
    runId: '4730',
    attempt: 2,
    given: refusePushes(false),
    check: ({ sandbox: { requests }, checkout: { origin } }) => {
      assert.equal(requests.filter(({ kind }) => kind === 'start').length, 1)
      assert.match(git(origin, 'show', 'main:data/series.json'), /^\[\{"day":/)
    },
  }),
]

/** The longest trials come first. */
export const chains: Trial[][] = [
  [endToEnd],
  attempts,
  ...githubChains,
  newProject,
  pushes,
  ...[...batches, ...single].map((trial) => [trial]),
]
