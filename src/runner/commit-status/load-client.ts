/** Loads GitHub's client at run time: no bundle of an action holds any of it. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Step } from '../step.ts'
import type * as client from './github-client.ts'

export type GithubClient = Pick<typeof client, 'postStatus'>

export async function loadGithubClient({
  bundleFolder,
}: Pick<Step, 'bundleFolder'>): Promise<GithubClient> {
  const file = path.join(bundleFolder, '..', 'commit-status', 'index.js')
  return (await import(/* webpackIgnore: true */ pathToFileURL(file).href)) as GithubClient
}
