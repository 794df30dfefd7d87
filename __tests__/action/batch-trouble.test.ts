import { readdir } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { record } from '../support/execution-status.ts'
import { makeAutomations } from './support/automations.ts'
import { cities, seedsOf } from './support/batch.ts'
import { annotationsOf, requestsOf } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { openGatedBatch, warningsOf } from './support/gated-batch.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { runAction } from './support/run-action.ts'
import { until } from './support/until.ts'
import { firstLine } from './support/workflow-run.ts'

const action = 'batch'
const automation = 'cities'

describe('a batch', () => {
  it('says that a retry got the execution of its first try, and names no other run', async () => {
    await using sandbox = await openSandbox()
    const id = await finishRun(sandbox)
    const body = JSON.stringify({ execution_id: id })
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 200, body, times: 2 })
    const status = JSON.stringify(record({ finished: true, container_error: true, exec_uuid: id }))
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 200, body: status, times: 2 })
    const inputs = { seeds: '[{}]', retries: '1' }
    await using step = await runAction({ sandbox, action, inputs })

    expect(annotationsOf(step, 'notice')).toMatchObject([
      { message: expect.stringContaining('which this run already had') },
    ])
    expect(step.outputs['failed']).toBe('1')
  })

  it('never repeats a start that got no clear answer, and warns when it runs again', async () => {
    await using batch = await openGatedBatch(4)
    await batch.openGate()
    const { run } = batch
    run.sandbox.faults.inject({
      on: 'start',
      skip: 1,
      fault: 'reset-before-answer',
      accepted: true,
    })
    await using first = await run.attempt(1, batch.scenario())
    expect([first.exitCode, run.starts, run.sandbox.executions.length]).toEqual([1, 4, 4])
    expect(first.outputs).toMatchObject({ conclusion: 'failure', succeeded: '3', unknown: '1' })
    await using step = await run.attempt(2, batch.scenario())

    expect([step.exitCode, run.starts]).toEqual([0, 5])
    expect(firstLine(step)).toContain('4 runs: 3 succeeded (kept), 1 to start')
    expect(warningsOf(step)).toEqual([
      expect.stringContaining('may or may not have started 1 run:'),
    ])
  })

  it('whose credentials are revoked midway reports every id, and is taken over later', async () => {
    await using batch = await openGatedBatch(4, 2)
    const { run } = batch
    run.sandbox.faults.inject({
      on: 'status',
      skip: 10,
      fault: 'status',
      status: 401,
      times: 'always',
    })
    const areRefused = () => until(() => requestsOf(run.sandbox, 'status').length > 12)
    const scenario = run.scenario(1, batch.scenario())
    await using first = await runPastTimeout(scenario, areRefused, 30_000)
    const ids = run.sandbox.executions.map(({ id }) => id)
    expect(first.exitCode).toBe(1)
    for (const id of ids) expect(first.log).toContain(id)
    run.sandbox.faults.clear()
    await batch.openGate()
    await using step = await run.attempt(2, batch.scenario())

    expect([step.exitCode, run.starts, step.outputs['succeeded']]).toEqual([0, 4, '4'])
  })

  it('with hostile labels writes only into its folder, and prints no commands', async () => {
    const labels = ['../../../x', '/etc/passwd', '::error::no', 'a\n::error::no', 'CON', '.', '']
    const hostile = [...labels, '\u0000', '\u202e', '##[error]no', 'é'.repeat(500), '%0A::error::']
    await using automations = await makeAutomations(cities)
    await using sandbox = await openSandbox({ automations: automations.folder })
    const inputs = { seeds: seedsOf(...hostile), label: 'city' }
    await using step = await runAction({ sandbox, action, automation, inputs })

    expect([step.exitCode, annotationsOf(step, 'error')]).toEqual([0, []])
    expect(step.outputs['succeeded']).toBe(String(hostile.length))
    const folders = await readdir(step.outputs['folder'] ?? '', { withFileTypes: true })
    expect(folders.filter((entry) => entry.isDirectory())).toHaveLength(hostile.length)
  })
})
