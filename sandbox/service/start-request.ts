import { tokenize } from '@humanwhocodes/momoa'
import { z } from 'zod'

// Source: docs/contributing/service.md, "Start an automation".
const startSchema = z.looseObject({
  webhook: z
    .string()
    .trim()
    .refine((text) => text === '' || isWebUrl(text), 'must be an absolute URL')
    .optional(),
  webhook_header: z.record(z.string(), z.string()).optional(),
  seed: z.record(z.string(), z.unknown()).optional(),
})

export interface AcceptedStart {
  /** Undefined if the webhook is missing or blank. The sandbox then calls no webhook. */
  webhook: string | undefined
  webhookHeaders: Record<string, string>
  /** The JSON text of the seed, exactly as it was received. Undefined if there is no seed. */
  seedText: string | undefined
}

/** Returns the data of a start request, or the problem if the body is invalid. */
export function readStartRequest(text: string): AcceptedStart | { problem: string } {
  const value = parseJson(text)
  if (value === undefined) return { problem: 'The body is not valid JSON.' }
  const parsed = startSchema.safeParse(value)
  if (!parsed.success) return { problem: describe(parsed.error) }
  const { webhook, webhook_header: webhookHeaders } = parsed.data
  return {
    webhook: webhook === '' ? undefined : webhook,
    webhookHeaders: webhookHeaders ?? {},
    seedText: parsed.data.seed ? textOfMember(text, 'seed') : undefined,
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Returns the text of a member's value. JSON.parse would change numbers such as `1.0` and `1e400`.
 * Reads tokens, because a syntax tree is built recursively and a seed may be nested deeply.
 */
function textOfMember(text: string, name: string): string | undefined {
  let depth = 0
  let begin: number | undefined
  let found: string | undefined
  let lastString = ''
  for (const { type, loc } of tokenize(text)) {
    const [start, end] = [loc.start.offset, loc.end.offset]
    if (type === 'RBrace' || type === 'RBracket') depth -= 1
    const ends = depth === 0 || (depth === 1 && type === 'Comma')
    if (begin !== undefined && ends) {
      // If a name occurs twice, the last value counts, as in JSON.parse.
      found = text.slice(begin, start).trim()
      begin = undefined
    }
    if (depth === 1 && type === 'Colon' && JSON.parse(lastString) === name) begin = end
    if (type === 'String') lastString = text.slice(start, end)
    if (type === 'LBrace' || type === 'LBracket') depth += 1
  }
  return found
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function describe(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`)
    .join('; ')
}
