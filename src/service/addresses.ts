import { BlockList, isIP } from 'node:net'

/** Whether credentials or a signed link may travel to this address: https, or a loopback host. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** `localhost`, 127.0.0.0/8 and ::1, as the URL standard writes them. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * Whether a connection to this host ends at this machine, judged by its name: loopback in every
 * spelling that URL leaves (RFC 6761 gives it all of `.localhost`), and the unspecified addresses,
 * which systems take for it. Names that resolve to it need no check: over https they would have to
 * show a certificate.
 */
export function reachesThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const version = isIP(name)
  if (version === 0) return name === 'localhost' || name.endsWith('.localhost')
  return thisMachine.check(name, version === 6 ? 'ipv6' : 'ipv4')
}

// The list finds IPv4 addresses within IPv6 ones by itself.
const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4')
thisMachine.addSubnet('0.0.0.0', 8, 'ipv4')
thisMachine.addAddress('::1', 'ipv6')
thisMachine.addAddress('::', 'ipv6')
