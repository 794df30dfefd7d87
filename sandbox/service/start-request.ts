import { tokenize } from '@humanwhocodes/momoa'
import { z } from 'zod'

/** "Start request": every field is optional, the body is an object. */
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
  /** Undefined when omitted or blank: the automation's default webhook is used. */
  webhook: string | undefined
  webhookHeaders: Record<string, string>
  /** The seed's text, character for character as it was received. */
  seedText: string | undefined
}

/** Reads the body of a start, or says what is wrong with it. The service documents no such case. */
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
 * A member's value as it is written: JSON.parse would change numbers past 2^53, `1.0` and `1e400`.
 * By tokens and not by a tree, which would be built by recursion: seeds may be nested deeply.
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
      // The last one of equal names counts, as in JSON.parse.
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
