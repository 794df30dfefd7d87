/** Why a TLS handshake failed, in words. OpenSSL's own line names its source files and no cause. */
import { codeOf, messageOf } from '../errors.ts'

export const noTls = 'it does not use TLS on this port'
export const oldTls = 'it does not support TLS 1.2 or later'
export const wantsCertificate = 'it asks for a client certificate'
/** Under TLS 1.2 a missing client certificate has no alert of its own. */
export const refusedHandshake = 'it refused the TLS handshake'

/** The one code after a TLS handshake that proves that nothing arrived. */
export const certificateRequired = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'

/** By OpenSSL's reason. */
const words: Readonly<Record<string, string>> = {
  'tlsv13 alert certificate required': wantsCertificate,
  'wrong version number': noTls,
  'packet length too long': noTls,
  'tlsv1 alert protocol version': oldTls,
  'unsupported protocol': oldTls,
  'ssl/tls alert handshake failure': refusedHandshake,
}

/** Returns why no connection was made: the message of the error, or words for a reason of OpenSSL. */
export function whyNotConnected(error: unknown, message = messageOf(error)): string {
  const reason = reasonOf(codeOf(error) ?? '', message)
  return reason === undefined ? message : (words[reason] ?? `TLS failed: ${reason}`)
}

/** Node names the reason by a code, or under `EPROTO` by the line that OpenSSL writes. */
function reasonOf(code: string, message: string): string | undefined {
  const [, reason] =
    /^ERR_SSL_(.+)/.exec(code) ?? /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? []
  return reason?.toLowerCase().replaceAll('_', ' ')
}
