/** Declares the inputs for the service's address and the credentials. */
import { z } from 'zod/mini'
import { secret } from './secret.ts'
import {
  changed,
  givenText,
  named,
  oneOf,
  optional,
  refuse,
  requiredText,
  whenValid,
} from './text.ts'
import { isSecure } from '../../service/addresses.ts'

const wanted = 'expected an absolute URL such as https://automations.example.com'

/** Accepts a service address that is safe for credentials. Removes trailing slashes. */
export const serviceAddress = changed(givenText, (text, context) => {
  const url = parseUrl(text)
  if (!url) return refuse(context, describeNoAddress(text))
  const problem = originProblem(url) ?? plainAddressProblem(text, url)
  return problem === undefined ? url.href.replace(/\/+$/, '') : refuse(context, problem)
})

/** The address to which the service sends a result. The address is passed on unchanged. */
export const webhookAddress = changed(givenText, (text, context) => {
  const url = parseUrl(text)
  const problem = url ? originProblem(url) : describeNoAddress(text)
  return problem === undefined ? text : refuse(context, problem)
})

/** Returns the percent-encoded password in an address. The action never decodes the password. */
export function findAddressSecrets(text: string): string[] {
  return [URL.parse(text.trim())?.password ?? '']
}

/** Parses a URL. Refuses `https:host`, `https:\\host` and line breaks, which `URL` accepts. */
export function parseUrl(text: string): URL | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) return undefined
  return URL.parse(text) ?? undefined
}

function describeNoAddress(text: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  return `${wanted}, found ${hasScheme ? 'something else' : 'no https:// at its beginning'}`
}

/** Describes a wrong scheme or port. Shows only scheme and host: other parts may be secret. */
function originProblem(url: URL): string | undefined {
  if (url.port === '0') return 'expected a port from 1 to 65535, found port 0'
  if (isSecure(url)) return undefined
  if (url.protocol !== 'http:') return `${wanted}, found the scheme ${url.protocol}//`
  return `expected https, found plain http to ${url.host}, which would send secrets unencrypted; plain http is allowed only for loopback hosts (localhost, 127.0.0.1, [::1])`
}

function plainAddressProblem(text: string, url: URL): string | undefined {
  if (url.username || url.password) {
    return 'expected an address without user name and password; give credentials as api-token and api-key'
  }
  if (/[?#]/.test(text))
    return 'expected an address without query (?) and fragment (#); remove them'
  if (/\/api\/(start-automation|create-project|v4)(\/|$)/.test(url.pathname)) {
    return 'expected the address of the service alone, found a path of its API; leave /api and everything after it out'
  }
  return undefined
}

/** A credential is one line of ASCII. No service issues a token with other characters. */
export const credential = requiredText(
  'required, but empty or not given; if the value comes from a secret, the secret may be missing (pull requests from forks get no secrets, and Dependabot gets only its own: skip this step there)',
).check(
  z.refine((value) => /^[\x20-\x7e]*$/.test(value), {
    error:
      'expected one line of printable ASCII characters, found a line break, a control character or a non-ASCII character; copy the value again',
  }),
)

const access = {
  'base-url': serviceAddress,
  'api-token': secret(credential),
  'api-key': secret(credential),
  'authorization-scheme': oneOf(['token', 'bare']),
}

interface AccessTexts {
  'api-token': string
  'authorization-scheme': 'token' | 'bare'
}

const tokenAlone = z.refine<AccessTexts>(
  (given) => given['authorization-scheme'] !== 'token' || !/^token\s/i.test(given['api-token']),
  {
    path: ['api-token'],
    error:
      'starts with the word Token, which would be sent twice; give only the token (or set authorization-scheme to bare)',
    when: whenValid('api-token', 'authorization-scheme'),
  },
)

/** The connection inputs of actions that call only the project and automation routes. */
export const connection = changed(z.object(access).check(tokenAlone), (given) => ({
  ...named(given),
  statusBaseUrl: given['base-url'],
}))

/** The connection inputs of actions that also call the status route. */
export const connectionWithStatus = changed(
  z.object({ ...access, 'status-base-url': optional(serviceAddress) }).check(tokenAlone),
  (given) => ({ ...named(given), statusBaseUrl: given['status-base-url'] ?? given['base-url'] }),
)
