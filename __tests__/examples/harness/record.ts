/** Compares the output of `act --json` with the workflow file. */
import { z } from 'zod'
import type { Step, Workflow } from './workflow.ts'

const lineSchema = z.object({
  job: z.string().optional(),
  jobID: z.string().optional(),
  jobResult: z.string().optional(),
  stage: z.string().optional(),
  stepID: z.array(z.string()).optional(),
  stepResult: z.string().optional(),
  msg: z.string().default(''),
})

interface StepRecord {
  result: string
  lines: string[]
}

interface JobRecord {
  id: string
  result: string
  steps: Map<string, StepRecord>
}

export class ActRecord {
  /** The jobs by name. Each job of a matrix has a name of its own. */
  readonly jobs = new Map<string, JobRecord>()
  /** The lines that do not belong to a job. */
  readonly other: string[] = []

  readonly add = (text: string): void => {
    const line = lineSchema.safeParse(parsed(text)).data
    if (line?.job === undefined || line.jobID === undefined) {
      this.other.push(line?.msg ?? text)
      return
    }
    const name = line.job.trim()
    const job: JobRecord = this.jobs.get(name) ?? {
      id: line.jobID,
      result: 'nothing',
      steps: new Map(),
    }
    this.jobs.set(name, job)
    job.result = line.jobResult ?? job.result
    // The pre and post stages of a step have the id of the step too.
    if (line.stage !== 'Main' || line.stepID === undefined) return
    const id = line.stepID.join('/')
    const step: StepRecord = job.steps.get(id) ?? { result: 'no end', lines: [] }
    job.steps.set(id, step)
    step.result = line.stepResult ?? step.result
    step.lines.push(line.msg.trimEnd())
  }

  get steps(): [id: string, step: StepRecord][] {
    return [...this.jobs.values()].flatMap((job) => [...job.steps])
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names of steps, and ids of jobs, that must not run, and names of steps that must fail their job. */
export interface Unusual {
  skipped?: string[]
  skippedJobs?: string[]
  failing?: string[]
}

const linesShown = 25

/**
 * Returns the steps with an unexpected result, with their last lines. Steps and jobs that are not in
 * `skipped` and `skippedJobs` must run. A step in `failing` must fail, and so must a step with
 * `continue-on-error`, because the workflows fail there on purpose. All other steps must pass.
 */
export function compareJobs({ jobs }: Workflow, unusual: Unusual, record: ActRecord): string[] {
  const { skippedJobs = [], failing = [] } = unusual
  return Object.entries(jobs).flatMap(([id, { steps }]) => {
    const ran = [...record.jobs].filter(([, job]) => job.id === id)
    if (skippedJobs.includes(id)) return ran.map(([name]) => `${name} ran, and must not`)
    if (ran.length === 0) return [`${id} did not run`]
    const ending = steps.some((step) => failing.includes(nameOf(step))) ? 'failure' : 'success'
    return ran.flatMap(([name, job]) => [
      ...steps.flatMap((step, index) => compareStep(step, unusual, job.steps, index)),
      ...(job.result === ending ? [] : [`${name} ended with ${job.result}`]),
    ])
  })
}

function nameOf({ id, name, uses }: Step): string {
  return name ?? id ?? uses ?? ''
}

function compareStep(
  step: Step,
  { skipped = [], failing = [] }: Unusual,
  steps: JobRecord['steps'],
  index: number,
): string[] {
  const mustFail = step['continue-on-error'] || failing.includes(nameOf(step))
  const expected = skipped.includes(nameOf(step)) ? 'not run' : mustFail ? 'failure' : 'success'
  const { result, lines } = steps.get(step.id ?? String(index)) ?? { result: 'not run', lines: [] }
  if (result === expected) return []
  return [
    [`${nameOf(step)}: ${result}, expected ${expected}`, ...lines.slice(-linesShown)].join(
      '\n    ',
    ),
  ]
}
