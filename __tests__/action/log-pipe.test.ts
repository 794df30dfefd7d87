/** Tests steps whose log is read late, or not to its end. */
import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { lingering } from '../../src/runner/step.ts'
import { theError } from './support/facts.ts'
import { startBody } from './support/one-step.ts'
import { startAction } from './support/run-action.ts'
import { describeWithSignals } from './support/with-signals.ts'

it('a step follows its run to the end, although nobody reads its log any more', async () => {
  await using sandbox = await openSandbox()
  await using running = startAction({ sandbox })
  await running.waitForLine(/Started as execution/)
  running.closeLog()
  const step = await running.result
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
})

it('a step ends when its whole log was read, so that a late reader gets the annotation', async () => {
  await using running = await startBody(`
    const wait = setTimeout
    globalThis.setTimeout = (end, span) => wait(end, span === ${lingering} ? 0 : span)
    step.log.untrustedBlock('Log', 'row\\n'.repeat(200_000))
    throw new TypeError('the last words')`)
  const step = await running.result
  expect(theError(step).message).toContain('the last words')
  expect(step.stdout).toContain('::endgroup::')
})

describeWithSignals('a cancelled step', () => {
  it('does not wait for a late reader, because the runner would kill it', async () => {
    await using running = await startBody(`
    const wait = setTimeout
    globalThis.setTimeout = (end, span) => {
      if (span > ${lingering}) step.log.info('a long wait')
      return wait(end, span)
    }
    process.kill(process.pid, 'SIGINT')
    await step.clock.sleep(60_000, step.cancelled)`)
    const step = await running.result
    expect(theError(step).title).toBe('The step was cancelled')
    expect(step.stdout).not.toContain('a long wait')
  })
})
