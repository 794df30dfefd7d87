import type { ExpectedJob, ExpectedStep } from './expectation.ts'
import type { JobRecord, StepRecord } from './record.ts'

export interface CheckResult {
  /** One line for each job and step that did as expected. */
  passed: string[]
  /** One text for each job or step that did not, with the last lines of the step. */
  problems: string[]
}

const linesShown = 25

/** Compares what ran with what the workflow file says. */
export function checkJobs(expected: ExpectedJob[], recorded: Iterable<JobRecord>): CheckResult {
  const result: CheckResult = { passed: [], problems: [] }
  const jobs = [...recorded]
  for (const wanted of expected) {
    const instances = jobs.filter(({ id }) => id === wanted.id)
    if (instances.length !== wanted.instances) {
      result.problems.push(
        `Job ${wanted.id}: ${instances.length} of it ran, not ${wanted.instances}`,
      )
    }
    for (const job of instances) checkJob(wanted, job, result)
  }
  const known = new Set(expected.map(({ id }) => id))
  const unknown = jobs.filter(({ id }) => !known.has(id))
  result.problems.push(...unknown.map(({ id }) => `Job ${id}: the workflow has no such job`))
  return result
}

/** Checks that the workflow was cut off where it was to be, and that no job of it got to its end. */
export function checkCutOff(
  jobs: readonly JobRecord[],
  { text, isCut }: { text: string; isCut: boolean },
): CheckResult {
  const problems = jobs
    .filter(({ result }) => result === 'success')
    .map(({ name }) => `${name}: the job succeeded, and was to be cut off`)
  if (!isCut) {
    const said = jobs.flatMap(({ steps }) => [...steps.values()].flatMap(({ lines }) => lines))
    const last = said.filter(Boolean).slice(-linesShown)
    problems.push([`No line had “${text}”`, ...last].join('\n    '))
  }
  return { passed: problems.length > 0 ? [] : [`cut off at “${text}”`], problems }
}

function checkJob({ steps }: ExpectedJob, job: JobRecord, { passed, problems }: CheckResult): void {
  passed.push(job.name)
  for (const step of steps) {
    const record = job.steps.get(step.id)
    if (record?.result === step.result) passed.push(`  ✓ ${step.name}${remarkOn(step)}`)
    else problems.push(describeMismatch(job, step, record))
  }
  if (job.result !== 'success')
    problems.push(`${job.name}: the job ended with ${job.result ?? 'nothing'}`)
}

function remarkOn({ result }: ExpectedStep): string {
  if (result === undefined) return ' (not run, as it should)'
  return result === 'failure' ? ' (failed, as it should)' : ''
}

function describeMismatch(
  job: JobRecord,
  step: ExpectedStep,
  record: StepRecord | undefined,
): string {
  const said = record?.lines.filter(Boolean).slice(-linesShown) ?? []
  const happened = record?.result ?? (record ? 'did not end' : 'did not run')
  return [
    `${job.name} / ${step.name}: ${happened}, expected ${step.result ?? 'not to run'}`,
    ...said.map((line) => `    ${line}`),
  ].join('\n')
}
