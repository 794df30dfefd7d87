/**
 * Turns the response to an API request into a checked value or an error. Loaded with the schemas as
 * one chunk after the first request was sent, because only responses need it.
 */
import { z } from 'zod/mini'
import { parseRetryAfter } from './backoff.ts'
import { errorBodySchema, type ErrorWords } from './contract.ts'
import { HttpError, MalformedAnswerError, notTheService, RedirectError } from './errors.ts'
import type { Answer } from './transport.ts'

export { createProjectAnswerSchema, startAnswerSchema, statusSchemaOf } from './contract.ts'

/**
 * Returns the body of a 2xx response, checked against the schema of its endpoint. `asked` is the
 * method and the path of the request. `isProven` is true if the service has accepted the credentials
 * before.
 *
 * @throws HttpError for 4xx and 5xx, RedirectError for 3xx, MalformedAnswerError for other statuses
 * and for a body that does not match the schema. Source: docs/contributing/service.md, "Errors".
 */
export function readAnswer<Schema extends z.ZodMiniType>(
  answer: Answer,
  schema: Schema,
  asked: string,
  isProven = false,
): z.output<Schema> {
  throwUnlessSuccess(answer, asked, isProven)
  const json = parseJson(answer.body)
  const parsed = schema.safeParse(json, { reportInput: true })
  if (parsed.success) return parsed.data
  const why = json === undefined ? describeText(answer) : describeMismatch(parsed.error)
  throw new MalformedAnswerError(answer, why)
}

function throwUnlessSuccess(answer: Answer, asked: string, isProven: boolean): void {
  const { status, headers, body, receivedAt } = answer
  if (status >= 200 && status < 300) return
  if (status >= 300 && status < 400) throw new RedirectError(status, headers.location)
  if (status < 400 || status > 599) {
    throw new MalformedAnswerError(answer, 'no such status is known')
  }
  const { key, words } = errorWordsOf(body)
  const retryAfter = parseRetryAfter(headers['retry-after'], receivedAt)
  throw new HttpError({
    status,
    key,
    words,
    retryAfter,
    asked,
    isWebPage: isWebPage(answer),
    isProven,
  })
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

/** Parses JSON. Returns undefined for invalid JSON. */
function parseJson(body: string): unknown {
  try {
    // A byte order mark is not part of the JSON text (RFC 8259, section 8.1).
    return JSON.parse(body.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

const pageStart = /^[\s\ufeff]*<(?:!doctype\s+html|html|head|title|meta|body|script)\b/i

/** Returns true for a web page, such as a login page or the error page of a proxy. */
function isWebPage({ headers, body }: Answer): boolean {
  return /\bx?html\b/i.test(headers['content-type'] ?? '') || pageStart.test(body)
}

/**
 * Returns the text of an error response: the text of the first documented member, else the title of
 * the page, else the body. Source: docs/contributing/service.md, "Errors".
 */
function errorWordsOf(body: string): ErrorWords {
  const documented = errorBodySchema.safeParse(parseJson(body)).data
  if (documented?.key) return documented
  const [, title] = /<title[^<>]*>([^<>]*)</i.exec(body.slice(0, searchedForTitle)) ?? []
  return { key: undefined, words: title?.trim() ?? withoutEscapes(body) }
}

// How many characters of a body are searched for a title.
const searchedForTitle = 4_096

/** Undoes the escapes of JSON, because a secret in a quoted text would be escaped twice. */
function withoutEscapes(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body)).replace(/\\(["\\])/g, '$1')
  } catch {
    // The body is not JSON, or it is nested too deeply for JSON.stringify.
    return body.trim()
  }
}
