import { expect, it } from '@jest/globals'
import { RunFolders } from '../../../../src/actions/batch/run-folders.ts'
import { reportBatchProgress } from '../../../../src/actions/batch/progress.ts'
import { record } from '../../../support/execution-status.ts'
import { recordedStep } from '../recorded-step.ts'

it('a signed link is hidden in all that is said after its status was seen', () => {
  const link = 'https://store.example/log?signature=0123456789abcdef'
  const { step, printed } = recordedStep()
  const folders = new RunFolders('/nowhere', (text) => text)
  using listener = reportBatchProgress(0, { folders, facts: new Map() }, step)
  listener.onStatus(record({ logs_url: link }))
  step.log.info(`fetching ${link}`)

  expect(printed.join('\n')).toBe('fetching ***')
})
