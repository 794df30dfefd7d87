/** Opens the clients of an action: the service, the store, and GitHub. */
import { systemClock } from '../clock.ts'
import { ActionError } from '../messages/notice.ts'
import { headingOf } from '../messages/catalogue.ts'
import { isLoopback } from '../service/addresses.ts'
import { AutomationService, type ServiceAddress } from '../service/client.ts'
import { namedProxy, ProxyProblem } from '../service/proxy.ts'
import { HttpStore, maxStall, type Store } from '../download/store.ts'
import { HttpTransport } from '../service/transport.ts'
import { openStatusesAs, type OpenStatuses } from '../runner/commit-status.ts'
import type { Connection } from '../runner/inputs/action-inputs.ts'
import { openStorage, type Storage } from '../runner/storage/step-storage.ts'
import type { Step } from '../runner/step.ts'
import { version } from '../version.ts'

export type ActionName = 'run' | 'start' | 'wait' | 'batch' | 'create-project'

export interface Connections {
  service: AutomationService
  /** The client that downloads result and log. It never sends the service's credentials. */
  store: Store
  /** Opens the storage for the artifact and for the record that a re-run reads. */
  openStorage: (step: Step) => Storage
  openStatuses: OpenStatuses
}

/** Returns the connections of an action. Tests replace this function. */
export type Connect = (action: ActionName, connection: Connection) => Connections

/**
 * Returns connections over HTTP. Each request names the action and its version.
 *
 * @throws ActionError if the proxy that the environment names cannot be used.
 */
export const connectOverHttp: Connect = (action, connection) => {
  const status = new URL(connection.statusBaseUrl)
  try {
    // GitHub's clients use the same variable, and their errors may show a piece of its value.
    namedProxy()
  } catch (error) {
    throw error instanceof ProxyProblem ? unusableProxy(error) : error
  }
  const userAgent = userAgentOf(action)
  const transport = new HttpTransport(userAgent, systemClock)
  return {
    service: new AutomationService(transport, connection),
    // A link may lead to a loopback host only if the service's status URL is on a loopback host.
    store: new HttpStore(userAgent, maxStall, isLoopback(status.hostname)),
    openStorage,
    openStatuses: openStatusesAs(userAgent),
  }
}

/** Returns the value of `User-Agent` in all requests of an action. */
export const userAgentOf = (action: ActionName) => `run-automation/${version} (${action})`

export function unusableProxy(problem: ProxyProblem): ActionError {
  return new ActionError(`Nothing was sent, because ${problem.message}.`, {
    ...headingOf('proxy-unusable', {}),
    hint: 'Fix that variable, or remove it if this runner needs no proxy.',
    cause: problem,
  })
}

export function logServiceAddress({ baseUrl, statusBaseUrl }: ServiceAddress, { log }: Step): void {
  const status = statusBaseUrl === baseUrl ? '' : `, its status route at ${statusBaseUrl}`
  log.info(`Service ${baseUrl}${status}`)
}
