import { describe, expect, it } from '@jest/globals'
import { readKey, writeEntry } from '../../../../src/runner/record/format.ts'
import { hmacWith } from '../../../../src/runner/record/identity.ts'
import { readContent, readRunKey } from '../../../../src/runner/record/read-record.ts'
import {
  nameOfOnlyRun,
  nameOfSeed,
  type RecordedRun,
  type StepRecord,
} from '../../../../src/runner/record/record.ts'

const hmac = hmacWith({ apiToken: 'token-1', apiKey: 'key-1' })
const otherHmac = hmacWith({ apiToken: 'token-1', apiKey: 'guessed' })
const stepPrefix = 'run-automation-4200-c4fea362da894110-3ef19c26-ed58c1a53117e06821e3820e1b6fa209-'
const address = { placePrefix: '', credentialsPrefix: '', stepPrefix, fileName: 'record' }
const date = new Date(Date.UTC(2026, 0, 1))

function recordOf(run: RecordedRun, isReported = false): StepRecord {
  return {
    savedBy: run.attempt,
    isFinal: true,
    isReported,
    runs: new Map([[nameOfOnlyRun, run]]),
  }
}
const started = (executionId: string) => ({ kind: 'known', attempt: 1, executionId }) as const
const ended = { ...started('e-1'), outcome: 'error' } as const

const keyOf = (run: RecordedRun, isReported?: boolean, on = date, own = hmac) =>
  writeEntry('key', recordOf(run, isReported), address, on, own).key
const read = (key: string, prefix = stepPrefix) =>
  readKey({ ...address, stepPrefix: prefix }, key, hmac)

function readBack(key: string): StepRecord | undefined {
  const found = read(key)
  return found.kind === 'read' ? readRunKey(found.body) : undefined
}

describe('the key of one run', () => {
  it.each<[string, RecordedRun, boolean]>([
    ['is still running', started('e-1'), false],
    ['has an id with special characters', started('A b,c/ü-😀'), false],
    ['has a reported end', ended, true],
    ['has died', { ...ended, outcome: 'container-error' }, true],
    ['may or may not have been started', { kind: 'unclear', attempt: 12 }, false],
  ])('contains all facts about a run that %s', (_, run, isReported) => {
    const key = keyOf(run, isReported)
    // act converts keys to lower case. A comma separates keys.
    expect(key).toMatch(/^[a-z0-9-]{1,512}$/)
    expect(readBack(key)).toEqual(recordOf(run, isReported))
  })

  it('contains an unreported end only as a start', () => {
    expect(keyOf(ended)).toBe(keyOf(started('e-1')))
    expect(keyOf(started('e-1'), true)).toBe(keyOf(started('e-1')))
  })

  it('is new at each moment, because a cache refuses a key that it has', () => {
    const key = keyOf(ended, true, new Date(date.getTime() + 1))
    expect(key).not.toBe(keyOf(ended, true))
    expect(readBack(key)).toEqual(recordOf(ended, true))
  })

  it('has at most 512 characters', () => {
    const keyWith = (length: number) => keyOf(started('x'.repeat(length)))
    expect(keyWith(189)).toHaveLength(512)
    expect(() => keyWith(190)).toThrow("the execution's id is too long for a key")
  })

  it.each(['', 'x1-unknown', '1-unknownx', '1-started', `batch-${'0'.repeat(64)}`])(
    'is not read with the body "%s"',
    (body) => {
      expect(readRunKey(body)).toBeUndefined()
    },
  )

  it.each(['.', '..', 'line\nbreak', ' padded', ''])('is not read with the id "%s"', (id) => {
    expect(readBack(keyOf(started(id)))).toBeUndefined()
  })
})

describe('a key', () => {
  const key = keyOf(started('e-1'))

  it.each([
    ['with other content', key.replace('started', 'reported-success'), stepPrefix],
    ['with the HMAC of other credentials', keyOf(ended, false, date, otherHmac), stepPrefix],
    ['of another step', key.replace('4200', '4201'), stepPrefix.replace('4200', '4201')],
  ])('%s is refused', (_, forged, prefix) => {
    const why = expect.stringContaining('other credentials wrote it')
    expect(read(forged, prefix)).toEqual({ kind: 'unreadable', why })
  })

  it.each([
    key.replace('-v1-', '-v2-'),
    'other',
    `${stepPrefix}nothing`,
    `${stepPrefix}x${key.slice(stepPrefix.length)}`,
    `${key}x`,
  ])('of another version is not understood: %s', (other) => {
    const why = expect.stringContaining('another version')
    expect(read(other)).toEqual({ kind: 'unreadable', why })
  })
})

describe('the file of a batch', () => {
  const name = nameOfSeed({ key: '0123', occurrence: 3 }, hmac)
  const record: StepRecord = {
    savedBy: 2,
    isFinal: false,
    isReported: false,
    runs: new Map<string, RecordedRun>([
      [name, { ...started('A,ü'), attempt: 2 }],
      [name.replace('-3', '-4'), { ...ended, startedAt: 0, endedAt: 60_000 }],
      [name.replace('-3', '-12345'), { kind: 'unclear', attempt: 1 }],
    ]),
  }
  const { key, content } = writeEntry('file', record, address, date, hmac)
  const found = read(key)
  const body = found.kind === 'read' ? found.body : ''

  it('contains all runs', () => {
    expect(readContent(body, content)).toEqual(record)
  })

  it('names each run by an HMAC that nobody can make without the credentials', () => {
    expect(name).toBe('e4798a1f36deb86126471d66f93a3e1e-3')
    expect(nameOfSeed({ key: '0123', occurrence: 3 }, otherHmac)).not.toBe(name)
  })

  it('must match its key: a truncated or exchanged file is not read', () => {
    const other = writeEntry('file', { ...record, isFinal: true }, address, date, hmac)
    for (const wrong of [content.subarray(0, -1), other.content]) {
      expect(readContent(body, wrong)).toBeUndefined()
    }
    expect(readContent('1-unknown', content)).toBeUndefined()
  })

  it.each<[string, object]>([
    ['a longer name', [[`x${name}`, started('e-1')]]],
    ['text after a name', [[`${name}x`, started('e-1')]]],
    ['an invalid id', [[name, started('..')]]],
    ['an invalid attempt', [[name, { ...ended, attempt: 0 }]]],
    ['an invalid time', [[name, { ...ended, endedAt: -1 }]]],
    ['an invalid run', [[name, { kind: 'reported', attempt: 1 }]]],
  ])('is not read if it has %s', (_, runs) => {
    const wrong = { ...record, runs: new Map(runs as [string, RecordedRun][]) }
    const entry = writeEntry('file', wrong, address, date, hmac)
    const keyed = read(entry.key)
    expect(readContent(keyed.kind === 'read' ? keyed.body : '', entry.content)).toBeUndefined()
  })
})
