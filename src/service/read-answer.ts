/** Turns the answer to an API call into its value, or into the error that it stands for. */
import { z } from 'zod/mini'
import { parseRetryAfter } from './backoff.ts'
import { errorBodySchema, type ErrorWords } from './contract.ts'
import { HttpError, MalformedAnswerError, notTheService, RedirectError } from './errors.ts'
import type { Answer } from './transport.ts'

/**
 * The value of an answer with a 2xx status, checked against the schema of its endpoint.
 * `asked`: method and path of the request.
 *
 * @throws HttpError for 4xx and 5xx, RedirectError for 3xx, MalformedAnswerError for other statuses
 *   and for a body that does not match the schema. Source: docs/service.md, "Errors".
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
  const retryAfter = parseRetryAfter(headers['retry-after'], receivedAt)
  throw new HttpError({ status, key, words, retryAfter, asked })
}

/** What came in the place of JSON. */
function describeText(answer: Answer): string {
  if (isWebPage(answer)) return notTheService
  return answer.body.trim() === '' ? 'it is empty' : 'it is not JSON'
}

/** Every member that does not match, by its path. */
function describeMismatch(error: z.core.$ZodError): string {
  return error.issues
    .map((issue) =>
      issue.path.length ? `${issue.path.join('.')}: ${wordsOf(issue)}` : wordsOf(issue),
    )
    .join('; ')
}

/** zod's small variant brings no words for a wrong type. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message
  return `expected ${issue.expected}, found ${z.util.parsedType(issue.input)}`
}

// What the service documents has two levels. Deeper values can only be under unknown keys, and
// JSON.stringify, among others, recurses once per level.
const maxDepth = 50

/** The body as JSON; undefined where it is none, or nested too deeply. */
function parseJson(body: string): unknown {
  try {
    // A byte order mark is not part of the text (RFC 8259, section 8.1).
    const json: unknown = JSON.parse(body.replace(/^\ufeff/, ''))
    return isTooDeep(json) ? undefined : json
  } catch {
    return undefined
  }
}

/** Counts level by level: recursion would be limited by the stack. */
function isTooDeep(json: unknown): boolean {
  let level = [json]
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    level = level.flatMap((part): unknown[] =>
      typeof part === 'object' && part !== null ? Object.values(part) : [],
    )
  }
  return level.length > 0
}

const pageStart = /^[\s\ufeff]*<(?:!doctype\s+html|html|head|title|meta|body|script)\b/i

/** Whether an answer is a web page: a login, a proxy's error page, another site. */
function isWebPage({ headers, body }: Answer): boolean {
  return /\bx?html\b/i.test(headers['content-type'] ?? '') || pageStart.test(body)
}

/**
 * The text of an error answer, in full length: what stands under one of the documented members, else
 * the body, or the title of a web page. Source: docs/service.md, "Errors".
 */
function errorWordsOf(body: string): ErrorWords {
  const documented = errorBodySchema.safeParse(parseJson(body)).data
  if (documented?.key) return documented
  const words = body.trimStart().startsWith('<') ? titleOf(body) : body.trim()
  return { key: undefined, words }
}

// The title of a web page is its only part worth showing, and stands near its beginning.
const searchedForTitle = 4_096

function titleOf(page: string): string {
  return /<title[^<>]*>([^<>]*)</i.exec(page.slice(0, searchedForTitle))?.[1]?.trim() ?? ''
}
