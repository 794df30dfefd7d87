import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeCheckout } from './support/checkout.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

describe('wrong inputs', () => {
  it.each<['wait' | 'batch', string]>([
    ['wait', 'unknown'],
    ['batch', 'failure'],
  ])('of %s: its conclusion is %s', async (action, conclusion) => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, action, inputs: { timeout: '10x' } })

    expect([step.exitCode, step.outputs['conclusion'], sandbox.requests]).toEqual([
      1,
      conclusion,
      [],
    ])
  })

  it('are told all at once, each by its name, and nothing is asked of the service', async () => {
    await using sandbox = await openSandbox()
    const inputs = {
      'base-url': 'http://automations.example.com',
      seed: '{\n  "top": 3,\n  "name": oops\n}',
      'seed-file': 'no-such-seed.json',
      'webhook-headers': 'X-Team: data\nno colon here',
      timeout: '10x',
      'fail-on': 'error, eror',
      'retention-days': 'a week',
      summary: 'perhaps',
    }
    await using step = await runAction({ sandbox, inputs })
    const { title, message } = theError(step)
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    expect(step.outputs).toEqual({ conclusion: 'not-started', cause: message.split('\n')[0] })
    expect(title).toBe('Invalid inputs')
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^base-url: .*https/),
      expect.stringMatching(/^seed: .*line 3, column 11/),
      expect.stringMatching(/^seed-file: .*no-such-seed\.json/),
      expect.stringMatching(/^seed-file: given together with seed/),
      expect.stringMatching(/^webhook-headers: .*colon/),
      expect.stringMatching(/^timeout: .*"10x"/),
      expect.stringMatching(/^fail-on: .*"eror"/),
      expect.stringMatching(/^retention-days: /),
      expect.stringMatching(/^summary: /),
      expect.stringMatching(/^Next: Fix the inputs/),
    ])
  })
})

describe('a credential that is empty', () => {
  const repository = (full_name: string) => ({ repo: { full_name } })
  const pullRequest = (from: string) => ({
    pull_request: { head: repository(from), base: repository('owner/repo') },
  })
  const fork = /from a fork .*: skip this step there/
  const missing = /a secret, one of that name may be missing/

  it.each([
    ['a fork', 'pull_request', pullRequest('stranger/repo'), fork],
    ['no readable event', 'push', '', missing],
  ])('of %s is explained', async (_, event, payload, words) => {
    await using sandbox = await openSandbox()
    await using checkout = await makeCheckout({ 'event.json': JSON.stringify(payload) })
    const env = {
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: path.join(checkout.workspace, 'event.json'),
    }
    await using step = await runAction({
      sandbox,
      inputs: { 'api-token': '', 'api-key': ' ' },
      env,
    })
    const [token, key] = theError(step).message.split('\n')
    expect(token).toMatch(/^api-token: required, but empty or not given; /)
    expect(token).toMatch(words)
    expect(key).toBe('api-key: required, but empty or not given, as api-token is')
  })
})

it('create-project says that nothing was created', async () => {
  await using sandbox = await openSandbox()
  await using step = await runAction({ sandbox, action: 'create-project' })
  expect(theError(step).message).toMatch(
    /Next: Fix the inputs of this step; nothing was created\.$/,
  )
})

describe('missing inputs', () => {
  it.each([
    ['.', ['base-url', 'api-token', 'api-key', 'project', 'automation']],
    ['start', ['base-url', 'api-token', 'api-key', 'project', 'automation']],
    ['wait', ['base-url', 'api-token', 'api-key', 'execution-id']],
    ['create-project', ['base-url', 'api-token', 'api-key', 'region', 'docker-version', 'name']],
  ])('of %s are all named', async (action, names) => {
    await using step = await runStep({ action, inputs: {}, artifactService: 'none' })
    const lines = theError(step).message.split('\n')
    expect(step.exitCode).toBe(1)
    expect(lines.slice(0, -1)).toEqual(
      names.map((name) => expect.stringContaining(`${name}: required, but empty or not given`)),
    )
  })
})
