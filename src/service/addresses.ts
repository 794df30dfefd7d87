/** Which hosts count as this machine, and which addresses may carry secrets. */
import { BlockList, isIP } from 'node:net'

/**
 * Whether credentials or a signed link may be sent to this address: https, or plain http to a
 * loopback host. Source: docs/service.md, "Authentication".
 */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/**
 * Whether a host is `localhost`, in 127.0.0.0/8, or ::1. Expects the host name of a `URL`, which
 * has normalised every spelling of an address (`0x7f.1`). Strict, since a match permits plain http.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * Whether a connection to this host ends at this machine, decided by its name alone. Wider than
 * {@link isLoopback}, since a match forbids: all of `.localhost` (RFC 6761, section 6.3), IPv4
 * addresses inside IPv6 ones, and the unspecified addresses, which systems connect to loopback.
 * Other names that resolve to loopback need no check: over https they would need a certificate.
 */
export function reachesThisMachine(hostname: string): boolean {
  const name = withoutBrackets(hostname).replace(/\.$/, '')
  const version = isIP(name)
  if (version === 0) return name === 'localhost' || name.endsWith('.localhost')
  return thisMachine.check(name, version === 6 ? 'ipv6' : 'ipv4')
}

/** The host name of a `URL` as sockets want it, and errors name it: an IPv6 address alone. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

// BlockList also matches IPv4 addresses that are mapped into IPv6 ones.
const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4')
thisMachine.addSubnet('0.0.0.0', 8, 'ipv4')
thisMachine.addAddress('::1', 'ipv6')
thisMachine.addAddress('::', 'ipv6')
