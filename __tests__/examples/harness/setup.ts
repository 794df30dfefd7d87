/** The checkout and the services that the trials of a chain share. */
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { openSandbox, type Sandbox } from '../../../sandbox/service/sandbox.ts'
import { cloneCheckout, type Checkout, type ClonedCheckout } from './checkout.ts'
import { openGithubSide, type GithubSide } from './github-side.ts'

/**
 * Shared by the trials of a chain, which run one after the other. Later trials find the runs that
 * earlier trials started. Some trials write into the checkout.
 */
export interface Setup extends AsyncDisposable {
  /** The program act. */
  act: string
  checkout: ClonedCheckout
  /** The service for all jobs of the chain. */
  sandbox: Sandbox
  github: GithubSide
  /** The folder in which act's artifact server keeps uploads. */
  artifacts: string
  /** The folder in which act's cache server keeps its entries. */
  cache: string
}

export async function openSetup(act: string, checkout: Checkout): Promise<Setup> {
  await using cleanup = new AsyncDisposableStack()
  const sandbox = cleanup.use(await openSandbox())
  const github = cleanup.use(await openGithubSide())
  const folder = await mkdtemp(path.join(checkout.base, 'chain-'))
  const kept = cleanup.move()
  return {
    act,
    sandbox,
    github,
    checkout: cloneCheckout(checkout, path.join(folder, 'checkout')),
    artifacts: path.join(folder, 'artifacts'),
    cache: path.join(folder, 'cache'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
