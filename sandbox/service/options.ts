import { join } from 'node:path'
import { repositoryRoot } from './automation-process.ts'

/** `all`: each file is an automation of its name. */
export type AutomationsOf = Record<string, string> | 'all'

/** All have defaults: `openSandbox()` gives a service with one project, `demo`. */
export interface SandboxOptions {
  /** Default 0: any free port. */
  port?: number
  /** By project its automations, name to file, without `.ts`. Default: `demo`, with every file of `automations`. */
  projects?: Record<string, AutomationsOf>
  /** Folder of the automations' files. Default: `sandbox/automations`. */
  automations?: string
  /** The plan's limit. Default 5. */
  projectLimit?: number
  /** True if the automations keep result and log. Default: true. */
  keep?: boolean
  /** The status of an accepted start. 200 and 202 are both documented. Default: 202. */
  startStatus?: 200 | 202
  /** The ids in the answer to a start. With `both`, the status route accepts only `exec_uuid`. */
  startAnswer?: 'execution_id' | 'exec_uuid' | 'both'
  /** PEM texts: https instead of http. */
  tls?: { key: string; cert: string }
  /** Milliseconds since the epoch, for links' lifetimes and moments of executions. */
  now?: () => number
}

export type Settings = Required<Omit<SandboxOptions, 'tls'>> & Pick<SandboxOptions, 'tls'>

export function settle(options: SandboxOptions): Settings {
  return {
    port: 0,
    projects: { demo: 'all' },
    automations: join(repositoryRoot, 'sandbox', 'automations'),
    projectLimit: 5,
    startStatus: 202,
    startAnswer: 'execution_id',
    keep: true,
    now: Date.now,
    ...options,
  }
}
