/** Says which hosts are this machine, and to which addresses secrets may be sent. */

/**
 * Returns true if credentials and signed links may be sent to this address: https, or plain http to
 * a loopback host. Source: docs/contributing/service.md, "Authentication".
 */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/**
 * Returns true for `localhost`, 127.0.0.0/8 and ::1. Expects the host name of a `URL`, which has a
 * normal spelling (`0x7f.1` becomes `127.0.0.1`). Other names of this machine need no check: https
 * needs a certificate for them, and plain http is refused.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** The host name of a `URL` as sockets want it, and errors name it: an IPv6 address alone. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
