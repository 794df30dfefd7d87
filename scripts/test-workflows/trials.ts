import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseJUnit } from 'junit2json'
import { git, repository } from './checkout.ts'
import { githubChains } from './github-trials.ts'
import { example, type Setup, type Trial } from './setup.ts'

/** Texts that break JSON, shells and workflow commands if they are pasted into them. */
const hostileTitle = 'it\'s "quoted" \\ $(touch pasted) `id` %0A::error::pasted'
const issues = [
  { number: 1, title: hostileTitle },
  { number: 2, title: '::error::pasted\n##[error]and %0A::error::again' },
  { number: 3, title: '</summary> | `` [link](https://example.com) 😀' },
]
const listed = ['Oslo', 'Lyon', 'Turin'].map((city) => ({ city }))
const sharded = ['Ghent', 'Graz', 'Porto', 'Riga', 'Split'].map((city) => ({ city }))
const atlantis = { city: 'Atlantis', down: 1 }

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

const lookOnce: Trial[] = [
  example('look-once.yml', 'push', 0, { script: [{}], skipped: ['Use the result'] }),
  example('look-once.yml', 'push', 1, {
    script: [{ finished: true }],
    skipped: ['Continue without the result'],
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
  example('batch-shards.yml', 'workflow_dispatch', 2, {
    given: (setup) => numberShards(setup, 'batch-shards.yml', sharded),
    check: (setup) => checkSeeds(setup, sharded),
  }),
  example('batch-shards-failed-again.yml', 'workflow_dispatch', 3, {
    given: (setup) => numberShards(setup, 'batch-shards-failed-again.yml', [atlantis, ...sharded]),
    check: (setup) => checkSeeds(setup, [atlantis, ...sharded, atlantis]),
  }),
  example('batch-junit.yml', 'workflow_dispatch', 1, {
    check: async (setup) => {
      checkSeeds(setup, listed)
      // Reads the report that the reporter received, with a parser that reporters use.
      const report = await parseJUnit((await setup.github.lastCall('uses')).content)
      const suites = report && 'testsuite' in report ? (report.testsuite ?? []) : []
      const names = suites.flatMap(({ testcase = [] }) => testcase.map(({ name }) => name))
      assert.deepEqual(names, ['Run 1 (Oslo)', 'Run 2 (Lyon)', 'Run 3 (Turin)'])
    },
  }),
]

/** Throws unless the runs had exactly these seeds, in any order, because shards run in parallel. */
function checkSeeds({ sandbox: { executions } }: Setup, seeds: readonly object[]): void {
  const started = executions.map(({ seedText = '' }) => JSON.stringify(JSON.parse(seedText)))
  assert.deepEqual(started.sort(), seeds.map((seed) => JSON.stringify(seed)).sort())
}

/** Writes the seeds. Puts the index and the number of jobs into the matrix, because act has neither. */
async function numberShards(
  { checkout: { folder } }: Setup,
  name: string,
  seeds: readonly object[],
): Promise<undefined> {
  const file = path.join(folder, 'examples', name)
  const parts = [1, 2].map((part, index) => ({ part, index, total: 2 }))
  const text = (await readFile(file, 'utf8'))
    .replace('part: [1, 2]', `include: ${JSON.stringify(parts)}`)
    .replace('strategy.job-index', 'matrix.index')
    .replace('strategy.job-total', 'matrix.total')
  await writeFile(file, text)
  await writeFile(path.join(folder, 'cities.json'), JSON.stringify(seeds))
}

/** Each of these trials has its own services. */
const single: Trial[] = [
  example('push.yml', 'push', 1),
  example('schedule.yml', 'schedule', 1, { skipped: ['Say that there is no report today'] }),
  example('schedule-time-zone.yml', 'schedule', 1),
  example('dispatch.yml', 'workflow_dispatch', 1, { inputs: { title: hostileTitle, top: '3' } }),
  example('reusable-report.yml', 'workflow_call', 1, {
    inputs: { region: hostileTitle, 'rerun-key': 'north' },
    check: (setup) => checkSeeds(setup, [{ region: hostileTitle }]),
  }),
  example('use-result-in-next-step.yml', 'push', 1),
  example('use-result-in-another-job.yml', 'push', 1),
  example('commit-result.yml', 'push', 1, {
    check: ({ checkout: { origin } }) => {
      const pushed = git(origin, 'ls-tree', '--name-only', 'main', 'data/series.json')
      assert.equal(pushed.trim(), 'data/series.json')
    },
  }),
  example('start-now-wait-later.yml', 'push', 1),
  // act has no environments, so it starts the second job at once.
  example('wait-timer.yml', 'push', 1),
  example('handle-failure.yml', 'push', 1, { skipped: ['Continue without the report'] }),
  example('result-as-matrix.yml', 'workflow_dispatch', 1),
  example('compare-row-count.yml', 'schedule', 1),
]

/** The longest trials come first. */
export const chains: Trial[][] = [
  [endToEnd],
  attempts,
  ...githubChains,
  newProject,
  lookOnce,
  ...[...batches, ...single].map((trial) => [trial]),
]
