/**
 * What the service answers, as schemas and the types made from them. Unknown members are allowed
 * everywhere; a documented member that we use must have its documented type, or the answer is
 * malformed. Source: docs/service.md, "Versions".
 */
import { z } from 'zod/mini'
import { isSecure } from './addresses.ts'

const flag = z.boolean()

/**
 * A signed link. Null where it is missing or blank: nothing is kept. Undefined where it is no link
 * at all, which is then neither fetched nor hidden. Source: docs/service.md, "Result and log links".
 */
export type Link = string | null | undefined

// Bytes. Object stores sign links of one or two thousand.
const maxLink = 16 * 1024

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
 * The status of an execution. The four flags are its whole state. Unknown members are kept: the
 * record is handed on to the workflow. Source: docs/service.md, "Execution status record".
 */
export const executionStatusSchema = z.looseObject({
  exec_uuid: z.nullish(z.string()),
  finished: flag,
  error: flag,
  stopped: flag,
  container_error: flag,
  result_url: link,
  logs_url: link,
})
/** A checked status record. */
export type ExecutionStatus = z.infer<typeof executionStatusSchema>

/**
 * The status of this execution and no other's. Where both ids are UUIDs, which two spellings may
 * have, they must be the same one. Source: docs/service.md, "Unknown, and what we do".
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

/** The 32 digits of a UUID, with or without hyphens (RFC 9562, section 4); undefined of other ids. */
function uuidOf(id: string): string | undefined {
  const digits = id.trim().replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined
}

/**
 * A name, or an execution's id, that becomes one segment of a path. `.` and `..` cannot be one, not
 * even percent-encoded, and would ask another route; half a surrogate pair cannot be in one at all.
 * The words are for those who gave it as an input. Source:
 * docs/service.md, "Limits".
 */
export const pathSegmentSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.regex(/^[^\p{Cc}]*$/u, {
    error:
      'expected one line of text without control characters, found a line break or another one',
  }),
  z.refine((name) => name !== '.' && name !== '..', {
    error: ({ input }) => `"${String(input)}" is not a name; give one other than . and ..`,
  }),
  z.refine((name) => name.length <= 200, {
    error: ({ input }) => `expected at most 200 characters, found ${String(input).length}`,
  }),
  z.refine((name) => name.isWellFormed(), {
    error: 'expected well-formed Unicode, found half of a surrogate pair',
  }),
)

/**
 * The answer to a start. `exec_uuid`, the status route's name for the id, is preferred to
 * `execution_id` where an answer has both: whether they are the same value is not known.
 * Source: docs/service.md, "Unknown, and what we do".
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
      // As JSON, which keeps line breaks and quotes apart from our own words.
      const shown = found === undefined ? '' : ` (found ${JSON.stringify(found)})`
      const message = `neither exec_uuid nor execution_id is usable${shown}`
      issues.push({ code: 'custom', message, input: answer })
      return z.NEVER
    }
    return { executionId, message: answer.message }
  }),
)
/** An accepted start: the id to ask the status route with, and the service's text (untrusted). */
export type StartAnswer = z.infer<typeof startAnswerSchema>

/** The answer to a new project: a text. Source: docs/service.md, "Create a project". */
export const createProjectAnswerSchema = z.object({ message: z.string() })
/** A created project: the service's text (untrusted). */
export type CreateProjectAnswer = z.infer<typeof createProjectAnswerSchema>

/** The members that may hold an error's text. Source: docs/service.md, "Errors". */
const errorKeys = ['message', 'error', 'detail'] as const

/** The text of an error answer, untrusted. */
export interface ErrorWords {
  /** The member that it stood under; undefined where it came in another form. */
  key: (typeof errorKeys)[number] | undefined
  /** Empty where there is none. */
  words: string
}

/** The body of an error in its documented form: the first of the members that has a text. */
export const errorBodySchema = z.pipe(
  z.looseObject({}),
  z.transform((body): ErrorWords => {
    const key = errorKeys.find((name) => typeof body[name] === 'string' && body[name].trim())
    return { key, words: key ? String(body[key]) : '' }
  }),
)

/** The names that a project may have. Source: docs/service.md, "Limits". */
export const projectNamePattern = /^[a-z0-9][a-z0-9_-]*$/

// The text is a sentence or two; the bound limits the work on any other.
const maxLength = 4_000

/**
 * Whether a failed creation says that the project exists. The service has no code for this case: it
 * is a 400 whose `message` says so in words that may vary. One sentence must have both "already
 * exists" and the name as a whole word. Source: docs/service.md, "Create a project".
 */
export function saysProjectExists(
  { status, key, words }: ErrorWords & { status: number },
  name: string,
): boolean {
  if (status !== 400 || key !== 'message') return false
  // Not a part of a longer word, such as `reports-2`, `reports.old` or `python-3.12`.
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_./@-])${name}(?![\\p{L}\\p{N}_/@-]|\\.[\\p{L}\\p{N}])`,
    'u',
  )
  const sentences = words.slice(0, maxLength).split(/[.!?](?=\s|$)|[;\r\n]/)
  return sentences.some((sentence) => /\balready exists\b/i.test(sentence) && word.test(sentence))
}
