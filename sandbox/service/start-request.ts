import { parse, type MemberNode } from '@humanwhocodes/momoa'
import { z } from 'zod'

/** "Start request": every field is optional, the body is an object. */
const startSchema = z.looseObject({
  webhook: z
    .string()
    .trim()
    .refine((text) => text === '' || isWebUrl(text), 'must be an absolute URL')
    .nullish(),
  webhook_header: z.record(z.string(), z.string()).nullish(),
  seed: z.record(z.string(), z.unknown()).optional(),
})

export interface AcceptedStart {
  /** Undefined when omitted or blank: the automation's default webhook is used. */
  webhook: string | undefined
  webhookHeaders: Record<string, string>
  /** The seed's text, character for character as it was received. */
  seedText: string | undefined
}

/** Reads a start request's body, or tells what is wrong with it (the document shows no such case). */
export function readStartRequest(text: string): AcceptedStart | { problem: string } {
  const value = parseJson(text)
  if (value === undefined) return { problem: 'The body is not valid JSON.' }
  const parsed = startSchema.safeParse(value)
  if (!parsed.success) return { problem: describe(parsed.error) }
  const { webhook, webhook_header: webhookHeaders } = parsed.data
  return {
    webhook: webhook === '' ? undefined : (webhook ?? undefined),
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

/** JSON.parse would change numbers past 2^53, `1.0` and `1e400`; the text itself stays. */
function textOfMember(text: string, name: string): string | undefined {
  const { body } = parse(text)
  if (body.type !== 'Object') return undefined
  // Of a repeated name the last one counts, as in JSON.parse.
  const member = body.members.findLast((candidate) => nameOf(candidate) === name)
  return member && text.slice(member.value.loc.start.offset, member.value.loc.end.offset)
}

function nameOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function describe(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`)
    .join('; ')
}
