/** A local Automation Hosting Service that behaves as it is documented, or as injected faults say. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from './api.ts'
import type { Execution } from './execution.ts'
import { Executions } from './executions.ts'
import { Faults } from './faults.ts'
import { Links } from './links.ts'
import { settle, type SandboxOptions, type Settings } from './options.ts'
import { Projects } from './projects.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { listen } from './server.ts'
import type { ScriptedStatus } from './status-record.ts'
import { Webhooks, type WebhookDelivery } from './webhooks.ts'

export { sandboxCredentials, strangerCredentials } from './accounts.ts'
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
  faults: Faults
  /** "Someone stopped the run from the dashboard." Throws when there is no such execution. */
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
  const { links, webhooks, executions, faults, service } = assemble(settings, folder)
  const requests: RecordedRequest[] = []
  const { now, apiToken, apiKey } = settings
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  const server = await listen({ service, faults, requests, now }, settings).catch(
    async (error: unknown) => {
      await removeFolder()
      throw error
    },
  )
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
    apiToken,
    apiKey,
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

function assemble(settings: Settings, folder: string) {
  const links = new Links(settings.now)
  const webhooks = new Webhooks()
  const executions = new Executions(settings, folder, links, webhooks)
  const projects = {
    owner: new Projects(settings),
    stranger: new Projects({ ...settings, projects: {} }),
  }
  const service: Service = { settings, projects, executions, links }
  return { faults: new Faults(), links, webhooks, executions, service }
}
