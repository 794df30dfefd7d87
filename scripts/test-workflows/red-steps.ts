import { parse, stringify } from 'yaml'
import { z } from 'zod'

const stepSchema = z.looseObject({
  name: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.unknown()).optional(),
})
const workflowSchema = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(stepSchema) })),
})
type Step = z.infer<typeof stepSchema>

/**
 * A workflow whose assertions are all seen red. An assertion is a step that runs a command on the
 * values in its `env`; behind each comes one copy a value, in which that value is wrong. Marked as
 * failing on purpose, a copy that passes is a step that misbehaves. A step with an id hands something
 * on, and is no assertion.
 */
export function addRedSteps(workflow: string): string {
  const { jobs, ...rest } = workflowSchema.parse(parse(workflow))
  const seenRed = Object.entries(jobs).map(([id, job]) => [
    id,
    { ...job, steps: job.steps.flatMap((step) => [step, ...copiesOf(step)]) },
  ])
  return stringify({ ...rest, jobs: Object.fromEntries(seenRed) as unknown })
}

function copiesOf({ name, run, env = {}, ...rest }: Step): Step[] {
  if (run === undefined || 'id' in rest) return []
  return Object.keys(env).map((variable) => ({
    ...rest,
    name: `${name ?? run}: not with a wrong ${variable}`,
    run,
    env: { ...env, [variable]: 'wrong' },
    'continue-on-error': true,
  }))
}
