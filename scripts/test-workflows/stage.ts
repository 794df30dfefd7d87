import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import type { Checkout } from './checkout.ts'
import type { GithubSide } from './github-side.ts'

/** What all trials share. */
export interface Stage {
  act: string
  checkout: Checkout
  /** The service that outlives the jobs. */
  sandbox: Sandbox
  github: GithubSide
  interrupted: AbortSignal
}
