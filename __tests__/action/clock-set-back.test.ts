import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

/** A clock that runs backwards, an hour per second, as if it were set back all the time. */
const clockGoesBack = `
  const began = Date.now()
  Date.now = () => Math.round(began - 3_600 * performance.now())`
const preload = `--import=data:text/javascript,${encodeURIComponent(clockGoesBack)}`

it('a clock that is set back makes no duration negative, and ends no wait', async () => {
  await using sandbox = await openSandbox()
  const env = { NODE_OPTIONS: preload }
  await using step = await runAction({
    sandbox,
    automation: 'slow-count',
    seed: { seconds: 1 },
    env,
  })
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
  expect(Number(step.outputs['duration-seconds'])).toBeGreaterThanOrEqual(1)
  expect(step.log).toMatch(/slow-count succeeded after [1-9]/)
})
