/** Which step of a later attempt finds what an earlier one left. `start` saves each id at once. */
import { describe, expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { firstLine, idOf, openWorkflowRun, type AttemptScenario } from './support/workflow-run.ts'

const base: AttemptScenario = { action: 'start', automation: 'slow-count', seed: { seconds: 60 } }

/** The same step, but for this. */
function step({ inputs, env, ...rest }: AttemptScenario = {}): AttemptScenario {
  return { ...base, ...rest, inputs: { ...inputs }, env: { ...env } }
}

const leg = (matrix: unknown) => step({ inputs: { matrix: JSON.stringify(matrix, null, 2) } })
const called = (key: string) => step({ inputs: { 'rerun-key': key } })

describe('a re-run takes nothing over from', () => {
  it.each<[string, AttemptScenario, AttemptScenario]>([
    ['another leg of the matrix', leg({ region: 'eu' }), leg({ region: 'us' })],
    ['another step', step(), step({ env: { GITHUB_ACTION: '__self_2' } })],
    ['another job', step(), step({ env: { GITHUB_JOB: 'publish' } })],
    ['another run of the workflow', step(), step({ env: { GITHUB_RUN_ID: '4201' } })],
    ['another seed', step(), step({ seed: { seconds: 61 } })],
    ['another project', step(), step({ inputs: { project: 'other' } })],
    ['another automation', step(), step({ automation: 'text-note' })],
    ['another call of a reusable workflow, by its rerun-key', called('eu'), called('us')],
  ])('%s', async (_, first, second) => {
    await using run = await openWorkflowRun()
    await using earlier = await run.attempt(1, first)
    expect(earlier.outputs['execution-id']).toBe(idOf(run, 0))
    await using later = await run.attempt(2, second)
    expect(firstLine(later)).toContain('no earlier attempt of this job left a record of this step')
    expect([later.outputs['resumed'] ?? 'false', run.starts]).toEqual(['false', 2])
  })
})

describe('a re-run takes over from', () => {
  it('the same leg of a matrix', async () => {
    await using run = await openWorkflowRun()
    await using earlier = await run.attempt(1, leg({ region: 'eu' }))
    await using later = await run.attempt(2, leg({ region: 'eu' }))
    const id = earlier.outputs['execution-id']
    expect(later.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
  })

  it('the same step each, where a composite action has it twice under one name', async () => {
    await using run = await openWorkflowRun()
    const ids: (string | undefined)[] = []
    for (const attempt of [1, 2]) {
      // The steps of a job share a folder; each attempt has a job, and so a folder, of its own.
      await using job = await makeTemporaryFolder()
      for (let time = 0; time < 2; time++) {
        await using one = await run.attempt(attempt, step({ temp: job.path }))
        ids.push(one.outputs['execution-id'])
      }
    }
    const [first, second] = [idOf(run, 0), idOf(run, 1)]
    expect([ids, run.starts]).toEqual([[first, second, first, second], 2])
  })

  it('its own call of a reusable workflow, with rerun-key', async () => {
    await using run = await openWorkflowRun()
    await using eu = await run.attempt(1, called('eu'))
    await using us = await run.attempt(1, called('us'))
    for (const [key, earlier] of [['eu', eu] as const, ['us', us] as const]) {
      await using later = await run.attempt(2, called(key))
      expect(later.outputs['execution-id']).toBe(earlier.outputs['execution-id'])
    }
  })
})
