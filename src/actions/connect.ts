import { ActionError } from '../messages/annotation.ts'
import { headingOf } from '../messages/catalogue.ts'
import { isLoopback } from '../service/addresses.ts'
import { AutomationService, type Credentials, type ServiceAddress } from '../service/client.ts'
import { ProxyProblem, proxyFor } from '../service/proxy.ts'
import { HttpStore, type Store } from '../download/store.ts'
import { HttpTransport } from '../service/transport.ts'
import { loadGithub } from '../runner/commit-status.ts'
import { openStorage, type Storage } from '../runner/storage/step-storage.ts'
import type { Step } from '../runner/step.ts'
import { version } from '../version.ts'
import { openChecker, type OpenChecker } from './result-check.ts'

export type ActionName = 'run' | 'start' | 'wait' | 'batch' | 'create-project'

export interface Connections {
  service: AutomationService
  /** Where result and log lie: a client of its own, that never sees the credentials. */
  store: Store
  /** Where the step's artifact and records lie. */
  openStorage: (step: Step) => Storage
  openChecker: OpenChecker
  /** GitHub's API, for a commit status. */
  loadGithub: typeof loadGithub
}

/** How an action reaches the service; tests bring another one. */
export type Connect = (action: ActionName, connection: ServiceAddress & Credentials) => Connections

/**
 * Every request names the action and its version.
 *
 * @throws ActionError where the way there is known to be none, before anything is sent.
 */
export const connectOverHttp: Connect = (action, connection) => {
  const service = new URL(connection.baseUrl)
  const status = new URL(connection.statusBaseUrl)
  try {
    for (const address of [service, status]) proxyFor(address)
  } catch (error) {
    throw error instanceof ProxyProblem ? unusableProxy(error) : error
  }
  const userAgent = `run-automation/${version} (${action})`
  return {
    service: new AutomationService(new HttpTransport(userAgent), connection, connection),
    // The status route is what gives the links.
    store: new HttpStore(userAgent, { loopback: isLoopback(status.hostname) }),
    openStorage,
    openChecker,
    loadGithub,
  }
}

export function unusableProxy(problem: ProxyProblem): ActionError {
  return new ActionError(`Nothing was sent, since ${problem.message}.`, {
    ...headingOf('proxy-unusable', {}),
    hint: 'Fix that variable, or name the service in no_proxy if it is reached without a proxy.',
    cause: problem,
  })
}

/** Which service this is about: where it is, and nothing that it is asked with. */
export function logServiceAddress({ baseUrl, statusBaseUrl }: ServiceAddress, { log }: Step): void {
  const status = statusBaseUrl === baseUrl ? '' : `, its status route at ${statusBaseUrl}`
  log.info(`Service ${baseUrl}${status}`)
}
