import { describe, expect, it } from '@jest/globals'
import { openMemory } from '../../../../src/runner/memory/memory.ts'
import { type EarlierExecution, keyOf, recordPrefix } from '../../../../src/runner/memory/record.ts'
import type { FindReport, SaveReport } from '../../../../src/runner/storage/cache-client.ts'
import type { Answer } from '../../../../src/runner/storage/step-storage.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

const identity = '0123456789abcdef'
const prefix = recordPrefix('4200', identity)
const started = (executionId: string): EarlierExecution => ({
  kind: 'started',
  attempt: 1,
  executionId,
})
const keyFor = (record: EarlierExecution) => keyOf(prefix, record) ?? ''
const report = <Report>(value: Report): Answer<Report> => ({ kind: 'report', report: value })

/** Answers once the signal aborts, as a client that hangs. */
const hanging = (signal: AbortSignal, lastLine?: string) =>
  new Promise<Answer<never>>((resolve) => {
    const giveUp = () => resolve({ kind: 'given-up', lastLine })
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
  })

type Find = (prefix: string, signal: AbortSignal) => Promise<Answer<FindReport>>
type Save = (key: string, signal: AbortSignal) => Promise<Answer<SaveReport>>

interface Scene {
  find?: Find
  save?: Save
  cancelled?: AbortSignal
  environment?: Record<string, string>
}

function open({ find, save, cancelled, environment = { GITHUB_RUN_ID: '4200' } }: Scene) {
  const clock = new SimulatedClock()
  const lines: string[] = []
  const saved: string[] = []
  const secrets = new Secrets(() => undefined)
  const memory = openMemory({
    environment,
    identity,
    clock,
    secrets,
    storage: {
      find: find ?? (() => Promise.resolve(report({ kind: 'none' }))),
      save: async (key, signal) => {
        const answer = (await save?.(key, signal)) ?? report({ kind: 'saved' })
        if (answer.kind === 'report' && answer.report.kind === 'saved') saved.push(key)
        return answer
      },
    },
    log: { info: (line) => lines.push(line), debug: () => undefined },
    cancelled: cancelled ?? new AbortController().signal,
  })
  return { memory, clock, lines, saved, secrets }
}

describe('a look-up that fails', () => {
  const failed = report<FindReport>({ kind: 'failed', why: 'read ECONNRESET' })
  const key = keyFor(started('run-7'))

  it('is tried once more: a reset must not start a second run beside one that goes on', async () => {
    const answers = [failed, report<FindReport>({ kind: 'found', key })]
    const { memory, clock } = open({ find: () => Promise.resolve(answers.shift() ?? failed) })
    const found = memory.find()
    await clock.advance(1_000)
    expect(await found).toEqual({ kind: 'found', record: started('run-7') })
  })

  it('twice is told as unreadable', async () => {
    const { memory, clock } = open({ find: () => Promise.resolve(failed) })
    const found = memory.find()
    await clock.advance(1_000)
    expect(await found).toEqual({ kind: 'unreadable', why: 'read ECONNRESET' })
  })
})

it('keeps no id that holds a secret: whoever may list caches can read a key', async () => {
  const { memory, secrets, saved, lines } = open({})
  secrets.add('s3cr3t-token')
  await memory.remember(started('x-s3cr3t-token'))
  expect(saved).toEqual([])
  expect(lines.join()).toContain('holds a secret')
})

describe('a look-up', () => {
  const found = (key: string) =>
    open({ find: () => Promise.resolve(report({ kind: 'found', key })) })

  it('finds the newest record of this step in this workflow run', async () => {
    const asked: string[] = []
    const { memory } = open({
      find: (text) => {
        asked.push(text)
        return Promise.resolve(report({ kind: 'found', key: keyFor(started('exec-7')) }))
      },
    })
    expect(await memory.find()).toEqual({ kind: 'found', record: started('exec-7') })
    expect(asked).toEqual([prefix])
  })

  it('finds nothing', async () => {
    expect(await open({}).memory.find()).toEqual({ kind: 'nothing' })
  })

  it('cannot read a record of another format', async () => {
    const why = 'the newest record was written by another version of this action'
    expect(await found(`${prefix}v2-abc`).memory.find()).toEqual({ kind: 'unreadable', why })
  })

  it.each<[string, Answer<FindReport>, string]>([
    ['fails', report({ kind: 'failed', why: 'cache read denied:\nno' }), 'cache read denied: no'],
    ['loses its thread', { kind: 'failure', name: 'E', message: 'out of memory' }, 'out of memory'],
  ])('that %s is unreadable', async (_, answer, why) => {
    const { memory } = open({ find: () => Promise.resolve(answer) })
    expect(await memory.find()).toEqual({ kind: 'unreadable', why })
  })

  it('takes at most 10 s, and says what the client said last', async () => {
    const { memory, clock } = open({ find: (_, signal) => hanging(signal, 'Attempt 1 failed') })
    const why = 'the cache was not done after 10 s (Attempt 1 failed)'
    expect(await memory.find()).toEqual({ kind: 'unreadable', why })
    expect([clock.elapsed, clock.sleeping]).toEqual([10_000, 0])
  })

  it('ends with the step', async () => {
    const cancelled = AbortSignal.abort()
    const { memory, clock } = open({ find: (_, signal) => hanging(signal), cancelled })
    const why = 'the step was cancelled'
    expect(await memory.find()).toEqual({ kind: 'unreadable', why })
    expect(clock.elapsed).toBe(0)
  })

  it('redacts a secret in its reason before it is cut', async () => {
    const secret = 'a-signature-of-an-address'
    const why = `${'x'.repeat(490)}${secret}`
    const { memory, secrets } = open({
      find: () => Promise.resolve(report({ kind: 'failed', why })),
    })
    secrets.add(secret)
    const shown = `${'x'.repeat(490)}***`
    expect(await memory.find()).toEqual({ kind: 'unreadable', why: shown })
  })
})

describe('records', () => {
  it('are saved one after the other, of those that wait the newest alone', async () => {
    const begun: string[] = []
    const first = Promise.withResolvers<Answer<SaveReport>>()
    const { memory, saved } = open({
      save: (key) => {
        begun.push(key)
        return begun.length === 1 ? first.promise : Promise.resolve(report({ kind: 'saved' }))
      },
    })
    const all = ['a', 'b', 'c'].map((id) => memory.remember(started(id)))
    expect(begun).toEqual([keyFor(started('a'))])
    first.resolve(report({ kind: 'saved' }))
    await Promise.all(all)
    expect(saved).toEqual([keyFor(started('a')), keyFor(started('c'))])
  })

  it('are waited for a minute while the step goes on', async () => {
    const { memory, clock, lines } = open({ save: (_, signal) => hanging(signal, 'Retrying') })
    await memory.remember(started('a'))
    expect([clock.elapsed, clock.sleeping]).toEqual([60_000, 0])
    expect(lines).toEqual([
      'The record for a re-run may not have been saved: the cache was not done after 1 min (Retrying).',
    ])
  })

  it('are waited for 3 s when the step ends', async () => {
    const { memory, clock, lines } = open({ save: (_, signal) => hanging(signal) })
    void memory.remember(started('a'))
    await memory.close()
    expect([clock.elapsed, clock.sleeping]).toEqual([3_000, 0])
    expect(lines).toEqual([expect.stringContaining('not done after 3 s.')])
  })

  it('are waited for 3 s in all, of which one before the newest gets half', async () => {
    const hangs = keyFor(started('a'))
    const { memory, clock, saved } = open({
      save: async (key, signal) =>
        key === hangs ? hanging(signal) : Promise.resolve(report({ kind: 'saved' })),
    })
    void memory.remember(started('a'))
    void memory.remember(started('b'))
    await memory.close()
    expect(saved).toEqual([keyFor(started('b'))])
    expect(clock.elapsed).toBe(1_500)
  })

  it('never hold the end longer, however many wait and hang', async () => {
    const { memory, clock } = open({ save: (_, signal) => hanging(signal) })
    for (const id of ['a', 'b', 'c']) void memory.remember(started(id))
    await memory.close()
    expect([clock.elapsed, clock.sleeping]).toEqual([3_000, 0])
  })

  it('that come after the end are not saved, and said not to be', async () => {
    const { memory, clock, saved, lines } = open({ save: (_, signal) => hanging(signal) })
    await memory.close()
    await memory.remember(started('a'))
    expect([clock.elapsed, saved]).toEqual([0, []])
    expect(lines).toEqual([expect.stringContaining('not saved: the step had ended.')])
  })

  it.each<[string, Answer<SaveReport>, string]>([
    [
      'denied',
      report({ kind: 'denied', why: 'cache write denied: no scopes' }),
      'This job may not write to the cache (cache write denied: no scopes). A re-run of this job would not know of this execution.',
    ],
    [
      'taken',
      report({ kind: 'taken' }),
      'The record for a re-run is in the cache already, or is just being saved there.',
    ],
    [
      'failed',
      report({ kind: 'failed', why: 'this runner offers no cache' }),
      'The record for a re-run was not saved: this runner offers no cache. A re-run of this job would not know of this execution.',
    ],
    [
      'without a thread',
      { kind: 'failure', name: 'Error', message: 'broken' },
      'The record for a re-run was not saved: broken. A re-run of this job would not know of this execution.',
    ],
  ])('that are %s are told in one line, once', async (_, answer, line) => {
    const { memory, lines } = open({ save: () => Promise.resolve(answer) })
    await memory.remember(started('a'))
    await memory.remember(started('b'))
    await memory.close()
    expect(lines).toEqual([line])
  })

  it('of an id that fits no key are told', async () => {
    const { memory, lines, saved } = open({})
    await memory.remember(started('x'.repeat(300)))
    expect([lines.length, saved]).toEqual([1, []])
    expect(lines[0]).toContain('too long for a key')
  })
})

it('without the run’s id nothing is looked up or saved: it would be another run’s', async () => {
  const refuse = () => Promise.reject(new Error('not to be asked'))
  const { memory, lines } = open({ environment: {}, find: refuse, save: refuse })
  expect(await memory.find()).toEqual({ kind: 'unreadable', why: 'GITHUB_RUN_ID is not set' })
  await memory.remember(started('a'))
  await memory.close()
  expect(lines).toEqual([expect.stringContaining('GITHUB_RUN_ID is not set')])
})
