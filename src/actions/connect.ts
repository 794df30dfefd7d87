import { AutomationService, type Credentials, type ServiceAddress } from '../service/client.ts'
import { HttpStore, type Store } from '../service/store.ts'
import { HttpTransport } from '../service/transport.ts'
import type { Step } from '../github/step.ts'
import { version } from '../version.ts'

export type ActionName = 'run' | 'start' | 'wait' | 'create-project'

export interface Connections {
  service: AutomationService
  /** Where result and log lie: a client of its own, that never sees the credentials. */
  store: Store
}

/** How an action reaches the service; tests bring another one. */
export type Connect = (action: ActionName, connection: ServiceAddress & Credentials) => Connections

/** Every request names the action and its version. */
export const connectOverHttp: Connect = (action, connection) => {
  const userAgent = `run-automation/${version} (${action})`
  return {
    service: new AutomationService(new HttpTransport(userAgent), connection, connection),
    store: new HttpStore(userAgent),
  }
}

/** Which service this is about: where it is, and nothing that it is asked with. */
export function introduce({ baseUrl, statusBaseUrl }: ServiceAddress, { log }: Step): void {
  const status = statusBaseUrl === baseUrl ? '' : `, its status route at ${statusBaseUrl}`
  log.info(`Service ${baseUrl}${status}`)
}
