/** Tests which step of a later attempt finds an earlier record. `start` saves each id at once. */
import { expect, it } from '@jest/globals'
import { firstLine, openWorkflowRun, type AttemptScenario } from './support/workflow-run.ts'

const base: AttemptScenario = { action: 'start', automation: 'slow-count', seed: { seconds: 60 } }

/** Returns the step `base` with these differences. */
function step({ inputs, env, ...rest }: AttemptScenario = {}): AttemptScenario {
  return { ...base, ...rest, inputs: { ...inputs }, env: { ...env } }
}

const leg = (matrix: unknown) => step({ inputs: { matrix: JSON.stringify(matrix, null, 2) } })

it('a re-run takes nothing over from a step with another rerun-key', async () => {
  await using run = await openWorkflowRun()
  await using earlier = await run.attempt(1, step({ inputs: { 'rerun-key': 'eu' } }))
  await using later = await run.attempt(2, step({ inputs: { 'rerun-key': 'us' } }))
  expect([earlier.exitCode, later.exitCode, run.starts]).toEqual([0, 0, 2])
  expect(firstLine(later)).toContain('No earlier attempt left a record of this step')
})

it('a re-run takes over from the same leg of a matrix', async () => {
  await using run = await openWorkflowRun()
  await using earlier = await run.attempt(1, leg({ region: 'eu' }))
  await using later = await run.attempt(2, leg({ region: 'eu' }))
  const id = earlier.outputs['execution-id']
  expect(later.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
  expect(firstLine(later)).toBe(
    `Execution ${id} of attempt 1 is still running. This step outputs the id of that execution and starts nothing.`,
  )
  expect([later.exitCode, run.starts]).toEqual([0, 1])
})
