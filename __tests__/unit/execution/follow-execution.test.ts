import { describe, expect, it } from '@jest/globals'
import { NotSentError } from '../../../src/service/errors.ts'
import { connectionRefused } from '../../support/failures.ts'
import { follow, storeWith } from './support/follow-one.ts'

describe('the cause of a failed execution', () => {
  it.each(['error', 'container-error'] as const)('is read from its log after %s', async (ends) => {
    const { report } = await follow({ ends, files: true })

    expect(report.cause).toEqual({ text: 'error: row 7 of hunter2 is empty' })
    expect(report.attempts).toMatchObject([{ conclusion: ends, cause: report.cause }])
  })

  it.each(['success', 'stopped'] as const)('is not looked for after %s', async (ends) => {
    expect((await follow({ ends, files: true })).report.cause).toBeUndefined()
  })

  it('is unknown if the log could not be fetched', async () => {
    const store = { open: () => Promise.reject(new Error('nothing is stored')) }
    const { report } = await follow({ ends: 'error', files: true }, { store })

    expect(report.files?.log.kind).toBe('unavailable')
    expect(report.cause).toBeUndefined()
  })
})

describe('the report of an execution', () => {
  it('has its beginning, its end and the time between them', async () => {
    const { report } = await follow({ takes: 10_000 })

    expect(report.duration).toBe(10_000)
    expect(report.finishedOn.getTime() - report.startedOn.getTime()).toBe(10_000)
  })

  it('has the project, and whether a webhook was given', async () => {
    const webhook = 'https://hook.test/'

    expect((await follow({})).report).toMatchObject({ project: 'demo', webhookGiven: false })
    expect((await follow({}, { request: { webhook } })).report.webhookGiven).toBe(true)
  })

  it('covers a start that is sent again, and the listener is called', async () => {
    const { report, retried } = await follow({}, { troubles: [connectionRefused()] })

    expect(report.conclusion).toBe('success')
    expect(retried).toEqual(['127.0.0.1: connection refused, 1000'])
  })
})

describe('the files of an execution', () => {
  it('are fetched after its end is reported', async () => {
    const { report, ended } = await follow({ takes: 0, files: true })

    expect(ended).toMatchObject([{ conclusion: 'success', files: undefined }])
    expect(report.files).toMatchObject({ result: { kind: 'file' }, log: { kind: 'file' } })
  })

  it('are fetched by fresh links if the first have expired, which counts as no check', async () => {
    const store = storeWith(403, 403)
    const { report, seen } = await follow({ takes: 0, files: true }, { store })

    expect(report.files?.log.kind).toBe('file')
    expect(seen.length).toBeGreaterThan(1)
    expect(report.checks).toBe(1)
  })
})

describe('the checks of an execution', () => {
  it('that were not sent do not count', async () => {
    const troubles = [undefined, undefined, new NotSentError('its turn did not come')]
    const { report } = await follow({ takes: 4_000 }, { troubles })

    expect(report).toMatchObject({ conclusion: 'success', checks: 2 })
  })

  it('that fail count', async () => {
    const troubles = [undefined, undefined, connectionRefused()]
    const { report } = await follow({ takes: 8_000 }, { troubles })

    expect(report).toMatchObject({ conclusion: 'success', checks: 3 })
  })

  it('are as far apart as the shared service demands', async () => {
    const { service } = await follow({ takes: 60_000 }, { minPause: () => 40_000 })

    expect(service.checks.map(({ at }) => at)).toEqual([0, 40_000, 80_000])
  })
})
