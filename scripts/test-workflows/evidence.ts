/** What the recipes must have caused: read from what GitHub's stand-ins and the sandbox saw. */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { GithubApiRequest } from '../../sandbox/runner/github-api.ts'
import { git } from './checkout.ts'
import type { Call } from './github-side.ts'
import type { Setup } from './setup.ts'
import type { CheckResult } from './check-jobs.ts'

export const headOf = ({ checkout }: Setup) => git(checkout.folder, 'rev-parse', 'HEAD').trim()

const dispatchSchema = z.object({ event_type: z.string(), client_payload: z.unknown() })

/** The event that GitHub would make of the receiver's dispatch. */
export function dispatchIn({ github }: Setup): unknown {
  const request = github.api.requests.find(({ route }) => route === 'dispatch')
  if (!request) return undefined
  const { event_type, client_payload } = dispatchSchema.parse(JSON.parse(request.body))
  return { action: event_type, branch: 'main', client_payload }
}

export function deliveryOf({ sandbox }: Setup): CheckResult {
  const answers = sandbox.deliveries.map(({ status, error }) => String(status ?? error)).join(', ')
  return checkThat(
    answers === '202',
    `the service delivered to the receiver, which answered ${answers}`,
  )
}

const statusSchema = z.object({ state: z.string(), context: z.string(), description: z.string() })

export function statusesOf(
  setup: Setup,
  context: string,
  expected: readonly string[],
): CheckResult {
  return checkStatuses(setup.github.api.requests, { context, sha: headOf(setup), states: expected })
}

/** Compares the statuses of a context, in order, with those expected; all on one commit. */
export function checkStatuses(
  requests: readonly GithubApiRequest[],
  { context, sha, states }: { context: string; sha: string; states: readonly string[] },
): CheckResult {
  const own = requests
    .filter(({ route }) => route === 'status')
    .map(({ body, ...request }) => ({ ...request, ...statusSchema.parse(JSON.parse(body)) }))
    .filter((status) => status.context === context)
  const found = own.map((status) =>
    status.sha === sha ? status.state : `${status.state} on another commit`,
  )
  const words = own.map(({ state, description }) => `${state} ("${description}")`).join(', then ')
  const isRight = found.join() === states.join()
  const described = isRight ? words : `${found.join(', ') || 'none'}, not ${states.join(', ')}`
  return checkThat(isRight, `commit status ${context}: ${described}`)
}

/** What the newest `gh workflow run` asked for. */
export async function lastLook({ github }: Setup): Promise<{ inputs: Record<string, string> }> {
  const call = (await github.calls()).findLast(isDispatch)
  if (!call) throw new Error('No workflow has asked for a look: run start-then-look.yml before')
  const fields = [call.options['raw-field'] ?? []].flat()
  return {
    inputs: Object.fromEntries(
      fields.map((field) => [field.split('=', 1)[0] ?? '', field.replace(/^[^=]*=/, '')]),
    ),
  }
}

type GhCall = Extract<Call, { kind: 'gh' }>
const isDispatch = (call: Call): call is GhCall =>
  call.kind === 'gh' && call.command.join(' ') === 'workflow run look-again.yml'

export async function lookAsked(setup: Setup, number: string): Promise<CheckResult> {
  const { look, commit, 'execution-id': id } = (await lastLook(setup)).inputs
  const isKnown = setup.sandbox.executions.some((execution) => execution.id === id)
  const isRight = look === number && commit === headOf(setup) && isKnown
  return checkThat(isRight, `look ${look ?? '?'} was asked for, for commit ${commit ?? '?'}`)
}

export async function commented({ github }: Setup, number: string): Promise<CheckResult> {
  const comment = (await github.calls()).findLast((call) => call.kind === 'uses')
  const { inputs = {}, content = '' } = comment?.kind === 'uses' ? comment : {}
  const isRight = inputs['header'] === 'word-report' && inputs['number'] === number
  return checkThat(
    isRight && content.includes('word-report succeeded'),
    'the summary became a comment',
  )
}

export function checkThat(isRight: boolean, text: string): CheckResult {
  return isRight ? { passed: [text], problems: [] } : { passed: [], problems: [text] }
}

export function together(...results: CheckResult[]): CheckResult {
  return {
    passed: results.flatMap(({ passed }) => passed),
    problems: results.flatMap(({ problems }) => problems),
  }
}

/** @throws Error when it does not come true. */
export async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (isSo()) return
    await delay(50)
  }
  throw new Error(otherwise)
}
