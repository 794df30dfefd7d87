/** Turns the response to an API request into a checked value or an error. */
import { z } from 'zod/mini'
import { parseRetryAfter } from './backoff.ts'
import { errorBodySchema, type ErrorWords } from './contract.ts'
import { HttpError, MalformedAnswerError, notTheService, RedirectError } from './errors.ts'
import type { Answer } from './transport.ts'

/**
 * Returns the body of a 2xx response, checked against the schema of its endpoint. `asked` is the
 * method and the path of the request.
 *
 * @throws HttpError for 4xx and 5xx, RedirectError for 3xx, MalformedAnswerError for other statuses
 * and for a body that does not match the schema. Source: docs/contributing/service.md, "Errors".
 */
export function readAnswer<Schema extends z.ZodMiniType>(
  answer: Answer,
  schema: Schema,
  asked: string,
): z.output<Schema> {
  throwUnlessSuccess(answer, asked)
  const json = parseJson(answer.body)
  const parsed = schema.safeParse(json, { reportInput: true })
  if (parsed.success) return parsed.data
  const why = json === undefined ? describeText(answer) : describeMismatch(parsed.error)
  throw new MalformedAnswerError(answer, why)
}

function throwUnlessSuccess(answer: Answer, asked: string): void {
  const { status, headers, body, receivedAt } = answer
  if (status >= 200 && status < 300) return
  if (status >= 300 && status < 400) throw new RedirectError(status, headers.location)
  if (status < 400 || status > 599) {
    throw new MalformedAnswerError(answer, 'no such status is known')
  }
  const { key, words } = errorWordsOf(body)
  const retryAfter = parseRetryAfter(headers['retry-after'], receivedAt, headers.date)
  throw new HttpError({ status, key, words, retryAfter, asked })
}

/** Describes a body that is not JSON. */
function describeText(answer: Answer): string {
  if (isWebPage(answer)) return notTheService
  return answer.body.trim() === '' ? 'it is empty' : 'it is not JSON'
}

/** Describes every member that does not match the schema. */
function describeMismatch(error: z.core.$ZodError): string {
  return error.issues
    .map((issue) =>
      issue.path.length ? `${issue.path.join('.')}: ${wordsOf(issue)}` : wordsOf(issue),
    )
    .join('; ')
}

/** Describes one mismatch. The library zod/mini has no message for a wrong type. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.input === undefined) return 'it is missing'
  return `expected ${issue.expected}, found ${z.util.parsedType(issue.input)}`
}

// The maximum depth of a body, because functions such as JSON.stringify recurse once for each
// level. Documented responses have two levels.
const maxDepth = 50

/** Parses JSON. Returns undefined for invalid JSON. Replaces too deeply nested values by null. */
function parseJson(body: string): unknown {
  try {
    // A byte order mark is not part of the JSON text (RFC 8259, section 8.1).
    return limitDepth(JSON.parse(body.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}

/** Replaces values below `maxDepth` by null. Uses no recursion, because the stack is limited. */
function limitDepth(root: unknown): unknown {
  let level = isContainer(root) ? [root] : []
  for (let depth = 1; level.length > 0; depth++) {
    const next: Container[] = []
    for (const container of level) {
      for (const [key, value] of Object.entries(container)) {
        if (!isContainer(value)) continue
        if (depth < maxDepth) next.push(value)
        else container[key] = null
      }
    }
    level = next
  }
  return root
}

type Container = Record<string, unknown>

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

const pageStart = /^[\s\ufeff]*<(?:!doctype\s+html|html|head|title|meta|body|script)\b/i

/** Returns true for a web page, such as a login page or the error page of a proxy. */
function isWebPage({ headers, body }: Answer): boolean {
  return /\bx?html\b/i.test(headers['content-type'] ?? '') || pageStart.test(body)
}

/**
 * Returns the complete text of an error response. The service documents three members of a JSON
 * object. Also reads plain text, lists, nested objects and the title of a web page, because some
 * error responses are not documented. Source: docs/contributing/service.md, "Errors".
 */
function errorWordsOf(body: string): ErrorWords {
  const json = parseJson(body)
  const documented = errorBodySchema.safeParse(json).data
  if (documented?.key) return documented
  if (json !== undefined) return { key: undefined, words: wordsOfJson(json) }
  const isMarkup = body.trimStart().startsWith('<')
  return { key: undefined, words: isMarkup ? titleOf(body) : body.trim() }
}

/**
 * Returns all member names and strings of a JSON value, in their order. Leaves out a member whose
 * value is null, blank or empty. The strings have no JSON escapes, because an escape could hide a
 * secret from the redaction.
 */
function wordsOfJson(json: unknown): string {
  if (typeof json === 'string') return json.trim()
  if (!isContainer(json)) return json === null ? '' : JSON.stringify(json)
  const members = Object.entries(json).map(([name, value]) => ({ name, words: wordsOfJson(value) }))
  return members
    .filter(({ words }) => words !== '')
    .map(({ name, words }) => (Array.isArray(json) ? words : `${name}: ${words}`))
    .join(' ')
}

// How many characters of a web page are searched for its title. Only the title is shown.
const searchedForTitle = 4_096

function titleOf(page: string): string {
  return /<title[^<>]*>([^<>]*)</i.exec(page.slice(0, searchedForTitle))?.[1]?.trim() ?? ''
}
