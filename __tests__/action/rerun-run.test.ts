/** Tests that the table of re-runs is used. `unit/execution/rerun` tests every row of it. */
import { expect, it } from '@jest/globals'
import { firstLine, openCutOff, record, recordsIn } from './support/workflow-run.ts'

const succeeded = { finished: true }

it('a run that is still running is taken over', async () => {
  await using earlier = await openCutOff({}, {}, succeeded)
  const { run, id } = earlier
  const inputs = { 'dashboard-url': 'https://dashboard.example/{execution-id}' }
  await using step = await run.attempt(2, { inputs })
  expect(firstLine(step)).toBe(
    `Execution ${id} of attempt 1 is still running. This step takes it over and starts nothing.`,
  )
  expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true', conclusion: 'success' })
  expect(step.outputs['result']).toContain('All 12 feeds')
  expect([step.exitCode, run.starts]).toEqual([0, 1])
  expect(step.outputs['execution-url']).toBe(`https://dashboard.example/${id}`)
  expect(step.log.split('\n')).toContain(`Run: https://dashboard.example/${id}`)
  const ends = ['started', 'reported-success']
  expect(recordsIn(run.cache)).toEqual(ends.map((end) => record(1, id, end)))
})
