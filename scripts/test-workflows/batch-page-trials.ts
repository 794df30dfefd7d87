/** The workflows of the page about batches, run as one: act takes seconds to begin a run. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseJUnit } from 'junit2json'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { batchPage, readPageWorkflows, type PageWorkflow } from '../docs/page-workflows.ts'
import { repository } from './checkout.ts'
import { together } from './evidence.ts'
import type { Call } from './github-side.ts'
import type { Setup } from './setup.ts'
import type { Trial } from './trial.ts'
import type { CheckResult } from './check-jobs.ts'

const file = '.github/workflows/batch-page.yml'

/** What would end a string, a command or a line where a title is pasted instead of passed. */
export const issues = [
  { number: 1, title: 'it\'s "quoted" \\ $(touch pasted) `id`' },
  { number: 2, title: '::error::pasted\n##[error]and %0A::error::again' },
  { number: 3, title: '</summary> | `` [link](https://example.com) 😀' },
]
const cities = ['Ghent', 'Graz', 'Porto', 'Riga', 'Split'].map((city) => ({ city }))
/** How often each city's report is run: Atlantis fails in the first try, and nowhere else. */
export const runsOf = {
  ...Object.fromEntries(cities.map(({ city }) => [city, 1])),
  ...{ Oslo: 3, Lyon: 2, Turin: 2, Atlantis: 2 },
}

export const batchPageTrials: Trial[] = [
  {
    ...{ file, event: 'workflow_dispatch', artifacts: 7 },
    given: async ({ checkout: { folder }, github }) => {
      const target = path.join(folder, file)
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, mergeWorkflows(await readPageWorkflows(batchPage, folder)))
      await writeFile(path.join(folder, 'cities.json'), JSON.stringify(cities))
      const route = `api repos/${repository}/issues?state=open&per_page=100`
      await github.answer({ [route]: issues.map((issue) => ({ ...issue, state: 'open' })) })
      return {}
    },
    check: async ({ sandbox, github }) =>
      together(checkRuns(sandbox.executions), await checkReport(await github.calls())),
  },
]

const parts = [1, 2].map((part, index) => ({ part, index, total: 2 }))

const stepSchema = z.looseObject({
  uses: z.string().optional(),
  with: z.looseObject({}).optional(),
})
const jobSchema = z.looseObject({ steps: z.array(stepSchema) })
const workflowSchema = z.object({ jobs: z.record(z.string(), jobSchema) })

/** @throws Error where two have a job of the same name. */
export function mergeWorkflows(workflows: readonly PageWorkflow[]): string {
  const jobs = workflows.flatMap(({ text }) =>
    Object.entries(workflowSchema.parse(parse(forAct(text))).jobs).map(
      ([id, job]) =>
        [id, { ...job, steps: job.steps.map((step) => nameArtifact(step, id)) }] as const,
    ),
  )
  const merged = Object.fromEntries(jobs)
  if (Object.keys(merged).length < jobs.length) throw new Error('Two jobs have the same name')
  return stringify({ name: 'The page about batches', on: 'workflow_dispatch', jobs: merged })
}

/** act knows neither the number of a matrix's job nor how many there are: the matrix gets both. */
function forAct(text: string): string {
  return text
    .replace('part: [1, 2]', `include: ${JSON.stringify(parts)}`)
    .replace('strategy.job-index', 'matrix.index')
    .replace('strategy.job-total', 'matrix.total')
}

/** Each workflow has its own artifacts; in one, batches of one automation need a name each. */
function nameArtifact(step: z.infer<typeof stepSchema>, job: string) {
  const isBatch = step.uses?.includes('/batch@') && !('shard' in (step.with ?? {}))
  return isBatch ? { ...step, with: { 'artifact-name': job, ...step.with } } : step
}

const seedSchema = z.object({ city: z.string().optional(), number: z.number().optional() })

/** Each issue once, with its title as it is; each city as often as the page's lists have it. */
export function checkRuns(
  executions: readonly Pick<Setup['sandbox']['executions'][number], 'automation' | 'seedText'>[],
): CheckResult {
  const seeds = executions.map(({ seedText }) => JSON.parse(seedText ?? '{}') as unknown)
  const known = seeds.map((seed) => ({ seed, ...seedSchema.parse(seed) }))
  const asked = known.filter(({ number }) => number !== undefined).map(({ seed }) => seed)
  const names = known.flatMap(({ city }) => city ?? [])
  const counts = Object.fromEntries(
    Object.keys({ ...runsOf, ...Object.fromEntries(names.map((name) => [name, 0])) }).map(
      (name) => [name, names.filter((other) => other === name).length],
    ),
  )
  return together(
    compare('the issues that were asked for', asked.map(textOf).sort(), issues.map(textOf).sort()),
    compare('the runs of each city', counts, runsOf),
  )
}

/** The report as the reporter was given it, read by a parser that reporters use. */
export async function checkReport(calls: readonly Call[]): Promise<CheckResult> {
  const given = calls.findLast((call) => call.kind === 'uses')
  const report = await parseJUnit(given?.kind === 'uses' ? given.content : '')
  const suites = report && 'testsuite' in report ? (report.testsuite ?? []) : []
  const cases = suites.flatMap(({ testcase = [] }) => testcase.map(({ name }) => name))
  return compare('the test cases', cases, ['Run 1 (Oslo)', 'Run 2 (Lyon)', 'Run 3 (Turin)'])
}

const textOf = (value: unknown) => JSON.stringify(value)

function compare(what: string, found: unknown, expected: unknown): CheckResult {
  const [is, should] = [textOf(sorted(found)), textOf(sorted(expected))]
  if (is === should) return { passed: [`${what}: ${is}`], problems: [] }
  return { passed: [], problems: [`${what}: ${is}, not ${should}`] }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
