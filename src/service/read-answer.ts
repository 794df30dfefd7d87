/**
 * Turns the response to an API request into a checked value or an error. Loaded with the schemas as
 * one chunk after the first request was sent, because only responses need it.
 */
import { z } from 'zod/mini'
import { parseRetryAfter } from './backoff.ts'
import { judgeAnswer } from './classify.ts'
import { errorBodySchema, reviveId, startAnswerSchema, type StartAnswer } from './contract.ts'
import {
  HttpError,
  MalformedAnswerError,
  RedirectError,
  type AnswerError,
} from './service-errors.ts'
import { decoderFor } from './content-encoding.ts'
import type { Answer } from './transport.ts'

export { createProjectAnswerSchema, statusSchemaOf } from './contract.ts'

/**
 * Returns the body of a 2xx response, checked against the schema of its endpoint. `asked` is the
 * method and the path of the request. `isProven` is true if the service has accepted the credentials
 * before.
 *
 * @throws MalformedAnswerError for a body that does not match the schema, RedirectError for 3xx,
 * HttpError for other statuses. Source: docs/contributing/service.md, "Errors".
 */
export function readAnswer<Schema extends z.ZodMiniType>(
  answer: Answer,
  schema: Schema,
  asked: string,
  isProven: boolean,
): z.output<Schema> {
  const json = parseJson(answer.body)
  const parsed = schema.safeParse(json, { reportInput: true })
  if (isSuccess(answer) && parsed.success) return parsed.data
  throw errorOf(answer, { json, mismatch: parsed.error, asked, isProven })
}

/**
 * Returns the accepted start that an answer proves. Answers with an error status can prove one too.
 *
 * @throws the errors of {@link readAnswer}. The error has the id that the answer names.
 */
export function readStartAnswer(answer: Answer, asked: string, isProven: boolean): StartAnswer {
  const { status } = answer
  const json = parseJson(answer.body)
  const { data, error: mismatch } = startAnswerSchema.safeParse(json, { reportInput: true })
  if (isSuccess(answer) && data) return { ...data, status }
  const executionId = data?.executionId
  const failure = errorOf(answer, { json, mismatch, asked, isProven, executionId })
  if (data && judgeAnswer(failure) === 'accepted') return { ...data, status }
  throw failure
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

interface ReadFacts {
  /** The body. Undefined if it is not JSON. */
  json: unknown
  /** Why the body does not match the schema. */
  mismatch: z.core.$ZodError | undefined
  asked: string
  isProven: boolean
  executionId?: string | undefined
}

function errorOf(
  answer: Answer,
  { json, mismatch, asked, isProven, executionId }: ReadFacts,
): AnswerError {
  const { status, headers, receivedAt } = answer
  const isPage = isWebPage(answer)
  if (isSuccess(answer)) {
    const isRead = json !== undefined && mismatch !== undefined
    const why = isRead ? describeMismatch(mismatch) : describeText(answer)
    return new MalformedAnswerError(answer, isPage ? notTheService : why, isPage)
  }
  if (status >= 300 && status < 400) {
    return new RedirectError(status, headers.location, executionId)
  }
  return new HttpError({
    status,
    words: errorWordsOf(answer, json),
    retryAfter: parseRetryAfter(headers, receivedAt),
    asked,
    isWebPage: isPage,
    isProven,
    executionId,
  })
}

/** Names the input that is probably wrong. */
const notTheService = 'it is a web page; check base-url'

/** Describes a body that is not JSON. */
function describeText({ body, headers }: Answer): string {
  if (body.trim() === '') return 'it is empty'
  return unreadable(headers) ?? 'it is not JSON'
}

/** Names a content encoding that was not undone. Undefined if there is none. */
function unreadable({ 'content-encoding': encoding = '' }: Answer['headers']): string | undefined {
  return decoderFor(encoding) ? undefined : `its content-encoding (${encoding}) cannot be undone`
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

/** Parses JSON. Returns undefined for invalid JSON, and for JSON that is nested too deeply. */
function parseJson(body: string): unknown {
  try {
    // A byte order mark is not part of the JSON text (RFC 8259, section 8.1).
    return JSON.parse(body.replace(/^\ufeff/, ''), reviveId)
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
function errorWordsOf({ body, headers }: Answer, json: unknown): string {
  const documented = errorBodySchema.safeParse(json).data
  if (documented !== undefined) return documented
  if (json !== undefined) return hasWords(json) ? withoutEscapes(json) : ''
  const [, title] = /<title[^<>]*>([^<>]*)</i.exec(body.slice(0, searchedForTitle)) ?? []
  return title?.trim() ?? unreadable(headers) ?? body.trim()
}

// How many characters of a body are searched for a title.
const searchedForTitle = 4_096

/** Returns true if a value in the JSON, other than null, has a letter or a digit. */
function hasWords(json: unknown): boolean {
  if (typeof json === 'object') return Object.values(json ?? {}).some(hasWords)
  return typeof json !== 'string' || /[\p{L}\p{N}]/u.test(json)
}

/** Undoes the escapes of JSON, because a secret in a quoted text would be escaped twice. */
function withoutEscapes(json: unknown): string {
  return JSON.stringify(json).replace(/\\(["\\])/g, '$1')
}
