/** A local Automation Hosting Service that behaves as it is documented, or as injected faults say. */
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
import { settle, type SandboxOptions } from './options.ts'
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
  /** Every request seen, in the order of arrival. */
  requests: RecordedRequest[]
  executions: readonly Execution[]
  deliveries: WebhookDelivery[]
  faults: PendingFaults<FaultInput>
  /** "Someone stopped the run from the dashboard." Throws if there is no such execution. */
  stop(executionId: string): void
  /**
   * Lets an execution's status answers follow a script, one entry per call, the last one for good.
   * `next` is the next execution to start. A scripted end has real links unless it names its own.
   */
  script(executionId: string, entries: readonly ScriptedStatus[]): void
  /** Ends all runs and connections and removes all files. */
  close(): Promise<void>
}

export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settle(options)
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
