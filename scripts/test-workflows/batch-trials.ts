/** Workflows that run an automation for each of many seeds in one step. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseJUnit } from 'junit2json'
import { repository } from './checkout.ts'
import { checkThat, together } from './evidence.ts'
import type { Call } from './github-side.ts'
import type { Setup } from './setup.ts'
import type { Chain, Trial } from './trial.ts'
import type { CheckResult } from './check-jobs.ts'

/** What would end a string, a command or a line where a title is pasted instead of passed. */
const issues = [
  { number: 1, title: 'it\'s "quoted" \\ $(touch pasted) `id`' },
  { number: 2, title: '::error::pasted\n##[error]and %0A::error::again' },
  { number: 3, title: '</summary> | `` [link](https://example.com) 😀' },
]
const listed = ['Oslo', 'Lyon', 'Turin'].map((city) => ({ city }))
const sharded = ['Ghent', 'Graz', 'Porto', 'Riga', 'Split'].map((city) => ({ city }))
const atlantis = { city: 'Atlantis', down: 1 }

const trials: Trial[] = [
  {
    file: 'examples/batch-list.yml',
    event: 'workflow_dispatch',
    artifacts: 1,
    check: (setup) => ran(setup, listed),
  },
  {
    file: 'examples/batch-file.yml',
    event: 'workflow_dispatch',
    artifacts: 1,
    given: openIssues,
    check: (setup) => ran(setup, issues),
  },
  {
    file: 'examples/batch-failed-again.yml',
    event: 'workflow_dispatch',
    artifacts: 2,
    check: (setup) => ran(setup, [{ city: 'Oslo' }, atlantis, atlantis]),
  },
  {
    file: 'examples/batch-shards.yml',
    event: 'workflow_dispatch',
    artifacts: 2,
    given: cutForAct,
    check: (setup) => ran(setup, sharded),
  },
  {
    file: 'examples/batch-junit.yml',
    event: 'workflow_dispatch',
    artifacts: 1,
    check: async (setup) =>
      together(ran(setup, listed), await checkReport(await setup.github.calls())),
  },
]
export const batchChains: Chain[] = trials.map((trial) => ({ trials: [trial] }))

async function openIssues({ github }: Setup): Promise<undefined> {
  const route = `api repos/${repository}/issues?state=open&per_page=100`
  await github.answer({ [route]: issues.map((issue) => ({ ...issue, state: 'open' })) })
}

/** act knows neither the number of a matrix's job nor how many there are: the matrix gets both. */
async function cutForAct({ checkout: { folder } }: Setup): Promise<undefined> {
  const file = path.join(folder, 'examples', 'batch-shards.yml')
  const parts = [1, 2].map((part, index) => ({ part, index, total: 2 }))
  const text = (await readFile(file, 'utf8'))
    .replace('part: [1, 2]', `include: ${JSON.stringify(parts)}`)
    .replace('strategy.job-index', 'matrix.index')
    .replace('strategy.job-total', 'matrix.total')
  await writeFile(file, text)
  await writeFile(path.join(folder, 'cities.json'), JSON.stringify(sharded))
}

function ran({ sandbox }: Setup, seeds: readonly object[]): CheckResult {
  return checkSeeds(sandbox.executions, seeds)
}

/** Each seed as often as the list has it, its text as it is; shards run side by side. */
export function checkSeeds(
  executions: readonly Pick<Setup['sandbox']['executions'][number], 'seedText'>[],
  expected: readonly object[],
): CheckResult {
  const started = executions.map(({ seedText }) => JSON.parse(seedText ?? '{}') as unknown)
  return compare('the seeds of all runs', sortedTexts(started), sortedTexts(expected))
}

/** The report as the reporter was given it, read by a parser that reporters use. */
export async function checkReport(calls: readonly Call[]): Promise<CheckResult> {
  const given = calls.findLast((call) => call.kind === 'uses')
  const report = await parseJUnit(given?.kind === 'uses' ? given.content : '')
  const suites = report && 'testsuite' in report ? (report.testsuite ?? []) : []
  const cases = suites.flatMap(({ testcase = [] }) => testcase.map(({ name }) => String(name)))
  return compare('the test cases', cases, ['Run 1 (Oslo)', 'Run 2 (Lyon)', 'Run 3 (Turin)'])
}

const sortedTexts = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).sort()

function compare(what: string, found: readonly string[], expected: readonly string[]): CheckResult {
  const [is, should] = [found.join(', '), expected.join(', ')]
  return checkThat(is === should, `${what}: ${is}${is === should ? '' : `; expected: ${should}`}`)
}
