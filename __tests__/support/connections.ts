import { systemClock, type Clock } from '../../src/clock.ts'
import { AutomationService, type Credentials } from '../../src/service/client.ts'
import type { HttpRequest } from '../../src/service/http-request.ts'
import { HttpTransport } from '../../src/service/transport.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'

export const userAgent = 'run-automation/test (run)'

export const credentials: Credentials = {
  apiToken: 'token-7f3a',
  apiKey: 'key-91bc',
  authorizationScheme: 'token',
}

/** Returns the client of a service at this address, as the action makes it. */
export function serviceAt(
  baseUrl: string,
  given: Partial<Credentials> = {},
  statusBaseUrl = baseUrl,
) {
  const address = { baseUrl, statusBaseUrl }
  return new AutomationService(new HttpTransport(userAgent, systemClock), {
    ...address,
    ...credentials,
    ...given,
  })
}

interface SendOptions {
  signal?: AbortSignal
  untilConnected?: AbortSignal
  clock?: Clock
  request?: Partial<HttpRequest>
}

/** Sends one request through the real transport. By default, a POST like a start. */
export function send(url: string, options: SendOptions = {}) {
  const { signal = neverAborts, untilConnected, clock = systemClock, request } = options
  const transport = new HttpTransport(userAgent, clock)
  const post = { method: 'POST', url: new URL(url), headers: {}, body: '{}' } as const
  return transport.send({ ...post, ...request }, signal, untilConnected)
}
