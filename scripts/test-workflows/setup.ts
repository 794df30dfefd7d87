import path from 'node:path'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { cloneCheckout, type Checkout } from './checkout.ts'
import { openGithubSide, type GithubSide } from './github-side.ts'
import type { Chain } from './trial.ts'

/** What all chains share. */
export interface Place {
  act: string
  checkout: Checkout
  interrupted: AbortSignal
}

/** What the trials of a chain share, the checkout among it: some write into it. */
export interface Setup extends Place, AsyncDisposable {
  /** The service that outlives the jobs. */
  sandbox: Sandbox
  github: GithubSide
  /** Where act's artifact server keeps what was uploaded. */
  artifacts: string
  /** Where act's cache server keeps its entries. */
  cache: string
}

/** `name` tells its folders from those of other chains. */
export async function openSetup(place: Place, name: string, chain: Chain): Promise<Setup> {
  await using cleanup = new AsyncDisposableStack()
  const sandbox = cleanup.use(await openSandbox(chain.sandbox))
  const github = cleanup.use(await openGithubSide())
  const kept = cleanup.move()
  const folder = path.join(place.checkout.base, name)
  return {
    ...place,
    sandbox,
    github,
    checkout: cloneCheckout(place.checkout, path.join(folder, 'checkout')),
    artifacts: path.join(folder, 'artifacts'),
    cache: path.join(folder, 'cache'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
