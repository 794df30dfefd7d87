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

it('an execution that is gone is warned of with its id, as annotation for the first run alone', () => {
  const { step, printed, warnings } = recordedStep()
  const folders = new RunFolders('/nowhere', (text) => text)
  using listener = reportBatchProgress(0, { folders, facts: new Map() }, step)
  for (const index of [0, 1]) {
    const seed = { index, text: '{}', label: undefined, key: 'k', occurrence: index }
    listener.onStartedAnew(seed, { executionId: `gone-${index + 1}`, conclusion: undefined })
  }

  const words = (run: number) =>
    expect.stringContaining(`Run ${run}: for 30 s the service did not know execution gone-${run}`)
  expect(warnings).toEqual([words(1)])
  expect(printed).toEqual([words(2)])
})
