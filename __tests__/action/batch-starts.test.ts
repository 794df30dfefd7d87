import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { linesIn } from './support/batch.ts'
import { annotationsOf, requestsOf, theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runWithClock } from './support/past-timeout.ts'
import { runAction } from './support/run-action.ts'
import { until } from './support/until.ts'

const batchOf = (sandbox: Sandbox, count: number, parallel: number, more = {}) => {
  const seeds = JSON.stringify(Array.from({ length: count }, (_, number) => ({ number })))
  const inputs = { seeds, 'max-parallel': String(parallel), ...more }
  return { sandbox, action: 'batch', inputs } as const
}
const rowsOf = async (file = '') => linesIn(await readFile(file, 'utf8'))

describe('a start that is not accepted', () => {
  it.each([
    ['is followed by a pause, so that an outage does not use up the list', { status: 400 }],
    ['keeps its slot if its run may exist', { status: 504, accepted: true }],
  ])('%s', async (_, answer) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'status', times: 'always', ...answer })
    await using step = await runAction(batchOf(sandbox, 30, 2, { timeout: '2s' }))

    expect(requestsOf(sandbox, 'start').length).toBeLessThanOrEqual(4)
    expect(Number(step.outputs['not-started'])).toBeGreaterThanOrEqual(26)
    // Of runs that may exist, no more were started than may run at once.
    expect(sandbox.executions.length).toBeLessThanOrEqual(2)
  })

  it('while other runs are running advises to lower max-parallel', async () => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 409, body: '2 runs are running' })
    await using step = await runAction(batchOf(sandbox, 2, 2))

    expect(theError(step).message).toContain('Or lower max-parallel')
  })

  it('for 503 and then for its credentials stops the batch', async () => {
    await using sandbox = await openSandbox()
    const headers = { 'retry-after': '0' }
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 503, headers })
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 401, times: 'always' })
    await using step = await runAction(batchOf(sandbox, 3, 1))

    expect([step.exitCode, step.outputs['not-started']]).toEqual([1, '3'])
    expect(requestsOf(sandbox, 'start')).toHaveLength(2)
  })
})

describe('a batch that starts nothing more', () => {
  it('does not wait for the end of a Retry-After', async () => {
    await using sandbox = await openSandbox()
    const headers = { 'retry-after': '3000' }
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 429, headers })
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 401, times: 'always' })
    await using step = await runAction(batchOf(sandbox, 2, 2))

    expect([step.exitCode, step.outputs['not-started']]).toEqual([1, '2'])
  })

  it('waits for the id of a start that was sent', async () => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 400 })
    sandbox.faults.inject({ on: 'start', fault: 'drip', every: 100 })
    await using step = await runAction(batchOf(sandbox, 3, 2, { 'fail-fast': 'true' }))

    const rows = await rowsOf(step.outputs['results-file'])
    const id = sandbox.executions[0]?.id
    expect(sandbox.executions).toHaveLength(1)
    expect(rows).toContainEqual(expect.objectContaining({ execution_id: id }))
    expect(step.outputs).toMatchObject({ succeeded: '1', failed: '1', 'not-started': '1' })
  })
})

it('an execution that another run already has is not the run of a different seed', async () => {
  await using sandbox = await openSandbox()
  const id = await finishRun(sandbox)
  const body = JSON.stringify({ execution_id: id })
  sandbox.faults.inject({ on: 'start', fault: 'status', status: 200, body, times: 2 })
  await using step = await runAction(batchOf(sandbox, 2, 1))

  expect(await rowsOf(step.outputs['results-file'])).toMatchObject([
    { conclusion: 'success', execution_id: id },
    { conclusion: 'unknown', cause: expect.stringContaining(`${id}, which run 1 already has`) },
  ])
})

it('a retry that gets the execution of its first try says so, and names no other run', async () => {
  await using sandbox = await openSandbox()
  const id = await finishRun(sandbox)
  const body = JSON.stringify({ execution_id: id })
  sandbox.faults.inject({ on: 'start', fault: 'status', status: 200, body, times: 2 })
  const ended = { finished: true, error: false, stopped: false, container_error: true }
  const status = JSON.stringify({ exec_uuid: id, ...ended, result_url: null, logs_url: null })
  sandbox.faults.inject({ on: 'status', fault: 'status', status: 200, body: status, times: 2 })
  await using step = await runAction(batchOf(sandbox, 1, 1, { retries: '1' }))

  expect(annotationsOf(step, 'notice')).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('which this run already had') }),
  )
  expect(step.outputs['failed']).toBe('1')
})

it('a long Retry-After to one run does not stop the others', async () => {
  await using sandbox = await openSandbox()
  const headers = { 'retry-after': '7200' }
  sandbox.faults.inject({ on: 'status', fault: 'status', status: 429, headers })
  const scenario = batchOf(sandbox, 4, 2, { timeout: '1h' })
  await using step = await runWithClock(scenario, async ({ running, putForward }) => {
    await until(() => requestsOf(sandbox, 'status').length > 0)
    await putForward(61_000)
    await running.waitForLine(/Run 4 succeeded/)
    await putForward(3_600_000)
  })

  expect([step.exitCode, step.outputs['succeeded']]).toEqual([0, '4'])
})
