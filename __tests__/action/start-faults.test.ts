import { describe, expect, it } from '@jest/globals'
import type { RunningStep } from '../../sandbox/runner/runner.ts'
import type { FaultInput } from '../../sandbox/service/faults.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { answering, serve } from '../support/http-server.ts'
import { annotationsOf, requestsOf, theError } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { runAction } from './support/run-action.ts'

/** The outputs if no execution id is known. */
const withoutRun = {
  'summary-file': expect.any(String),
  resumed: 'false',
  cause: expect.stringMatching(/^[^\n]+$/),
}

describe('a start that may have been accepted is not sent again', () => {
  // The tests of `classify` and of the client cover the other answers.
  const ambiguous: [string, Omit<FaultInput, 'on'>][] = [
    ['a reset after it was sent', { fault: 'reset-before-answer' }],
    ['500', { fault: 'status', status: 500 }],
    ['no id', { fault: 'missing-flags' }],
  ]

  it.each(ambiguous)('%s', async (_, fault) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', times: 'always', accepted: true, ...fault })
    await using step = await runAction({ sandbox })
    const { title, message } = theError(step)
    expect(step.exitCode).toBe(1)
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    expect(sandbox.executions).toHaveLength(1)
    expect(step.outputs).toEqual({ ...withoutRun, conclusion: 'unknown' })
    expect(title).toBe('text-note may or may not have started')
    expect(message).toMatch(/A run may exist.*\n.*dashboard.*webhook/s)
    expect(step.summary).toContain('may exist')
  })
})

describe('an answer to a start that names an execution', () => {
  const answering = async (status: number, headers = {}) => {
    await using sandbox = await openSandbox()
    const body = JSON.stringify({ message: 'busy with it', execution_id: 'e-7' })
    sandbox.faults.inject({ on: 'start', times: 'always', fault: 'status', status, body, headers })
    await using step = await runAction({ sandbox, action: 'start' })
    return { step, requests: requestsOf(sandbox, 'start') }
  }

  it.each([408, 500, 504])(
    'with %d: the start is accepted, and the log says so',
    async (status) => {
      const { step, requests } = await answering(status)
      expect([step.exitCode, step.outputs['execution-id'], requests.length]).toEqual([0, 'e-7', 1])
      expect(step.log).toContain(`The service answered this start with ${status}, and named the`)
    },
  )

  it.each<[status: number, headers: Record<string, string>, title: string, message: RegExp]>([
    [409, {}, 'was not started', /409 and named execution e-7: busy.*Nothing was started/],
    [401, {}, 'was not started', /401 and named execution e-7: busy.*Nothing was started/],
    [503, {}, 'may or may not have started', /503 and named execution e-7.*A run may exist/],
    [429, { 'retry-after': '0' }, 'may or may not have started', /429 and named execution e-7/],
  ])('with %d %j: the annotation has the id, but no output', async (status, headers, ...said) => {
    const { step, requests } = await answering(status, headers)
    const { title, message } = theError(step)
    expect([step.exitCode, requests.length]).toEqual([1, 1])
    expect(step.outputs['execution-id']).toBeUndefined()
    expect(title).toContain(said[0])
    expect(message).toMatch(said[1])
  })
})

it('an execution that a refusal names is in the cause and in the summary', async () => {
  await using sandbox = await openSandbox()
  const body = JSON.stringify({ message: 'already running', execution_id: 'e-7' })
  sandbox.faults.inject({ on: 'start', fault: 'status', status: 409, body })
  await using step = await runAction({ sandbox })
  const cause =
    'The service answered 409 and named execution e-7: already running. Nothing was started.'
  expect(step.outputs).toEqual({ ...withoutRun, conclusion: 'refused', cause })
  expect(step.summary).toMatch(/409 and named execution e-7: already running/)
})

it('a 500 that names an execution that does not exist: unknown, with the id', async () => {
  await using sandbox = await openSandbox()
  const body = '{"execution_id":12345678901234567890}'
  sandbox.faults.inject({ on: 'start', fault: 'status', status: 500, body })
  const checked = (running: RunningStep) => running.waitForLine(/A check got/)
  await using step = await runPastTimeout({ sandbox }, checked)
  expect(step.outputs).toMatchObject({
    conclusion: 'unknown',
    'execution-id': '12345678901234567890',
  })
})

describe('a start that cannot have been accepted is sent again', () => {
  it.each([
    ['429', { status: 429, headers: { 'retry-after': '0' } }],
    ['503 with Retry-After', { status: 503, headers: { 'Retry-After': '0' } }],
    ['429 without Retry-After', { status: 429 }],
  ])('%s, and the run exists once', async (_, answer) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'status', ...answer })
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(requestsOf(sandbox, 'start')).toHaveLength(2)
    expect(sandbox.executions).toHaveLength(1)
    expect(annotationsOf(step, 'error')).toEqual([])
  })

  it('if no server listens: until the timeout, and then nothing was started', async () => {
    const sandbox = { baseUrl: 'http://127.0.0.1:1', apiToken: 'token-1234', apiKey: 'key-1234' }
    const pausing = (running: RunningStep) => running.waitForLine(/Next try in/)
    await using step = await runPastTimeout({ sandbox }, pausing)
    const { title, message } = theError(step)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'not-started'])
    expect(step.log).toContain('Next try in')
    expect(title).toBe('text-note was not started')
    expect(message).toMatch(/ECONNREFUSED.*\nNext: The service may be restarting/s)
  })
})

describe('a start that is refused', () => {
  it.each([
    [
      '403: project',
      { inputs: { project: 'nope' } },
      /refused project nope .*project does not exist.*Check the names/s,
    ],
    [
      '403: automation',
      { automation: 'nope' },
      /automation nope .*automation does not exist.*Check the names/s,
    ],
  ])('%s: gives the service’s words and a hint', async (_, scenario, words) => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, ...scenario })
    expect(step.outputs).toEqual({ ...withoutRun, conclusion: 'refused' })
    expect([step.exitCode, sandbox.executions]).toEqual([1, []])
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    expect(theError(step).title).toMatch(/ was not started$/)
    expect(theError(step).message).toMatch(words)
  })

  it.each([301, 307, 308])('by a redirect (%s): it is named and not followed', async (status) => {
    await using elsewhere = await serve(answering(200, ''))
    await using sandbox = await openSandbox()
    const location = `${elsewhere.url}/api`
    sandbox.faults.inject({ on: 'start', fault: 'redirect', status, location })
    await using step = await runAction({ sandbox })
    expect(elsewhere.seen).toEqual([])
    expect(theError(step).title).toBe('text-note was not started')
    expect(theError(step).message).toContain(location)
    expect(theError(step).message).toContain('base-url')
  })
})
