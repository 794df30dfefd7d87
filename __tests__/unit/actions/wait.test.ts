import { expect, it } from '@jest/globals'
import type { Connections } from '../../../src/actions/connections.ts'
import { waitForExecution } from '../../../src/actions/wait.ts'
import { readWaitInputs } from '../../../src/runner/inputs/read-inputs.ts'
import { valuesOf } from '../runner/inputs/problems.ts'
import { running } from '../../support/execution-status.ts'
import { recordedStep } from './recorded-step.ts'

const given = {
  'base-url': 'https://automations.test',
  'api-token': 'token',
  'api-key': 'key',
  'execution-id': 'e-1',
  timeout: '0s',
  'upload-artifact': 'false',
}

it.each([
  [9_000, { finished: 'false', status: expect.stringContaining('"finished":false') }],
  [11_000, { finished: 'false', status: '' }],
])(
  'the only check of `timeout: 0s` has 10 s for its answer, which takes %i ms',
  async (span, end) => {
    const { step, outputs } = recordedStep()
    const executionStatus = async (_id: string, signal: AbortSignal) => {
      await step.clock.sleep(span, signal)
      return running
    }
    const connections = { service: { executionStatus }, openStorage: () => undefined }
    const inputs = await valuesOf(readWaitInputs, given)
    await waitForExecution(inputs, step, () => connections as unknown as Connections)
    expect(Object.fromEntries(outputs)).toMatchObject({ conclusion: 'timed-out', ...end })
  },
)
