import type { IncomingHttpHeaders } from 'node:http'

/** Values that are no secrets: they open nothing but a sandbox on the same machine. */
export const sandboxCredentials = {
  apiToken: 'sandbox-token-6f1d0c2b9a7e4835',
  apiKey: 'sandbox-key-b84e17f05d3a4c69',
}

/** A second account, valid but without projects or executions of the first. */
export const strangerCredentials = {
  apiToken: 'stranger-token-1c5a7e9038bd46f2',
  apiKey: 'stranger-key-90e2c47ab15f4d83',
}

export type Account = 'owner' | 'stranger'

/**
 * Whose request this is, or undefined without valid credentials: both headers are needed and must
 * be of one account ("Authentication", 1 to 3).
 */
export function identify(
  headers: IncomingHttpHeaders,
  { apiToken, apiKey }: typeof sandboxCredentials,
): Account | undefined {
  const { authorization = '', 'x-api-key': key } = headers
  // The bare token counts too.
  const token = /^Token (\S+)$/.exec(authorization)?.[1] ?? authorization
  if (token === apiToken && key === apiKey) return 'owner'
  const stranger = strangerCredentials
  return token === stranger.apiToken && key === stranger.apiKey ? 'stranger' : undefined
}
