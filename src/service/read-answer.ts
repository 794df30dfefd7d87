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
 *   and for a body that does not match the schema. Source: docs/contributing/service.md, "Errors".
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

// Documented responses have two levels. Deeper values can only be under unknown keys.
// JSON.stringify and other functions recurse once for each level.
const maxDepth = 50

/** Returns the body as JSON, or undefined. Values that are nested too deeply become null. */
function parseJson(body: string): unknown {
  try {
    // A byte order mark is not part of the text (RFC 8259, section 8.1).
    return limitDepth(JSON.parse(body.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}

/** Changes `root` in place, level by level: recursion would be limited by the stack. */
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

/** Returns true for a web page: a login, an error page of a proxy, another site. */
function isWebPage({ headers, body }: Answer): boolean {
  return /\bx?html\b/i.test(headers['content-type'] ?? '') || pageStart.test(body)
}

/**
 * Returns the complete text of an error response. Three members of a JSON object are documented.
 * The response to malformed input is not known, so plain text, lists and nested objects are read,
 * too. For a web page, the title counts. Source: docs/contributing/service.md, "Errors".
 */
function errorWordsOf(body: string): ErrorWords {
  const json = parseJson(body)
  const documented = errorBodySchema.safeParse(json).data
  if (documented?.key) return documented
  if (json !== undefined) return { key: undefined, words: wordsOfJson(json) }
  const isMarkup = body.trimStart().startsWith('<')
  return { key: undefined, words: isMarkup ? titleOf(body) : body.trim() }
}

/** All names and texts, in their order: as JSON they would hide a secret that is quoted in one. */
function wordsOfJson(json: unknown): string {
  const words: string[] = []
  JSON.stringify(json, (name, value: object | string | number | boolean | null) => {
    // An index in a list is not shown.
    if (name !== '' && !/^\d+$/.test(name)) words.push(`${name}:`)
    if (value !== null && typeof value !== 'object') words.push(String(value).trim())
    return value
  })
  return words.join(' ')
}

// The title of a web page is its only part worth showing, and stands near its beginning.
const searchedForTitle = 4_096

function titleOf(page: string): string {
  return /<title[^<>]*>([^<>]*)</i.exec(page.slice(0, searchedForTitle))?.[1]?.trim() ?? ''
}
