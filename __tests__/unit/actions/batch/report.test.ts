/** What a step comes to that is ended by the runner after its runs, while it publishes. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { reportBatch } from '../../../../src/actions/batch/report.ts'
import { RunFolders } from '../../../../src/actions/batch/run-folders.ts'
import { batchInputsOf } from '../../../support/batch-inputs.ts'
import { batchReportOf, runRecords } from '../../../support/batch-records.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { recordedStep } from '../recorded-step.ts'

async function report(cancelled: AbortSignal) {
  await using base = await makeTemporaryFolder()
  const runs = path.join(base.path, 'runs')
  await mkdir(runs)
  const { step, outputs } = recordedStep({ cancelled })
  const folders = new RunFolders(runs, (text) => text)
  const verdict = await reportBatch(
    batchReportOf(runRecords([{}])),
    {
      inputs: await batchInputsOf(),
      folders,
      storage: { upload: () => Promise.resolve({ kind: 'unsupported', why: 'none here' }) },
      saveForRerun: () => Promise.resolve(true),
    },
    step,
  )
  return { verdict, conclusion: outputs.get('conclusion') }
}

it('a batch whose runs all succeeded fails as cancelled where the runner ended the step then', async () => {
  expect(await report(AbortSignal.abort())).toMatchObject({
    verdict: { kind: 'failed', annotation: { title: 'cities: this step was cancelled' } },
    conclusion: 'cancelled',
  })
  expect(await report(new AbortController().signal)).toEqual({
    verdict: { kind: 'passed' },
    conclusion: 'success',
  })
})
