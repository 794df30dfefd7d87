import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { requestsOf, theError } from './support/facts.ts'
import { runAction, startAction } from './support/run-action.ts'
import { until, within } from './support/until.ts'
import { describeWithSignals } from './support/with-signals.ts'

const action = 'create-project'
const reports = { region: 'eu-west-1', 'docker-version': '3.12', name: 'reports' }
const skip = { 'if-exists': 'skip' }

describe('create-project', () => {
  it('creates the project once, and outputs the service’s message', async () => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, action, inputs: reports })
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toEqual({
      created: 'true',
      message: 'The deploy was created successfully.',
    })
    expect(sandbox.requests).toHaveLength(1)
    expect(JSON.parse(sandbox.requests[0]?.body ?? '')).toEqual({
      region: 'eu-west-1',
      docker_version: '3.12',
      name: 'reports',
    })
    expect(sandbox.requests[0]?.headers['user-agent']).toMatch(/ \(create-project\)$/)
  })
})

describe('each refusal is reported with the service’s words and a hint', () => {
  it.each([
    ['runtime image', { 'docker-version': '2.7' }, 'This container image is not supported.'],
    ['name taken', { name: 'demo' }, 'A project with the name demo already exists.'],
  ])('%s', async (_, inputs, words) => {
    await using sandbox = await openSandbox()
    const given = { ...reports, ...inputs }
    await using step = await runAction({ sandbox, action, inputs: given })
    expect([step.exitCode, step.outputs['created']]).toEqual([1, 'false'])
    expect(theError(step).message).toContain(words)
    expect(theError(step).message).toMatch(/\nNext: (Check region, docker-version|Choose another)/)
    expect(requestsOf(sandbox, 'create-project')).toHaveLength(1)
  })
})

describe('if-exists: skip', () => {
  it('passes when a project with that name already exists', async () => {
    await using sandbox = await openSandbox()
    const inputs = { ...reports, name: 'demo', ...skip }
    await using step = await runAction({ sandbox, action, inputs })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs).toEqual({
      created: 'false',
      message: 'A project with the name demo already exists.',
    })
  })

  it('passes for nothing else', async () => {
    await using sandbox = await openSandbox()
    const body = '{"message":"The name reports is not allowed."}'
    sandbox.faults.inject({ on: 'create-project', fault: 'status', status: 400, body })
    await using step = await runAction({ sandbox, action, inputs: { ...reports, ...skip } })
    expect(step.exitCode).toBe(1)
    expect(step.outputs['created']).not.toBe('true')
    expect(theError(step).title).toMatch(/^Project reports (was not created|may or may not)/)
  })
})

describe('a creation that may have happened is not sent again', () => {
  it('after a web page', async () => {
    await using sandbox = await openSandbox()
    const page = { fault: 'html', times: 'always', accepted: true } as const
    sandbox.faults.inject({ on: 'create-project', ...page })
    await using step = await runAction({ sandbox, action, inputs: reports })
    expect([step.exitCode, step.outputs]).toEqual([1, {}])
    expect(requestsOf(sandbox, 'create-project')).toHaveLength(1)
    expect(theError(step).title).toBe('Project reports may or may not have been created')
  })

  it('but after 429 the request is sent again, because nothing was created', async () => {
    await using sandbox = await openSandbox()
    const answer = { status: 429, headers: { 'retry-after': '0' } }
    sandbox.faults.inject({ on: 'create-project', fault: 'status', ...answer })
    await using step = await runAction({ sandbox, action, inputs: reports })
    expect([step.exitCode, step.outputs['created']]).toEqual([0, 'true'])
    expect(requestsOf(sandbox, 'create-project')).toHaveLength(2)
  })
})

describeWithSignals('a creation in flight at SIGINT', () => {
  it.each([
    ['created', reports, 'true'],
    ['found (if-exists: skip)', { ...reports, ...skip, name: 'demo' }, 'false'],
  ])('ends red, although the project was %s', async (_, inputs, created) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'create-project', fault: 'drip', every: 20 })
    await using running = startAction({ sandbox, action, inputs })
    await until(() => requestsOf(sandbox, 'create-project').length > 0)
    running.signal('SIGINT')
    await using step = await within(running.result)
    expect([step.exitCode, step.outputs['created']]).toEqual([1, created])
    expect(theError(step).title).toBe(`Project ${inputs.name}: this step was cancelled`)
  })
})
