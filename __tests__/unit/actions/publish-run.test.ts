/** Tests how a step publishes a run that it has followed: verdict, record, log and outputs. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { publishRun, type RunContext } from '../../../src/actions/publish-run.ts'
import type { End } from '../../../src/execution/report.ts'
import { noRetries } from '../../../src/execution/follow-run.ts'
import { executionUrls } from '../../../src/messages/execution-url.ts'
import { collected, messageOf, reportOf, timedOut } from '../../support/run-report.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { quietPublishing, recordedStep } from './recorded-step.ts'

interface Given {
  publishing?: Partial<RunContext['inputs']['publishing']>
  outputsTaken?: number
  isOnRecord?: boolean
}

/** Publishes a run with this end. Conclusions other than success fail the step. */
async function publishEnd(end: End, { publishing, outputsTaken, isOnRecord = true }: Given = {}) {
  await using folder = await makeTemporaryFolder()
  const { step, printed, outputs } = recordedStep({
    environment: { RUNNER_TEMP: folder.path },
    ...(outputsTaken !== undefined && { outputsTaken }),
  })
  let isReported = false
  const recorder = {
    isOnRecord,
    close: () => Promise.resolve(),
    reported: () => Promise.resolve(void (isReported = true)),
  }
  const failOn = new Set(['error', 'timed-out'] as const)
  const verdict = await publishRun(
    reportOf(end),
    {
      inputs: {
        waiting: { failOn, timeout: 60_000, pollInterval: 5_000 },
        publishing: { ...quietPublishing, ...publishing },
        jobId: undefined,
      },
      retrying: noRetries,
      executionUrlOf: executionUrls(undefined),
      storage: { upload: () => Promise.reject(new Error('not asked for')) },
      recorder,
    },
    step,
  )
  const message = verdict.kind === 'failed' ? messageOf(verdict.notice) : ''
  return { isReported, message, outputs, printed: printed.join('\n') }
}

it.each([true, false])('a re-run is advised if the run is on record: %s', async (isOnRecord) => {
  const { message } = await publishEnd(timedOut(), { isOnRecord })
  expect(message.includes('it takes over this run')).toBe(isOnRecord)
})

it.each([
  ['the outputs', 0],
  ['only the last output', 8],
])('a success is not reported if %s could not be written', async (_, outputsTaken) => {
  const { isReported, message } = await publishEnd(collected(), { outputsTaken })
  expect([isReported, message]).toEqual([false, expect.stringContaining('Not all outputs')])
  expect(await publishEnd(collected())).toMatchObject({ isReported: true, message: '' })
})

describe('the files of an execution', () => {
  async function publishFiles(
    outcome: 'success' | 'error',
    text: string,
    printLog: 'on-failure' | 'never',
  ) {
    await using folder = await makeTemporaryFolder()
    const write = async (name: string) => {
      const file = path.join(folder.path, name)
      await writeFile(file, text)
      return { kind: 'file', path: file, size: text.length, mediaType: 'text/plain' } as const
    }
    const result = await write('result.txt')
    const log = await write('run.log')
    const files = { folder: folder.path, result, log }
    return await publishEnd(collected({ outcome, files }), { publishing: { printLog } })
  }

  it.each([
    ['on-failure', true],
    ['never', false],
  ] as const)('are printed after a failure, or not: print-log: %s', async (printLog, isPrinted) => {
    const { printed } = await publishFiles('error', 'reading row 7\n', printLog)
    expect(printed.includes('reading row 7')).toBe(isPrinted)
  })

  it.each([
    [120 * 1024, 120 * 1024],
    [120 * 1024 + 1, 0],
  ])('lead to the output result if it is small enough: of %d bytes, %d', async (size, length) => {
    const { outputs, printed } = await publishFiles('success', 'x'.repeat(size), 'never')

    expect(outputs.get('result')).toHaveLength(length)
    expect(printed.includes('more than 120 KiB')).toBe(length === 0)
  })
})
