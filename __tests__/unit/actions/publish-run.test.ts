/** Tests how a step publishes a run that it has followed: verdict, outputs and messages. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { publishRun, type RunContext } from '../../../src/actions/publish-run.ts'
import { recordEvent } from '../../../src/actions/run-events.ts'
import { failOnConclusions } from '../../../src/execution/conclusion.ts'
import type { Collected, End } from '../../../src/execution/report.ts'
import { linksTo } from '../../../src/messages/run-link.ts'
import { onlyRun, type StepRecord } from '../../../src/runner/record/format.ts'
import { Recorder } from '../../../src/runner/record/recorder.ts'
import type { Step } from '../../../src/runner/step.ts'
import type { DownloadedFile } from '../../../src/download/download.ts'
import {
  collected,
  executionId,
  invalid,
  messageOf,
  noFiles,
  notSent,
  reportOf,
  timedOut,
} from '../../support/run-report.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { quietPublishing, recordedStep } from './recorded-step.ts'

const kept = {
  kind: 'file',
  size: 24,
  mediaType: 'text/plain',
} as const
const lost = { kind: 'unavailable', why: 'the store answered 500' } as const
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
  const earlier = new Map([[onlyRun, { kind: 'start-unknown', attempt: 1 } as const]])
  const record = { attempt: 1, isClosed: true, isReported: false, runs: earlier }
  const recorder = new Recorder({
    attempt: 2,
    onRerun: 'resume',
    carrier: 'run',
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
  recorder.started(onlyRun, executionId)
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
    retries: 0,
    retryOn: new Set(),
    linkOf: linksTo(undefined),
    storage: { upload: () => Promise.reject(new Error('not asked for')) },
    recorder,
  }
  recordEvent({ kind: 'ended', end, isFinal: true }, onlyRun, recorder)
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

const failOnAll = new Set(failOnConclusions)

function endOf(conclusion: (typeof failOnConclusions)[number]): End {
  if (conclusion === 'timed-out') return timedOut()
  if (conclusion === 'invalid-result') return collected({ validation: invalid('no') })
  return collected({ outcome: conclusion })
}

describe('a step', () => {
  it.each(failOnConclusions)('fails for %s only if fail-on names it', async (end) => {
    const { title = '' } = await publishEnd(endOf(end), { failOn: failOnAll })
    const allowed = await publishEnd(endOf(end), { failOn: new Set() })
    expect(title).toMatch(/^daily_report /)
    expect(allowed).toMatchObject({
      title: undefined,
      printed: expect.stringContaining(`${title}, allowed by fail-on (`),
    })
  })

  it.each([true, false])('advises a re-run for a result not validated: %s', async (isOnRecord) => {
    const { message, isReported } = await publishEnd(notValidated, { isOnRecord })
    expect(message.includes('it validates the same result again')).toBe(isOnRecord)
    expect(isReported).toBe(false)
  })

  it('always fails for a result that was not validated', async () => {
    const { title } = await publishEnd(notValidated, { failOn: new Set() })
    expect(title).toBe('The result of daily_report was not validated')
  })

  it('fails for outputs that could not be written, however the run ended', async () => {
    const { title } = await publishEnd(failed, { failOn: new Set(), outputsTaken: 0 })
    expect(title).toMatch(/outputs could not be written/)
  })
})

describe('the end of an execution', () => {
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
    [
      'the result could not be fetched',
      collected({ files: { ...noFiles, result: lost } }),
      {},
      /result is missing/,
    ],
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
    ['the run failed and the outputs could not be written', failed, { outputsTaken: 0 }, /failed/],
    ['the end was not seen', timedOut(), { failOn: new Set(['timed-out']) }, /timed out/],
  ])('does not count as reported if %s', async (_, end, given, title) => {
    expect(await publishEnd(end, given)).toMatchObject({
      isReported: false,
      title: expect.stringMatching(title),
    })
  })

  it.each<[string, DownloadedFile, RegExp]>([
    ['was kept and could not be fetched', lost, /The log could not be fetched/],
    ['was not kept', noFiles.log, /set to keep its log/],
  ])('counts as reported if a log %s', async (_, log, note) => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'result.txt')
    await writeFile(file, 'a,b')
    const files = { folder: folder.path, result: { ...kept, path: file }, log }
    const step = await publishEnd(collected({ files }))

    expect(step).toMatchObject({ isReported: true, title: undefined })
    expect(`${step.warnings.join('\n')}\n${step.printed}`).toMatch(note)
  })
})

it('a result whose file is gone makes the step throw', async () => {
  const result = { ...kept, path: '/gone/result.txt' }
  const end = collected({ files: { ...noFiles, folder: '/gone', result } })
  await expect(publishEnd(end)).rejects.toThrow('ENOENT')
})

describe('a step that is cancelled while it publishes', () => {
  it('is cancelled, however the execution ended', async () => {
    const step = await publishEnd(collected(), { cancelled: AbortSignal.abort() })

    expect(step.title).toBe('daily_report: this step was cancelled')
    expect(step.outputs.get('conclusion')).toBe('cancelled')
  })

  it('and that has started nothing reports that nothing was started', async () => {
    const end = notSent(new Error('refused'))
    const step = await publishEnd(end, { cancelled: AbortSignal.abort() })

    expect(step.title).toBe('daily_report was not started')
    expect(step.outputs.get('conclusion')).toBe('not-started')
  })
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

  it('are printed without secrets: after a success, only the result', async () => {
    const { outputs, printed } = await publishFiles(collected())

    expect(outputs.get('log')).toBe('the log of ***\n')
    expect(printed).toContain('the result of ***')
    expect(printed).not.toMatch(/the log of|s3cr3t/)
  })

  it('are printed without secrets: after a failure, only the log', async () => {
    const { printed } = await publishFiles(failed)

    expect(printed).toContain('the log of ***')
    expect(printed).not.toMatch(/the result of|s3cr3t/)
  })

  it.each<['never' | 'always' | 'on-failure', Collected, boolean]>([
    ['never', failed, false],
    ['always', collected(), true],
    ['on-failure', collected(), false],
    ['on-failure', failed, true],
  ])('are printed as print-log says: %s', async (printLog, end, isShown) => {
    const { printed } = await publishFiles(end, { publishing: { printLog } })

    expect(printed.includes('the log of ***')).toBe(isShown)
  })

  it.each([
    [256 * 1024, 256 * 1024],
    [256 * 1024 + 1, 0],
  ])('lead to the output result if it is small enough: of %d bytes, %d', async (size, handedOn) => {
    const { outputs, printed } = await publishFiles(collected(), {}, 'x'.repeat(size))

    expect(outputs.get('result')).toHaveLength(handedOn)
    expect(printed.includes('more than 256 KiB')).toBe(handedOn === 0)
  })
})
