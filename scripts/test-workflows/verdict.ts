import type { ExpectedJob, ExpectedStep } from './expectation.ts'
import type { JobRecord, StepRecord } from './record.ts'

export interface Verdict {
  /** One line a job and step that did what it promised. */
  proofs: string[]
  /** One text a broken promise, with the last lines of the step that broke it. */
  problems: string[]
}

const linesShown = 25

/** Holds what ran against what the workflow promises. */
export function judge(expected: ExpectedJob[], recorded: Iterable<JobRecord>): Verdict {
  const verdict: Verdict = { proofs: [], problems: [] }
  const jobs = [...recorded]
  for (const promise of expected) {
    const instances = jobs.filter(({ id }) => id === promise.id)
    if (instances.length !== promise.instances) {
      verdict.problems.push(
        `Job ${promise.id}: ${instances.length} of it ran, not ${promise.instances}`,
      )
    }
    for (const job of instances) judgeJob(promise, job, verdict)
  }
  const known = new Set(expected.map(({ id }) => id))
  const strangers = jobs.filter(({ id }) => !known.has(id))
  verdict.problems.push(...strangers.map(({ id }) => `Job ${id}: the workflow has no such job`))
  return verdict
}

/** Holds that the workflow was cut off where it was to be, and that no job of it got to its end. */
export function judgeCutOff(
  jobs: readonly JobRecord[],
  { text, isCut }: { text: string; isCut: boolean },
): Verdict {
  const problems = jobs
    .filter(({ result }) => result === 'success')
    .map(({ name }) => `${name}: the job succeeded, and was to be cut off`)
  if (!isCut) {
    const said = jobs.flatMap(({ steps }) => [...steps.values()].flatMap(({ lines }) => lines))
    const last = said.filter(Boolean).slice(-linesShown)
    problems.push([`No line had “${text}”`, ...last].join('\n    '))
  }
  return { proofs: problems.length > 0 ? [] : [`cut off at “${text}”`], problems }
}

function judgeJob({ steps }: ExpectedJob, job: JobRecord, { proofs, problems }: Verdict): void {
  proofs.push(job.name)
  for (const step of steps) {
    const record = job.steps.get(step.id)
    if (record?.result === step.result) proofs.push(`  ✓ ${step.name}${remarkOn(step)}`)
    else problems.push(describeBreach(job, step, record))
  }
  if (job.result !== 'success')
    problems.push(`${job.name}: the job ended with ${job.result ?? 'nothing'}`)
}

function remarkOn({ result }: ExpectedStep): string {
  if (result === undefined) return ' (not run, as it should)'
  return result === 'failure' ? ' (failed, as it should)' : ''
}

function describeBreach(
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
