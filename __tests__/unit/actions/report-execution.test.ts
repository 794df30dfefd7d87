/** Tests how a step reports an execution that it has followed: verdict and messages. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { reportExecution, type ReportOptions } from '../../../src/actions/report-execution.ts'
import { failOnConclusions } from '../../../src/execution/conclusion.ts'
import type { ExecutionReport } from '../../../src/execution/execution-report.ts'
import { linksTo } from '../../../src/messages/run-link.ts'
import { finished, running } from '../../support/execution-status.ts'
import type { DownloadedFile } from '../../../src/download/download.ts'
import { reportOf } from '../../support/execution-report.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { recordedStep } from './recorded-step.ts'

const kept = {
  kind: 'file',
  size: 24,
  mediaType: 'text/plain',
} as const
const notKept = { kind: 'not-kept' } as const
const lost = { kind: 'unavailable', why: 'the store answered 500' } as const
const timedOut: Partial<ExecutionReport> = {
  conclusion: 'timed-out',
  ending: { kind: 'timed-out', status: running, failure: undefined, failedChecks: 0 },
}
const failed: Partial<ExecutionReport> = {
  conclusion: 'error',
  ending: { kind: 'finished', outcome: 'error', status: running },
}

const notValidated: Partial<ExecutionReport> = {
  conclusion: 'unknown',
  ending: { kind: 'finished', outcome: 'success', status: finished },
  notValidated: 'this did not finish in 20 s',
}

interface Given {
  publishing?: Partial<ReportOptions['publishing']>
  cancelled?: AbortSignal
  outputsTaken?: number
  failOn?: ReportOptions['waiting']['failOn']
  isOnRecord?: boolean
}

async function report(facts: Partial<ExecutionReport>, given: Given = {}) {
  const { publishing, cancelled, outputsTaken = Infinity, failOn = new Set(['error']) } = given
  await using folder = await makeTemporaryFolder()
  const { step, printed, warnings, outputs } = recordedStep({
    environment: { RUNNER_TEMP: folder.path, GITHUB_WORKSPACE: tmpdir() },
    secret: 's3cr3t-token',
    outputsTaken,
    ...(cancelled && { cancelled }),
  })
  step.outputs.set('conclusion', facts.conclusion ?? 'success')
  const shown = {
    artifactName: undefined,
    retentionDays: undefined,
    printResult: true,
    printLog: 'on-failure',
    summary: false,
  } as const
  const options: ReportOptions = {
    waiting: { failOn, timeout: 60_000 },
    retries: 0,
    retryOn: new Set(),
    linkOf: linksTo(undefined),
    jobId: undefined,
    storage: { upload: () => Promise.reject(new Error('not asked for')) },
    saveForRerun: () => Promise.resolve(given.isOnRecord === true),
    publishing: { uploadArtifact: false, ...shown, ...publishing },
  }
  const followed = reportOf(facts)
  const { verdict, isReported } = await reportExecution(followed, options, step)
  const { title, message = '' } = verdict.kind === 'failed' ? verdict.annotation : {}
  return { isReported, title, message, outputs, warnings, printed: printed.join('\n') }
}

const failOnAll = new Set(failOnConclusions)

describe('a step', () => {
  it.each(failOnConclusions)('fails for %s only if fail-on names it', async (end) => {
    const facts: Partial<ExecutionReport> =
      end === 'timed-out'
        ? timedOut
        : { conclusion: end, ending: { kind: 'finished', outcome: end, status: running } }

    const { title = '' } = await report(facts, { failOn: failOnAll })
    const allowed = await report(facts, { failOn: new Set() })
    expect(title).toMatch(/^daily_report /)
    expect(allowed).toMatchObject({
      title: undefined,
      printed: expect.stringContaining(`${title}, allowed by fail-on (`),
    })
  })

  it.each([true, false])('advises a re-run for a result not validated: %s', async (isOnRecord) => {
    const { message, isReported } = await report(notValidated, { isOnRecord })
    expect(message.includes('it validates the same result again')).toBe(isOnRecord)
    expect(isReported).toBe(false)
  })

  it('always fails for a result that was not validated', async () => {
    const { title } = await report(notValidated, { failOn: new Set() })
    expect(title).toBe('The result of daily_report was not validated')
  })

  it('fails for outputs that could not be written, however the run ended', async () => {
    const { title } = await report(failed, { failOn: new Set(), outputsTaken: 0 })
    expect(title).toMatch(/outputs could not be written/)
  })
})

describe('the end of an execution', () => {
  it('counts as reported if everything was published, whether the step passes or not', async () => {
    expect(await report({})).toMatchObject({ isReported: true, title: undefined })
    expect(await report(failed)).toMatchObject({ isReported: true, title: 'daily_report failed' })
    const allowed = await report(failed, { failOn: new Set() })
    expect(allowed).toMatchObject({ isReported: true, title: undefined })
  })

  it.each<[string, Partial<ExecutionReport>, Given, RegExp]>([
    ['the step was cancelled', {}, { cancelled: AbortSignal.abort() }, /was cancelled/],
    [
      'the result could not be fetched',
      { files: { folder: undefined, result: lost, log: notKept } },
      {},
      /result is missing/,
    ],
    ['the outputs could not be written', {}, { outputsTaken: 0 }, /outputs could not be written/],
    ['the run failed and the outputs could not be written', failed, { outputsTaken: 0 }, /failed/],
    ['the end was not seen', timedOut, { failOn: new Set(['timed-out']) }, /timed out/],
  ])('does not count as reported if %s', async (_, facts, given, title) => {
    expect(await report(facts, given)).toMatchObject({
      isReported: false,
      title: expect.stringMatching(title),
    })
  })

  it.each<[string, DownloadedFile, RegExp]>([
    ['was kept and could not be fetched', lost, /The log could not be fetched/],
    ['was not kept', notKept, /set to keep its log/],
  ])('counts as reported if a log %s', async (_, log, note) => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'result.txt')
    await writeFile(file, 'a,b')
    const files = { folder: folder.path, result: { ...kept, path: file }, log }
    const step = await report({ files })

    expect(step).toMatchObject({ isReported: true, title: undefined })
    expect(`${step.warnings.join('\n')}\n${step.printed}`).toMatch(note)
  })
})

it('a result whose file is gone makes the step throw', async () => {
  const result = { ...kept, path: '/gone/result.txt' }
  await expect(report({ files: { folder: '/gone', result, log: notKept } })).rejects.toThrow(
    'ENOENT',
  )
})

describe('a step that is cancelled while it publishes', () => {
  it('is cancelled, however the execution ended', async () => {
    const step = await report({}, { cancelled: AbortSignal.abort() })

    expect(step.title).toBe('daily_report: this step was cancelled')
    expect(step.outputs.get('conclusion')).toBe('cancelled')
  })

  it('and that has started nothing reports that nothing was started', async () => {
    const step = await report(
      {
        executionId: undefined,
        conclusion: 'not-started',
        ending: { kind: 'not-started', status: undefined, failure: new Error('refused') },
      },
      { cancelled: AbortSignal.abort() },
    )

    expect(step.title).toBe('daily_report was not started')
    expect(step.outputs.get('conclusion')).toBe('not-started')
  })
})

describe('the files of an execution', () => {
  async function reportLeft(
    facts: Partial<ExecutionReport>,
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
    return await report({ files: { folder: folder.path, result, log }, ...facts }, given)
  }

  it('are printed without secrets: after a success, only the result', async () => {
    const { outputs, printed } = await reportLeft({})

    expect(outputs.get('log')).toBe('the log of ***\n')
    expect(printed).toContain('the result of ***')
    expect(printed).not.toMatch(/the log of|s3cr3t/)
  })

  it('are printed without secrets: after a failure, only the log', async () => {
    const { printed } = await reportLeft(failed)

    expect(printed).toContain('the log of ***')
    expect(printed).not.toMatch(/the result of|s3cr3t/)
  })

  it.each<['never' | 'always' | 'on-failure', Partial<ExecutionReport>, boolean]>([
    ['never', failed, false],
    ['always', {}, true],
    ['on-failure', {}, false],
    ['on-failure', failed, true],
  ])('are printed as print-log says: %s', async (printLog, facts, isShown) => {
    const { printed } = await reportLeft(facts, { publishing: { printLog } })

    expect(printed.includes('the log of ***')).toBe(isShown)
  })

  it.each([
    [256 * 1024, 256 * 1024],
    [256 * 1024 + 1, 0],
  ])('lead to the output result if it is small enough: of %d bytes, %d', async (size, handedOn) => {
    const { outputs, printed } = await reportLeft({}, {}, 'x'.repeat(size))

    expect(outputs.get('result')).toHaveLength(handedOn)
    expect(printed.includes('more than 256 KiB')).toBe(handedOn === 0)
  })
})
