/** A local Automation Hosting Service. It behaves as documented unless a fault is injected. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLoopbackServer } from '../http/loopback-server.ts'
import { PendingFaults } from '../http/pending-faults.ts'
import type { Service } from './api.ts'
import { sandboxCredentials } from './credentials.ts'
import type { Execution } from './execution.ts'
import { Executions } from './executions.ts'
import type { FaultInput } from './faults.ts'
import { Links } from './links.ts'
import { withDefaults, type SandboxOptions } from './options.ts'
import { Projects } from './projects.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { handle } from './server.ts'
import type { ScriptedStatus } from './status-record.ts'
import { Webhooks, type WebhookDelivery } from './webhooks.ts'

export { sandboxCredentials }
export type { Execution, RecordedRequest, SandboxOptions, WebhookDelivery }

export interface Sandbox extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, or `https:` with `tls`. */
  baseUrl: string
  apiToken: string
  apiKey: string
  /** All received requests, in the order of their arrival. */
  requests: RecordedRequest[]
  executions: readonly Execution[]
  deliveries: WebhookDelivery[]
  faults: PendingFaults<FaultInput>
  /** Stops a run, as a person does in the dashboard. Throws if the execution does not exist. */
  stop(executionId: string): void
  /**
   * Sets the answers to the status checks of an execution. Each check uses one entry, and all later
   * checks use the last entry. The id `next` means the next execution that starts. A scripted end
   * without links gets the real links.
   */
  script(executionId: string, entries: readonly ScriptedStatus[]): void
  /** Ends all runs, closes all connections and removes all files. */
  close(): Promise<void>
}

export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = withDefaults(options)
  const folder = await mkdtemp(join(tmpdir(), 'automation-sandbox-'))
  const links = new Links(settings.now)
  const webhooks = new Webhooks()
  const executions = new Executions(settings, folder, links, webhooks)
  const projects = new Projects(settings)
  const [faults, requests] = [new PendingFaults<FaultInput>(1), []]
  const service: Service = { settings, projects, executions, links, faults, requests }
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  const server = await openLoopbackServer(
    (message, response) => handle(service, message, response),
    settings,
  ).catch(async (error: unknown) => {
    await removeFolder()
    throw error
  })
  links.origin = new URL(server.url).origin
  let closing: Promise<void> | undefined
  const close = async () => {
    await server.close()
    webhooks.close()
    await executions.close()
    await removeFolder()
  }
  return {
    baseUrl: links.origin,
    ...sandboxCredentials,
    requests,
    faults,
    executions: executions.all,
    deliveries: webhooks.deliveries,
    stop: (id) => executions.stop(id),
    script: (id, entries) => executions.script(id, entries),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  }
}
