/** Explains why a TLS handshake failed, because the messages of OpenSSL do not name the cause. */
import { codeOf, messageOf } from '../errors.ts'

export const noTls = 'it does not use TLS on this port'
export const oldTls = 'it does not support TLS 1.2 or later'
export const wantsCertificate = 'it asks for a client certificate'
/** TLS 1.2 has no alert for a missing client certificate, so this message names no cause. */
export const refusedHandshake = 'it refused the TLS handshake'

/** After a TLS handshake, only this error code proves that the server got no request. */
export const certificateRequired = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'

/** The message for each error reason of OpenSSL. */
const words: Readonly<Record<string, string>> = {
  'tlsv13 alert certificate required': wantsCertificate,
  'wrong version number': noTls,
  'packet length too long': noTls,
  'tlsv1 alert protocol version': oldTls,
  'unsupported protocol': oldTls,
  'ssl/tls alert handshake failure': refusedHandshake,
}

/** Returns why no connection was made. Replaces OpenSSL's reasons by messages for users. */
export function whyNotConnected(error: unknown, message = messageOf(error)): string {
  const reason = reasonOf(codeOf(error) ?? '', message)
  return reason === undefined ? message : (words[reason] ?? `TLS failed: ${reason}`)
}

/** Returns OpenSSL's reason. Node gives this reason as an error code or in OpenSSL's message. */
function reasonOf(code: string, message: string): string | undefined {
  const [, reason] =
    /^ERR_SSL_(.+)/.exec(code) ?? /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? []
  return reason?.toLowerCase().replaceAll('_', ' ')
}
