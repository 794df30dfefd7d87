import { join } from 'node:path'
import { repositoryRoot } from './automation-process.ts'

/** The file of each automation, without `.ts`. With `all`, each file is an automation. */
export type AutomationsOf = Record<string, string> | 'all'

export interface SandboxOptions {
  /** Default: any free port. */
  port?: number
  /** The automations of each project. Default: `demo` and `sales`, with all automations. */
  projects?: Record<string, AutomationsOf>
  /** The folder of the automations' files. Default: `sandbox/automations`. */
  automations?: string
  /** True if finished runs have links to their result and log. Default: true. */
  keep?: boolean
  /** The status of an accepted start. 200 and 202 are both documented. Default: 202. */
  startStatus?: 200 | 202
  /** The ids in the answer to a start. With `both`, the status route accepts only `exec_uuid`. */
  startAnswer?: 'execution_id' | 'exec_uuid' | 'both'
  /** PEM texts. If they are set, the sandbox uses https. */
  tls?: { key: string; cert: string }
  /** Returns the current time in milliseconds since the epoch. */
  now?: () => number
}

export type Settings = Required<Omit<SandboxOptions, 'tls'>> & Pick<SandboxOptions, 'tls'>

export function withDefaults(options: SandboxOptions): Settings {
  return {
    port: 0,
    projects: { demo: 'all', sales: 'all' },
    automations: join(repositoryRoot, 'sandbox', 'automations'),
    startStatus: 202,
    startAnswer: 'execution_id',
    keep: true,
    now: Date.now,
    ...options,
  }
}
