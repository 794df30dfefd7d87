import { z } from 'zod'
import type { Trial } from './trial.ts'

/** What a workflow file expects: which jobs run, how often, and how each step ends. */
export interface ExpectedJob {
  id: string
  /** Jobs that the matrix makes of it. */
  instances: number
  steps: ExpectedStep[]
}

export interface ExpectedStep {
  id: string
  name: string
  /** Undefined: must not run. */
  result: 'success' | 'failure' | undefined
}

const stepSchema = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  uses: z.string().optional(),
  'continue-on-error': z.boolean().default(false),
})
// An axis that an expression computes has one value: the trials arrange for it.
const axisSchema = z.union([z.array(z.unknown()), z.string().transform((text) => [text])])
const matrixSchema = z.record(z.string(), axisSchema).default({})
const workflowSchema = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(stepSchema),
      strategy: z.object({ matrix: matrixSchema }).optional(),
    }),
  ),
})

/**
 * Every step of every job runs. `continue-on-error` is there for failures on purpose: such a step
 * must fail, all others must pass.
 */
export function expectOf(
  workflow: unknown,
  { skipped = [], skippedJobs = [] }: Pick<Trial, 'skipped' | 'skippedJobs'> = {},
): ExpectedJob[] {
  const { jobs } = workflowSchema.parse(workflow)
  return Object.entries(jobs).map(([id, { steps, strategy }]) => ({
    id,
    instances: skippedJobs.includes(id) ? 0 : countInstances(strategy?.matrix ?? {}),
    steps: steps.map((step, index) => {
      const name = step.name ?? step.uses ?? `step ${index + 1}`
      const result = step['continue-on-error'] ? 'failure' : 'success'
      return {
        id: step.id ?? String(index),
        name,
        result: skipped.includes(name) ? undefined : result,
      }
    }),
  }))
}

function countInstances({ include, ...axes }: Record<string, unknown[]>): number {
  const lengths = Object.values(axes).map(({ length }) => length)
  if (lengths.length === 0) return include?.length ?? 1
  return lengths.reduce((product, length) => product * length, 1)
}
