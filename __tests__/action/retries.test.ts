import { describe, expect, it } from '@jest/globals'
import type { RunningStep } from '../../sandbox/runner/runner.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeFlaky } from './support/automations.ts'
import { requestsOf, theError } from './support/facts.ts'
import { runAction, startAction } from './support/run-action.ts'
import { within } from './support/until.ts'
import { describeWithSignals } from './support/with-signals.ts'

const automation = 'flaky'

const idsOf = ({ executions }: Sandbox) => executions.map(({ id }) => id)

describe('an execution that died, with retries,', () => {
  it('is followed by other executions until one succeeds', async () => {
    await using flaky = await makeFlaky({ deaths: 2 })
    await using sandbox = await openSandbox({ automations: flaky.folder })
    const inputs = { retries: '3', 'upload-artifact': 'true' }
    await using step = await runAction({ sandbox, automation, inputs })
    const ids = idsOf(sandbox)
    const [first = '', second = '', third = ''] = ids

    expect([step.exitCode, step.annotations, ids.length]).toEqual([0, [], 3])
    expect(step.outputs).toMatchObject({
      'execution-id': third,
      conclusion: 'success',
      log: 'run 3\n',
      result: '{"runs":3}',
    })
    expect(step.summary).toContain(`<code>${second}</code></td><td>container-error</td>`)
    const record = JSON.parse(String(step.artifacts[0]?.files['execution.json'])) as object
    const died = { conclusion: 'container-error', finished_at: expect.stringMatching(/Z$/) }
    expect(record).toMatchObject({
      execution_id: third,
      executions: [
        { ...died, execution_id: first, cause: 'its log ends with: run 1' },
        { ...died, execution_id: second, cause: 'its log ends with: run 2' },
        { execution_id: third, conclusion: 'success', cause: null },
      ],
    })
  })
})

it('retry-on without retries starts nothing more, and the annotation names retries', async () => {
  await using sandbox = await openSandbox()
  const inputs = { 'retry-on': 'error' }
  await using step = await runAction({ sandbox, automation: 'broken-report', inputs })
  expect(requestsOf(sandbox, 'start')).toHaveLength(1)
  expect(theError(step).message).toMatch(/\nNext: Fix the automation.* Or set the input retries\.$/)
})

describe('a further start', () => {
  it('that may have been accepted: the outcome is unknown, and nothing more is started', async () => {
    await using flaky = await makeFlaky({ deaths: 9 })
    await using sandbox = await openSandbox({ automations: flaky.folder })
    sandbox.faults.inject({ on: 'start', skip: 1, fault: 'half-answer', accepted: true })
    await using step = await runAction({ sandbox, automation, inputs: { retries: '5' } })
    const [first = ''] = idsOf(sandbox)

    expect(step.exitCode).toBe(1)
    expect(step.outputs).toMatchObject({
      conclusion: 'unknown',
      'execution-id': '',
      resumed: 'false',
      cause: expect.stringContaining('got no clear answer'),
    })
    expect(step.outputs).not.toHaveProperty('log-file')
    expect(requestsOf(sandbox, 'start')).toHaveLength(2)
    expect(theError(step).title).toBe('flaky may or may not have started')
    expect(step.summary).toContain(`<code>${first}</code></td><td>container-error</td>`)
  })
})

// The third pause takes at least 2 s, so that a test can act during the pause.
const thirdPause = (step: RunningStep) => step.waitForLine(/Execution 4 \(of at most \d+\) starts /)

describeWithSignals('in the pause before another execution', () => {
  it('a cancellation ends the step, and starts nothing more', async () => {
    await using flaky = await makeFlaky({ deaths: 9 })
    await using sandbox = await openSandbox({ automations: flaky.folder })
    await using running = startAction({ sandbox, automation, inputs: { retries: '9' } })
    await thirdPause(running)
    running.signal('SIGINT')
    const step = await within(running.result)

    expect(step.outputs).toMatchObject({
      conclusion: 'container-error',
      'execution-id': idsOf(sandbox)[2],
    })
    expect(requestsOf(sandbox, 'start')).toHaveLength(3)
    expect(theError(step).message).toMatch(
      /^The container died .*\nThe step was cancelled before it had published the run\.\n.*Execution 4 was not started: the step was cancelled/s,
    )
  })
})
