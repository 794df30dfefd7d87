/** The inputs that say where the service is and who is asking. */
import { z } from 'zod/mini'
import { serviceAddress } from './address.ts'
import { secret } from './secret.ts'
import { changed, givenText, oneOf, optional, whenSound } from './text.ts'

/**
 * One line of ASCII: what else a header may hold is written in different bytes by different
 * clients, and no service hands out such a token.
 */
export const credential = givenText.check(
  z.refine((value) => /^[\x20-\x7e]*$/.test(value), {
    error:
      'expected one line of printable ASCII characters, found a line break, a control character or one outside ASCII; copy the value again',
  }),
)

const access = {
  'base-url': serviceAddress,
  'api-token': secret(credential),
  'api-key': secret(credential),
  'authorization-scheme': oneOf(['token', 'bare']),
}

const status = { 'status-base-url': optional(serviceAddress) }

interface AccessTexts {
  'api-token': string
  'authorization-scheme': 'token' | 'bare'
}

const giveTokenAlone = {
  path: ['api-token'],
  error:
    'starts with the word Token, which would be sent twice; give the token alone (or set authorization-scheme to bare)',
  when: whenSound('api-token', 'authorization-scheme'),
}

function isTokenAlone({
  'api-token': token,
  'authorization-scheme': scheme,
}: AccessTexts): boolean {
  return scheme !== 'token' || !/^token\s/i.test(token)
}

/** For actions that ask only project and automation routes. */
export const connection = changed(
  z.object(access).check(z.refine(isTokenAlone, giveTokenAlone)),
  (given) => connectionOf(given, given['base-url']),
)

/** For actions that ask the status route too. */
export const connectionWithStatus = changed(
  z.object({ ...access, ...status }).check(z.refine(isTokenAlone, giveTokenAlone)),
  (given) => connectionOf(given, given['status-base-url'] ?? given['base-url']),
)

function connectionOf(given: z.output<z.ZodMiniObject<typeof access>>, statusBaseUrl: string) {
  return {
    baseUrl: given['base-url'],
    statusBaseUrl,
    apiToken: given['api-token'],
    apiKey: given['api-key'],
    authorizationScheme: given['authorization-scheme'],
  }
}
