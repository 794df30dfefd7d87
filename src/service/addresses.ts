/** Which hosts count as this machine, and which addresses may carry secrets. */

/**
 * Whether credentials or a signed link may be sent to this address: https, or plain http to a
 * loopback host. Source: docs/service.md, "Authentication".
 */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/**
 * Whether a host is `localhost`, in 127.0.0.0/8, or ::1. Expects the host name of a `URL`, which
 * has normalised every spelling of an address (`0x7f.1`). Others that reach this machine need no
 * check: over https they would need a certificate, and plain http is refused.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** The host name of a `URL` as sockets want it, and errors name it: an IPv6 address alone. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
