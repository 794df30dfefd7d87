/** Reads from the environment which proxy to use for an https address. */
import { env } from 'node:process'
import { checkBypass } from '@actions/http-client/lib/proxy'
import { withoutBrackets } from './addresses.ts'

/** The error for an unusable proxy variable. The message omits the value, which may be secret. */
export class ProxyProblem extends Error {
  override readonly name = 'ProxyProblem'
}

/** The code of the error if the proxy answers 407. */
export const proxyWantsLogin = 'ERR_PROXY_WANTS_LOGIN'

export interface Proxy {
  protocol: 'http:' | 'https:'
  host: string
  port: number
  /** The value of `Proxy-Authorization` (secret). Undefined if the address has no credentials. */
  authorization: string | undefined
}

// This file reads `process.env` directly, because `checkBypass` also reads `no_proxy` from there.
const variables = ['https_proxy', 'HTTPS_PROXY'] as const

/**
 * Returns the proxy for an address. Returns undefined if no proxy is named, if `no_proxy` excludes
 * the host, and for loopback hosts. Never reads `http_proxy`, because plain http is used only for
 * loopback hosts.
 *
 * @throws ProxyProblem if the variable does not name a usable proxy.
 */
export function proxyFor(url: URL): Proxy | undefined {
  return url.protocol !== 'https:' || checkBypass(url) ? undefined : namedProxy()
}

/**
 * Returns the proxy that the environment names, whether an address needs it or not.
 *
 * @throws ProxyProblem if the variable does not name a usable proxy.
 */
export function namedProxy(): Proxy | undefined {
  for (const name of variables) {
    const value = env[name]?.trim()
    if (value) return parse(name, value)
  }
  return undefined
}

function parse(name: string, value: string): Proxy {
  if (/^(?:direct|none)$/i.test(value)) {
    throw problem(name, `${value} is not an address. To use no proxy, remove the variable`)
  }
  // The default scheme is http, as in curl. `URL` would read `proxy` in `proxy:3128` as the scheme.
  const [, scheme = 'http', rest = ''] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*?)\/?$/is.exec(value) ?? []
  // In such an address, `URL` would take a piece of a password for the host, and errors name hosts.
  if (/["'`/?#\\]|@.*@/s.test(rest)) throw problem(name, unclearAddress)
  if (!/^https?$/i.test(scheme)) throw problem(name, 'its scheme is not http:// or https://')
  const url = URL.parse(`${scheme}://${rest}`)
  if (!url?.hostname) throw problem(name, 'it is not an address such as http://proxy.example:3128')
  const { protocol, hostname, port } = url
  return {
    protocol: protocol === 'https:' ? protocol : 'http:',
    host: withoutBrackets(hostname),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    authorization: authorizationOf(name, url),
  }
}

const unclearAddress =
  'it has a path, a query, a fragment, quotes or a second @. In its user and password, write # as %23, / as %2F, ? as %3F and @ as %40'

function authorizationOf(name: string, { username, password }: URL): string | undefined {
  if (!username && !password) return undefined
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(credentials).toString('base64')}`
  } catch {
    throw problem(name, 'a % in its user or password must be written as %25')
  }
}

function problem(name: string, what: string): ProxyProblem {
  return new ProxyProblem(`the environment variable ${name} does not name a usable proxy: ${what}`)
}
