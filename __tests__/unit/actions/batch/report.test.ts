import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { reportBatch } from '../../../../src/actions/batch/report.ts'
import { RunFolders } from '../../../../src/actions/batch/run-folders.ts'
import { batchInputsOf } from '../../../support/batch-inputs.ts'
import { batchReportOf, type GivenRow } from '../../../support/batch-rows.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { recordedStep } from '../recorded-step.ts'

const nothing = () => Promise.resolve()

async function report(cancelled: AbortSignal, run: GivenRow = {}) {
  await using base = await makeTemporaryFolder()
  const runs = path.join(base.path, 'runs')
  await mkdir(runs)
  const { step, outputs, warnings } = recordedStep({ cancelled })
  const folders = new RunFolders(runs, (text) => text)
  const verdict = await reportBatch(
    batchReportOf([run]),
    {
      inputs: await batchInputsOf(),
      folders,
      storage: { upload: () => Promise.reject(new Error('none here')) },
      recorder: { close: nothing, reported: nothing, isOnRecord: true },
    },
    step,
  )
  return { verdict, conclusion: outputs.get('conclusion'), warnings: warnings.join() }
}

it('a batch whose runs all succeeded fails as cancelled if the step was cancelled after them', async () => {
  expect(await report(AbortSignal.abort())).toMatchObject({
    verdict: {
      kind: 'failed',
      notice: { title: 'cities: this step was cancelled (1 succeeded)' },
    },
    conclusion: 'cancelled',
  })
  expect(await report(new AbortController().signal)).toEqual({
    verdict: { kind: 'passed' },
    conclusion: 'success',
    warnings: expect.not.stringContaining('failed'),
  })
})

it.each(['error', 'timed-out'] as const)('a batch whose %s fail-on allows warns', async (end) => {
  const allowed = { conclusion: end, failsStep: false }
  expect(await report(new AbortController().signal, allowed)).toMatchObject({
    verdict: { kind: 'passed' },
    warnings: expect.stringContaining(
      '1 of 1 run did not succeed, and fail-on lets the step pass.',
    ),
  })
})
