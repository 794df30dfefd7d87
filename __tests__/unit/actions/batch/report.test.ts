/** What a step comes to that is ended by the runner after its runs, while it publishes. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { reportBatch } from '../../../../src/actions/batch/report.ts'
import { RunFolders } from '../../../../src/actions/batch/run-folders.ts'
import type { BatchReport } from '../../../../src/execution/batch/batch.ts'
import { batchInputsOf } from '../../../support/batch-inputs.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { recordedStep } from '../recorded-step.ts'

const succeeded: BatchReport = {
  counts: { total: 1, succeeded: 1, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 },
  conclusion: 'success',
  stoppedBy: undefined,
  resumed: 0,
  unreached: 0,
  failing: 0,
  startedOn: new Date(0),
  duration: 1,
  records: [],
}

async function report(cancelled: AbortSignal) {
  await using base = await makeTemporaryFolder()
  const runs = path.join(base.path, 'runs')
  await mkdir(runs)
  const { step, outputs } = recordedStep({ cancelled })
  const folders = new RunFolders(runs, (text) => text)
  const verdict = await reportBatch(
    succeeded,
    {
      inputs: await batchInputsOf(),
      folders,
      facts: new Map(),
      uploader: undefined,
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
