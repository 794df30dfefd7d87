/**
 * The responses of the service, as schemas and types. Unknown members are allowed. A documented
 * member that the action uses must have its documented type. Source: docs/contributing/service.md,
 * "Versions".
 */
import { z } from 'zod/mini'
import { isSecure } from './addresses.ts'

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
    return url && isSecure(url) ? text : undefined
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

/** Returns the 32 digits of a UUID (RFC 9562, section 4), or undefined for any other text. */
function uuidOf(id: string): string | undefined {
  const digits = id.trim().replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined
}

export const maxIdLength = 200

/**
 * The schema of a name or an execution id that becomes one segment of a URL path. Refuses `.` and
 * `..`, because these segments lead to another route, even if they are percent-encoded. Refuses a
 * lone surrogate, because a URL cannot contain a lone surrogate. The error messages are for users
 * who gave the text as an input. Source: docs/contributing/service.md, "Limits".
 */
export const pathSegmentSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.regex(/^[^\p{Cc}]*$/u, {
    error:
      'expected one line of text without control characters, found a line break or another control character',
  }),
  z.refine((name) => name !== '.' && name !== '..', {
    error: ({ input }) => `"${String(input)}" is not a name; give one other than . and ..`,
  }),
  z.refine((name) => name.length <= maxIdLength, {
    error: ({ input }) =>
      `expected at most ${maxIdLength} characters, found ${String(input).length}`,
  }),
  z.refine((name) => name.isWellFormed(), {
    error: 'expected well-formed Unicode, found half of a surrogate pair',
  }),
)

/**
 * The response to a start. If the response has both ids, `exec_uuid` is used, because the status
 * route uses this name. It is not known whether both ids are equal. Source:
 * docs/contributing/service.md, "Unknown, and what we do".
 */
export const startAnswerSchema = z.pipe(
  z.looseObject({
    message: z.catch(z.string(), ''),
    exec_uuid: z.optional(z.unknown()),
    execution_id: z.optional(z.unknown()),
  }),
  z.transform((answer, { issues }) => {
    const ids = [answer.exec_uuid, answer.execution_id]
    const executionId = ids.map((id) => pathSegmentSchema.safeParse(id).data).find(Boolean)
    if (executionId === undefined) {
      const found = ids.find((id) => typeof id === 'string' || typeof id === 'number')
      // As JSON, an untrusted id has no line breaks, and cannot look like a message of the action.
      const shown = found === undefined ? '' : ` (found ${JSON.stringify(found)})`
      const message = `neither exec_uuid nor execution_id is usable${shown}`
      issues.push({ code: 'custom', message, input: answer })
      return z.NEVER
    }
    return { executionId, message: answer.message }
  }),
)
/** An accepted start. Contains the execution id and a text of the service (untrusted). */
export type StartAnswer = z.infer<typeof startAnswerSchema>

/** The response to a new project. Source: docs/contributing/service.md, "Create a project". */
export const createProjectAnswerSchema = z.object({ message: z.string() })
/** A created project. `message` is a text of the service (untrusted). */
export type CreateProjectAnswer = z.infer<typeof createProjectAnswerSchema>

/** The members that may contain an error text. Source: docs/contributing/service.md, "Errors". */
const errorKeys = ['message', 'error', 'detail'] as const

/** The text of an error response (untrusted). */
export interface ErrorWords {
  /** The member that contained the text. Undefined if the text was elsewhere in the body. */
  key: (typeof errorKeys)[number] | undefined
  /** The text itself. Empty if the response has no text. */
  words: string
}

/** Reads the text of an error from the first documented member that contains a text. */
export const errorBodySchema = z.pipe(
  z.looseObject({}),
  z.transform((body): ErrorWords => {
    const key = errorKeys.find((name) => typeof body[name] === 'string' && body[name].trim())
    return { key, words: key ? String(body[key]) : '' }
  }),
)

/** The allowed names of a project. Source: docs/contributing/service.md, "Limits". */
export const projectNamePattern = /^[a-z0-9][a-z0-9_-]*$/

// How many characters of an error text are searched. Documented texts have one or two sentences.
const maxLength = 4_000

/**
 * Returns true if the service refused a new project because the project exists. The service has no
 * code for this case. It sends a 400 with a `message`, and may change the wording. One sentence of
 * the message must contain "already exists" and the name as a whole word. Source:
 * docs/contributing/service.md, "Create a project".
 */
export function saysProjectExists(
  { status, key, words }: ErrorWords & { status: number },
  name: string,
): boolean {
  if (status !== 400 || key !== 'message') return false
  // The name must not be part of a longer word, such as `reports-2` or `python-3.12`.
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_./@-])${name}(?![\\p{L}\\p{N}_/@-]|\\.[\\p{L}\\p{N}])`,
    'u',
  )
  const sentences = words.slice(0, maxLength).split(/[.!?](?=\s|$)|[;\r\n]/)
  return sentences.some((sentence) => /\balready exists\b/i.test(sentence) && word.test(sentence))
}
