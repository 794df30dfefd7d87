/** The readings of addresses. No message shows a part of an address that may be secret. */
import { idPlaceholder } from '../../messages/execution-url.ts'
import { isSecure } from '../../service/addresses.ts'
import { InputProblem, type Reading } from './readings.ts'

const wanted = 'expected an absolute URL such as https://automations.example.com'

/** A service address that is safe for credentials. Trailing slashes are removed. */
export const serviceAddress: Reading<string> = (text) => {
  const url = secureUrl(text)
  if (url.username || url.password) {
    throw new InputProblem(
      'expected an address without user name and password; give credentials as api-token and api-key',
    )
  }
  if (/[?#]/.test(text)) {
    throw new InputProblem('expected an address without query (?) and fragment (#); remove them')
  }
  if (/\/api\/(start-automation|create-project|v4)(\/|$)/.test(url.pathname)) {
    throw new InputProblem(
      'expected the address of the service alone, found a path of its API; leave /api and everything after it out',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** The address to which the service sends a result. The address is passed on unchanged. */
export const webhookAddress: Reading<string> = (text) => {
  secureUrl(text)
  return text
}

/** The address of a run in the service's dashboard. */
export const dashboardAddress: Reading<string> = (text) => {
  const found = findDashboardProblem(text)
  if (found === undefined) return text
  throw new InputProblem(
    `expected an https address with ${idPlaceholder} once, after the host, such as https://dashboard.example.com/runs/${idPlaceholder}, ${found}`,
  )
}

function findDashboardProblem(text: string): string | undefined {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:') return `found ${url ? `${url.protocol}//` : 'something else'}`
  // The service chooses the execution id, so the id must not become part of the link's host.
  if (/[{}]/.test(url.host) || url.username || url.password) {
    return 'found a placeholder, user name or password in the host'
  }
  const parts = text.split(idPlaceholder)
  if (parts.length !== 2) return `found ${idPlaceholder} ${parts.length - 1} times`
  return /[{}]/.test(parts.join('')) ? 'found another { or }' : undefined
}

/** Returns the URL in a text. @throws InputProblem unless its scheme and port are allowed. */
function secureUrl(text: string): URL {
  const url = parseUrl(text)
  if (!url) {
    const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    const found = hasScheme ? 'something else' : 'no https:// at its beginning'
    throw new InputProblem(`${wanted}, found ${found}`)
  }
  if (url.port === '0') {
    throw new InputProblem('expected a port from 1 to 65535, found port 0')
  }
  if (isSecure(url)) return url
  throw new InputProblem(
    url.protocol === 'http:'
      ? `expected https, found plain http to ${url.host}, which would send secrets unencrypted; plain http is allowed only for loopback hosts (localhost, 127.0.0.1, [::1])`
      : `${wanted}, found the scheme ${url.protocol}//`,
  )
}

/** Parses a URL. Refuses `https:host`, `https:\\host` and line breaks, which `URL` accepts. */
function parseUrl(text: string): URL | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) return undefined
  return URL.parse(text) ?? undefined
}
