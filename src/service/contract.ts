/**
 * The responses of the service, as schemas and types. Unknown members are allowed. A documented
 * member that the action uses must have its documented type. Source: docs/contributing/service.md,
 * "Versions".
 */
import { z } from 'zod/mini'
import { hasPlainPath, isSecure } from './addresses.ts'
import { findSegmentProblem, uuidOf } from './names.ts'

const flag = z.boolean()

/**
 * A signed link. Null if the link is missing or blank, which means that the service kept no file.
 * Undefined if the text is not a usable link. Source: docs/contributing/service.md, "Result and log
 * links".
 */
export type Link = string | null | undefined

// The maximum length of a link in bytes. Signed links usually have one or two thousand bytes.
export const maxLink = 16 * 1024

const link = z.pipe(
  z.nullish(z.string()),
  z.transform((value): Link => {
    const text = value?.trim() ?? ''
    if (text === '') return null
    if (Buffer.byteLength(text) > maxLink || /[\p{Cc}\u2028\u2029]/u.test(text)) return undefined
    const url = URL.parse(text)
    return url && isSecure(url) && hasPlainPath(text) ? text : undefined
  }),
)

/**
 * The status record of an execution. The four flags are the complete state of the execution. Source:
 * docs/contributing/service.md, "Execution status record".
 */
export const executionStatusSchema = z.object({
  exec_uuid: z.nullish(z.string()),
  finished: flag,
  error: flag,
  stopped: flag,
  container_error: flag,
  result_url: link,
  logs_url: link,
})
export type ExecutionStatus = z.infer<typeof executionStatusSchema>

/**
 * Returns the schema for the status record of one execution. If the requested id and the id in the
 * record are both UUIDs, they must be equal. A UUID may be written with or without hyphens. Source:
 * docs/contributing/service.md, "Unknown, and what we do".
 */
export function statusSchemaOf(executionId: string) {
  const asked = uuidOf(executionId)
  const isOfAnother = (answered: string | null | undefined) => {
    const uuid = uuidOf(answered ?? '')
    return asked !== undefined && uuid !== undefined && uuid !== asked
  }
  return executionStatusSchema.check(
    z.refine(({ exec_uuid }) => !isOfAnother(exec_uuid), {
      path: ['exec_uuid'],
      error: 'it is the status of another execution',
    }),
  )
}

/** A text. Empty if there is none, or another value. */
const textOrNone = z.catch(z.string(), '')

/**
 * The response to a start. If the response has both ids, `exec_uuid` is used, because the status
 * route uses this name. It is not known whether both ids are equal. Source:
 * docs/contributing/service.md, "Unknown, and what we do".
 */
export const startAnswerSchema = z.pipe(
  z.object({ message: textOrNone, exec_uuid: textOrNone, execution_id: textOrNone }),
  z.transform(({ message, exec_uuid, execution_id }, { issues }) => {
    const ids = [exec_uuid.trim(), execution_id.trim()]
    const executionId = ids.find((id) => findSegmentProblem(id) === undefined)
    if (executionId !== undefined) return { executionId, message }
    const found = ids.find((id) => id !== '')
    // As JSON, an untrusted id has no line breaks, and cannot look like a message of the action.
    const shown = found === undefined ? '' : ` (found ${JSON.stringify(found)})`
    const why = `neither exec_uuid nor execution_id is usable${shown}`
    issues.push({ code: 'custom', message: why, input: ids })
    return z.NEVER
  }),
)

/**
 * An accepted start. Contains the execution id, a text of the service (untrusted) and the HTTP status
 * of the answer.
 */
export type StartAnswer = z.infer<typeof startAnswerSchema> & { status: number }

/**
 * A reviver for `JSON.parse`. Returns an execution id that is a whole number as text, digit by digit:
 * a number of JavaScript has only 15 certain digits.
 */
export function reviveId(key: string, value: unknown, context?: { source?: string }): unknown {
  const isId = key === 'exec_uuid' || key === 'execution_id'
  const { source = '' } = context ?? {}
  return isId && typeof value === 'number' && /^-?\d+$/.test(source) ? source : value
}

/** The response to a new project. Source: docs/contributing/service.md, "Create a project". */
export const createProjectAnswerSchema = z.object({ message: z.string() })
/** A created project. `message` is a text of the service (untrusted). */
export type CreateProjectAnswer = z.infer<typeof createProjectAnswerSchema>

/**
 * The text of an error response (untrusted), from the first documented member that contains a text.
 * Undefined if there is none. Source: docs/contributing/service.md, "Errors".
 */
export const errorBodySchema = z.pipe(
  z.object({ message: textOrNone, error: textOrNone, detail: textOrNone }),
  z.transform(({ message, error, detail }) =>
    [message, error, detail].find((text) => text.trim() !== ''),
  ),
)
