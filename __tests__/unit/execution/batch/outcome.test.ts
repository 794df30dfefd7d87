import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  causeOf,
  conclude,
  isOutOfTime,
  missingOf,
  pathsOf,
} from '../../../../src/execution/batch/outcome.ts'
import { conclusionOf } from '../../../../src/execution/ending.ts'
import { Stop } from '../../../../src/execution/batch/stop.ts'
import { NotSentError } from '../../../../src/service/errors.ts'
import { neverAborts } from '../../../../sandbox/simulation/simulated-clock.ts'
import { finished } from '../../../support/execution-status.ts'
import { connectionRefused, connectionReset, httpError } from '../../../support/failures.ts'

const notStarted = (failure: unknown) => {
  const ending = { kind: 'not-started', status: undefined, failure } as const
  return { ending, conclusion: conclusionOf(ending) }
}
const ended = {
  ending: { kind: 'finished', outcome: 'stopped', status: finished } as const,
  conclusion: 'stopped' as const,
}
const failed = [{ executionId: 'e1', conclusion: 'error' as const }]
const file = (...names: string[]) => ({
  kind: 'file' as const,
  path: path.join('/batch', ...names),
  mediaType: '',
  size: 1,
  unknownEncoding: undefined,
})
const lost = { kind: 'unavailable' as const, why: 'it is gone' }

describe('a run comes to', () => {
  it('what its last execution came to', () => {
    expect(conclude(ended, failed)).toBe('stopped')
  })

  it('what the one before came to, where its last start was not accepted', () => {
    expect(conclude(notStarted(httpError(400)), failed)).toBe('error')
  })

  it.each([
    ['refused', 'the service refused its only start', httpError(400)],
    ['not-started', 'the service refused the credentials', httpError(401)],
    ['not-started', 'the credentials have no right to it', httpError(403)],
    ['not-started', 'it was not reached', connectionRefused()],
    ['not-started', 'the start was not sent', new NotSentError('stopped')],
    ['not-started', 'the service asked to come later', httpError(429)],
    ['not-started', 'the start may have arrived', connectionReset()],
  ])('%s, where %s', (conclusion, _, failure) => {
    expect(conclude(notStarted(failure), [])).toBe(conclusion)
  })
})

describe('a start waited until the time was over', () => {
  const timeUp = new Stop(AbortSignal.abort(), neverAborts)
  const waited = notStarted(new NotSentError('late', { cause: timeUp.signal.reason }))

  it('where it was not sent for that reason', () => {
    expect(isOutOfTime(waited, timeUp)).toBe(true)
  })

  it.each([
    ['it was not sent for another', notStarted(new NotSentError('unreadable')), timeUp],
    ['it was sent', notStarted(connectionRefused()), timeUp],
    ['it was accepted', ended, timeUp],
  ])('but not where %s', (_, report, stop) => {
    expect(isOutOfTime(report, stop)).toBe(false)
  })

  it('but not where the batch had been cancelled', () => {
    const cancelled = new Stop(AbortSignal.abort(), AbortSignal.abort())
    const report = notStarted(new NotSentError('late', { cause: cancelled.signal.reason }))

    expect(isOutOfTime(report, cancelled)).toBe(false)
  })
})

describe('the cause on record is', () => {
  const files = { folder: '/batch', result: lost, log: lost }
  const loud = (text: string) => text.toUpperCase()

  it.each([
    ['that of the log', { ...ended, cause: { text: 'boom' }, files }, 'boom'],
    [
      'why the start failed',
      { ...notStarted(httpError(400)), cause: undefined, files },
      'THE SERVICE ANSWERED 400',
    ],
    [
      'why the result is missing',
      { ...ended, cause: undefined, files },
      'THE RESULT COULD NOT BE FETCHED: IT IS GONE',
    ],
    ['none, where nothing is missing', { ...ended, cause: undefined, files: undefined }, undefined],
  ])('%s', (_, report, cause) => {
    expect(causeOf(report, loud)).toBe(cause)
  })

  it('none of a missing log', () => {
    expect(missingOf({ ...files, result: { kind: 'not-kept' } }, loud)).toBeUndefined()
  })
})

describe('the paths on record', () => {
  it('start from the folder of the batch', () => {
    const files = {
      folder: '/batch',
      result: file('run-1', 'result.csv'),
      log: file('run-1', 'run.log'),
    }

    expect(pathsOf(files, '/batch')).toEqual({
      resultFile: 'run-1/result.csv',
      logFile: 'run-1/run.log',
    })
  })

  it('are none of what was not fetched', () => {
    const none = { resultFile: undefined, logFile: undefined }

    expect(
      pathsOf({ folder: '/batch', result: lost, log: { kind: 'not-kept' } }, '/batch'),
    ).toEqual(none)
    expect(pathsOf(undefined, '/batch')).toEqual(none)
  })
})
