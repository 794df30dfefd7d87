/** What a step finds in its environment: its inputs' texts, its workspace, the event. */
import path from 'node:path'
import { z } from 'zod/mini'
import { openRegularFile } from '../readable-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** One input's text exactly as the runner hands it over: trimming is each schema's own matter. */
export function readText(environment: Environment, name: string): string | undefined {
  return environment[`INPUT_${name.toUpperCase()}`]
}

/** The folder that relative paths mean: the checkout, where there is one. */
export function workspaceOf(environment: Environment): string {
  return path.resolve(environment['GITHUB_WORKSPACE'] ?? '')
}

const user = z.catch(z.optional(z.object({ login: z.string() })), undefined)
const repository = z.catch(z.nullish(z.object({ full_name: z.string() })), undefined)

/** What an event's payload says about where it came from. */
const payloadSchema = z.object({
  sender: user,
  pull_request: z.catch(
    z.optional(
      z.object({ head: z.object({ repo: repository }), base: z.object({ repo: repository }) }),
    ),
    undefined,
  ),
})

/** Words for a secret that is empty. */
export async function whyEmpty(environment: Environment): Promise<string> {
  const { sender, pull_request: pullRequest } = await readPayload(environment)
  // Events such as pull_request_target and workflow_run do get them.
  const isPullRequest = /^pull_request(?:_review|_review_comment)?$/.test(
    environment['GITHUB_EVENT_NAME'] ?? '',
  )
  if ([environment['GITHUB_ACTOR'], sender?.login].includes('dependabot[bot]')) {
    return "GitHub gives workflows that Dependabot starts no secrets but Dependabot's own: add it to those, or skip this step there (if: github.actor != 'dependabot[bot]')"
  }
  const { head, base } = pullRequest ?? {}
  if (isPullRequest && pullRequest && head?.repo?.full_name !== base?.repo?.full_name) {
    return 'GitHub gives no secrets to workflows that a pull request from a fork starts: skip this step there (if: github.event.pull_request.head.repo.full_name == github.repository)'
  }
  return 'if it comes from a secret, one of that name may be missing: compare the name with those in the settings of the repository, its organization and the environment of this job'
}

async function readPayload(environment: Environment): Promise<z.output<typeof payloadSchema>> {
  try {
    await using file = await openRegularFile(environment['GITHUB_EVENT_PATH'] ?? '')
    const text = await file.readFile('utf8')
    return payloadSchema.parse(JSON.parse(text))
  } catch {
    // Outside of GitHub there is none, and nothing depends on it.
    return {}
  }
}
