/** Checks whether a host is this machine, and whether secrets may be sent to an address. */

/**
 * Returns true if credentials may be sent to this address. The address must use https, or plain
 * http to a loopback host. Source: docs/contributing/service.md, "Authentication".
 */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/**
 * Returns true for `localhost`, 127.0.0.0/8 and ::1. Expects a host name from a `URL` object,
 * because `URL` normalizes names (`0x7f.1` becomes `127.0.0.1`). Other names of this machine need
 * no check: plain http to such a name is refused, and https needs a certificate.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * Returns true if parsing keeps the path of an address. Parsing removes dot segments, also
 * percent-encoded ones, and makes each backslash a slash. That is another address, and a signature
 * or the name of an object no longer match.
 */
export function hasPlainPath(address: string): boolean {
  const [path = ''] = address.split(/[?#]/, 1)
  return !path.includes('\\') && !path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))
}

/** Removes the brackets of an IPv6 address, because sockets and errors use no brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
