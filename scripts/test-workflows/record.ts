import { z } from 'zod'

/** What act said of one step. */
export interface StepRecord {
  result: string | undefined
  lines: string[]
}

/** One job of the matrix's, or the only one. */
export interface JobRecord {
  id: string
  name: string
  result: string | undefined
  steps: Map<string, StepRecord>
}

const lineSchema = z.object({
  job: z.string().optional(),
  jobID: z.string().optional(),
  jobResult: z.string().optional(),
  stage: z.string().optional(),
  stepID: z.array(z.string()).optional(),
  stepResult: z.string().optional(),
  msg: z.string().default(''),
})

/** What act's lines (`--json`) tell, by the jobs' names; `other` has the lines of no job. */
export class ActRecord {
  readonly jobs = new Map<string, JobRecord>()
  readonly other: string[] = []

  readonly add = (text: string): void => {
    const line = parseLine(text)
    if (line?.job === undefined || line.jobID === undefined) {
      this.other.push(line?.msg ?? text)
      return
    }
    const job = this.#jobOf(line.job.trim(), line.jobID)
    job.result = line.jobResult ?? job.result
    // The steps before and after a step's main part have its id too.
    if (line.stage !== 'Main' || line.stepID === undefined) return
    const step = stepOf(job, line.stepID.join('/'))
    step.result = line.stepResult ?? step.result
    step.lines.push(line.msg.trimEnd())
  }

  #jobOf(name: string, id: string): JobRecord {
    const job = this.jobs.get(name) ?? { id, name, result: undefined, steps: new Map() }
    this.jobs.set(name, job)
    return job
  }
}

function stepOf({ steps }: JobRecord, id: string): StepRecord {
  const step = steps.get(id) ?? { result: undefined, lines: [] }
  steps.set(id, step)
  return step
}

function parseLine(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
