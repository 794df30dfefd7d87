import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { InputError, openInputs } from '../../../../src/runner/inputs/declaration.ts'
import { whyEmpty } from '../../../../src/runner/inputs/environment.ts'
import { waitInputs } from '../../../../src/runner/inputs/read.ts'
import { rejectionOf } from '../../../support/rejection.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const own = { repo: { full_name: 'octo/shop' } }
const fork = { repo: { full_name: 'other/shop' } }
const deleted = { repo: null }

const dependabot = "GitHub gives workflows that Dependabot starts no secrets but Dependabot's own"
const fromFork = 'GitHub gives no secrets to workflows that a pull request from a fork starts'
const missing = 'if it comes from a secret, one of that name may be missing'

async function whyEmptyIn(event: string, payload: object, actor = 'octocat'): Promise<string> {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'event.json')
  await writeFile(file, JSON.stringify(payload))
  return await whyEmpty({ GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: file, GITHUB_ACTOR: actor })
}

describe('why a secret is empty', () => {
  it.each([
    ['pull_request', fork, fromFork],
    ['pull_request_review', fork, fromFork],
    ['pull_request_review_comment', fork, fromFork],
    ['pull_request', deleted, fromFork],
    ['pull_request', own, missing],
    // Events that run with the secrets of the repository, whatever the pull request comes from.
    ['pull_request_target', fork, missing],
    ['my_pull_request', fork, missing],
  ])('after %s from %j', async (event, head, why) => {
    const payload = { sender: { login: 'octocat' }, pull_request: { head, base: own } }

    expect(await whyEmptyIn(event, payload)).toContain(why)
  })

  it.each([
    ['the base has been deleted', { head: own, base: deleted }, fromFork],
    ['the payload names no repository', { head: {}, base: {} }, missing],
    ['the pull request is no object', 'none', missing],
    ['there is no pull request', undefined, missing],
  ])('after pull_request, where %s', async (_when, pullRequest, why) => {
    expect(await whyEmptyIn('pull_request', { pull_request: pullRequest })).toContain(why)
  })

  it.each([
    ['actor', 'dependabot[bot]', 'octocat'],
    ['sender', 'octocat', 'dependabot[bot]'],
  ])('with Dependabot as the %s', async (_role, actor, login) => {
    expect(await whyEmptyIn('push', { sender: { login } }, actor)).toContain(dependabot)
  })

  it('outside of GitHub, where there is no event', async () => {
    expect(await whyEmpty({})).toContain(missing)
  })

  it('where a pipe that nobody writes to stands in the place of the event', async () => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'event.json')
    execFileSync('mkfifo', [file])
    expect(await whyEmpty({ GITHUB_EVENT_PATH: file })).toContain(missing)
  })

  it('is told of secrets without a value, and of no other input', async () => {
    const given = { 'INPUT_API-TOKEN': ' ', 'INPUT_API-KEY': 'two\nlines', 'INPUT_BASE-URL': '' }
    const failure = await rejectionOf(openInputs(waitInputs, given).parse())
    const told = failure instanceof InputError ? failure.problems : []

    expect(told.filter(({ problem }) => problem.includes(missing))).toEqual([
      {
        input: 'api-token',
        problem: expect.stringMatching(/^required, but empty or not given; if it comes/),
      },
    ])
    expect(told.map(({ input }) => input)).toEqual(expect.arrayContaining(['base-url', 'api-key']))
  })
})
