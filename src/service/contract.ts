/**
 * What the Automation Hosting Service answers, as far as its document shows it. Unknown keys are
 * allowed everywhere; what is documented must have the documented type, or the answer is malformed.
 */
import { z } from 'zod'

const flag = z.boolean()

/** A link is absent until the run is over, and for automations that keep nothing ("Resources"). */
const link = z
  .string()
  .nullish()
  .transform((value) => (value?.trim() ? value : null))

/** "Execution status record". The flags are the whole state: no named states exist beyond them. */
export const executionStatusSchema = z.looseObject({
  exec_uuid: z.string().nullish(),
  finished: flag,
  error: flag,
  stopped: flag,
  container_error: flag,
  result_url: link,
  logs_url: link,
})
export type ExecutionStatus = z.infer<typeof executionStatusSchema>

/**
 * A name, or an execution's id, that becomes one segment of a path. `.` and `..` cannot be one, not
 * even percent-encoded, and would ask another route; half a surrogate pair cannot be in one at all.
 * The words are for those who gave it as an input.
 */
export const pathSegmentSchema = z
  .string()
  .trim()
  .min(1)
  .regex(/^[^\p{Cc}]*$/u, {
    error:
      'expected one line of text without control characters, found a line break or another one',
  })
  .refine((name) => name !== '.' && name !== '..', {
    error: ({ input }) => `"${String(input)}" is not a name; give one other than . and ..`,
  })
  .refine((name) => name.length <= 200, {
    error: ({ input }) => `expected at most 200 characters, found ${String(input).length}`,
  })
  .refine((name) => name.isWellFormed(), {
    error: 'expected well-formed Unicode, found half of a surrogate pair',
  })

/**
 * "Start response". The document leaves open how `execution_id` and the status route's `exec_uuid`
 * relate; where an answer has both, the name that the status route uses wins.
 */
export const startAnswerSchema = z
  .looseObject({
    message: z.string().catch(''),
    exec_uuid: pathSegmentSchema.nullish().catch(null),
    execution_id: pathSegmentSchema.nullish().catch(null),
  })
  .transform((answer, context) => {
    const executionId = answer.exec_uuid ?? answer.execution_id
    if (!executionId) {
      context.addIssue({ code: 'custom', message: 'neither exec_uuid nor execution_id is usable' })
      return z.NEVER
    }
    return { executionId, message: answer.message }
  })
export type StartAnswer = z.infer<typeof startAnswerSchema>

/** "Create project": the answer is a text for people. */
export const createProjectAnswerSchema = z.looseObject({ message: z.string() })
export type CreateProjectAnswer = z.infer<typeof createProjectAnswerSchema>

/** "Errors": the service's words are under one of three keys, depending on the route and the case. */
const errorKeys = ['message', 'error', 'detail'] as const

export interface ErrorWords {
  /** Undefined where they stand elsewhere. */
  key: (typeof errorKeys)[number] | undefined
  /** Empty where there are none. */
  words: string
}

export const errorBodySchema = z.looseObject({}).transform((body): ErrorWords => {
  const key = errorKeys.find((name) => typeof body[name] === 'string' && body[name].trim())
  return { key, words: key ? String(body[key]) : '' }
})

/** "Project": the pattern of a project's name. */
export const projectNamePattern = /^[a-z0-9][a-z0-9_-]*$/
