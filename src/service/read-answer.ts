/** Turns the answer to an API call into its value, or into the error that it stands for. */
import { z } from 'zod/mini'
import { isWebPage, parseJson } from './answer-body.ts'
import { parseRetryAfter } from './backoff.ts'
import { errorWordsOf } from './error-words.ts'
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
  const { key, words } = errorWordsOf(parseJson(body), body)
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
