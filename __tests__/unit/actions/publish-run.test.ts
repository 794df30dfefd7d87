/** Tests how a step publishes a run that it has followed: verdict, outputs and messages. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { publishRun, type RunContext } from '../../../src/actions/publish-run.ts'
import { recordEvent } from '../../../src/actions/run-events.ts'
import type { Collected, End } from '../../../src/execution/report.ts'
import { noRetries } from '../../../src/execution/follow-run.ts'
import { linksTo } from '../../../src/messages/run-link.ts'
import { nameOfOnlyRun, type StepRecord } from '../../../src/runner/record/record.ts'
import { Recorder } from '../../../src/runner/record/recorder.ts'
import type { Step } from '../../../src/runner/step.ts'
import {
  collected,
  executionId,
  messageOf,
  noFiles,
  reportOf,
  timedOut,
} from '../../support/run-report.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { quietPublishing, recordedStep } from './recorded-step.ts'
import { neverAborts } from '../../../sandbox/simulation/simulated-clock.ts'

const kept = {
  kind: 'file',
  size: 24,
  mediaType: 'text/plain',
} as const
const failed = collected({ outcome: 'error' })
const notValidated = collected({
  validation: { kind: 'not-made', why: 'this did not finish in 20 s' },
})

interface Given {
  publishing?: Partial<RunContext['inputs']['publishing']>
  cancelled?: AbortSignal
  outputsTaken?: number
  failOn?: RunContext['inputs']['waiting']['failOn']
  isOnRecord?: boolean
}

/** Returns the recorder of a second attempt that has started a run. It saves each end. */
async function openRecorder(
  saved: StepRecord[],
  isSaved: boolean,
  { clock }: Pick<Step, 'clock'>,
): Promise<Recorder> {
  const earlier = new Map([[nameOfOnlyRun, { kind: 'unclear', attempt: 1 } as const]])
  const record = { attempt: 1, isClosed: true, isReported: false, runs: earlier }
  const recorder = new Recorder({
    attempt: 2,
    onRerun: 'resume',
    carrier: 'run',
    cancelled: neverAborts,
    clock,
    prepare: () => undefined,
    store: {
      find: () => Promise.resolve({ kind: 'found', record }),
      save: (record) => {
        saved.push(record)
        return Promise.resolve({ isSaved })
      },
    },
  })
  await recorder.read()
  recorder.started(nameOfOnlyRun, executionId)
  return recorder
}

/** Publishes a run with this end. */
async function publishEnd(end: End, given: Given = {}) {
  const { publishing, cancelled, outputsTaken = Infinity, failOn = new Set(['error']) } = given
  await using folder = await makeTemporaryFolder()
  const { step, printed, warnings, outputs } = recordedStep({
    environment: { RUNNER_TEMP: folder.path, GITHUB_WORKSPACE: tmpdir() },
    secret: 's3cr3t-token',
    outputsTaken,
    ...(cancelled && { cancelled }),
  })
  const saved: StepRecord[] = []
  const recorder = await openRecorder(saved, given.isOnRecord !== false, step)
  const shown = { printResult: true, printLog: 'on-failure' } as const
  const context: RunContext = {
    inputs: {
      waiting: { failOn, timeout: 60_000, pollInterval: 5_000 },
      publishing: { ...quietPublishing, ...shown, ...publishing },
      jobId: undefined,
    },
    retrying: noRetries,
    linkOf: linksTo(undefined),
    storage: { upload: () => Promise.reject(new Error('not asked for')) },
    recorder,
  }
  const kind = 'ended'
  const isRetryDue = false
  if (end.kind === 'collected')
    recordEvent({ kind: end.kind, end, isRetryDue }, nameOfOnlyRun, recorder)
  else recordEvent({ kind, end, isRetryDue }, nameOfOnlyRun, recorder)
  const verdict = await publishRun(reportOf(end), context, step)
  const isReported = saved.at(-1)?.isReported === true
  const notice = verdict.kind === 'failed' ? verdict.notice : undefined
  const message = notice ? messageOf(notice) : ''
  return {
    isReported,
    title: notice?.title,
    message,
    outputs,
    warnings,
    printed: printed.join('\n'),
  }
}

describe('a step', () => {
  it.each([true, false])('advises a re-run if its run is on record: %s', async (isOnRecord) => {
    const { message } = await publishEnd(timedOut(), { isOnRecord, failOn: new Set(['timed-out']) })
    expect(message.includes('it takes over this run')).toBe(isOnRecord)
  })
})

describe('the end of an execution', () => {
  const lost = collected({
    files: { ...noFiles, result: { kind: 'unavailable', why: 'the link failed' } },
  })

  it('counts as reported if everything was published, whether the step passes or not', async () => {
    expect(await publishEnd(collected())).toMatchObject({ isReported: true, title: undefined })
    expect(await publishEnd(failed)).toMatchObject({
      isReported: true,
      title: 'daily_report failed',
    })
    const allowed = await publishEnd(failed, { failOn: new Set() })
    expect(allowed).toMatchObject({ isReported: true, title: undefined })
  })

  it.each<[string, End, Given, RegExp]>([
    ['the step was cancelled', collected(), { cancelled: AbortSignal.abort() }, /was cancelled/],
    ['the result was lost', lost, {}, /its result is missing/],
    ['the result was not validated', notValidated, {}, /was not validated/],
    [
      'the outputs could not be written',
      collected(),
      { outputsTaken: 0 },
      /outputs could not be written/,
    ],
    [
      'only the last output could not be written',
      collected(),
      { outputsTaken: 8 },
      /outputs could not be written/,
    ],
  ])('does not count as reported if %s', async (_, end, given, title) => {
    expect(await publishEnd(end, given)).toMatchObject({
      isReported: false,
      title: expect.stringMatching(title),
    })
  })
})

it('a result whose file is gone makes the step throw', async () => {
  const result = { ...kept, path: '/gone/result.txt' }
  const end = collected({ files: { ...noFiles, folder: '/gone', result } })
  await expect(publishEnd(end)).rejects.toThrow('ENOENT')
})

describe('the files of an execution', () => {
  async function publishFiles(
    end: Collected,
    given: Given = {},
    text = 'the result of s3cr3t-token\n',
  ) {
    await using folder = await makeTemporaryFolder()
    const write = async (name: string, text: string) => {
      const file = path.join(folder.path, name)
      await writeFile(file, text)
      return { ...kept, path: file }
    }
    const result = await write('result.txt', text)
    const log = await write('run.log', 'the log of s3cr3t-token\n')
    return await publishEnd({ ...end, files: { folder: folder.path, result, log } }, given)
  }

  it('are not printed if print-log is never', async () => {
    const { printed } = await publishFiles(failed, { publishing: { printLog: 'never' } })

    expect(printed).not.toContain('the log of')
  })

  it.each([
    [120 * 1024, 120 * 1024],
    [120 * 1024 + 1, 0],
  ])('lead to the output result if it is small enough: of %d bytes, %d', async (size, handedOn) => {
    const { outputs, printed } = await publishFiles(collected(), {}, 'x'.repeat(size))

    expect(outputs.get('result')).toHaveLength(handedOn)
    expect(printed.includes('more than 120 KiB')).toBe(handedOn === 0)
  })
})
