import { describe, expect, it } from '@jest/globals'
import {
  nameOfSeed,
  nameOfOnlyRun,
  readKey,
  type RecordedRun,
  type StepRecord,
  writeBatchKey,
  writeContent,
  writeRunKey,
} from '../../../../src/runner/record/format.ts'
import { readContent, readRunKey } from '../../../../src/runner/record/read-record.ts'
import { signWith } from '../../../../src/runner/record/identity.ts'

const sign = signWith({ apiToken: 'token-1', apiKey: 'key-1' })
const prefix = 'run-automation-4200-c4fea362da894110-3ef19c26-ed58c1a53117e06821e3820e1b6fa209-'

function recordOf(run: RecordedRun, isReported = false): StepRecord {
  return { attempt: run.attempt, isClosed: true, isReported, runs: new Map([[nameOfOnlyRun, run]]) }
}

const started = (executionId: string) => ({ kind: 'started', attempt: 1, executionId }) as const
const ended = { kind: 'ended', attempt: 1, executionId: 'e-1', conclusion: 'error' } as const

const date = new Date(Date.UTC(2026, 0, 1))
const keyOf = (run: RecordedRun, isReported?: boolean) =>
  writeRunKey(prefix, recordOf(run, isReported), date, sign) ?? ''

function readBack(key: string): StepRecord | undefined {
  const read = readKey(prefix, key, sign)
  return read.kind === 'read' ? readRunKey(read.body) : undefined
}

describe('the key of one run', () => {
  it.each<[string, RecordedRun, boolean]>([
    ['is still running', started('e-1'), false],
    ['has an id with special characters', started('A b,c/ü-😀'), false],
    ['has a reported end', ended, true],
    ['has died', { ...ended, conclusion: 'container-error' }, true],
    ['may or may not have been started', { kind: 'start-unknown', attempt: 12 }, false],
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
    const later = new Date(date.getTime() + 1)
    const key = writeRunKey(prefix, recordOf(ended, true), later, sign) ?? ''
    expect(key).not.toBe(keyOf(ended, true))
    expect(readBack(key)).toEqual(recordOf(ended, true))
  })

  it('has at most 512 characters, or does not exist', () => {
    const keyWith = (length: number) =>
      writeRunKey(prefix, recordOf(started('x'.repeat(length))), date, sign)
    expect([keyWith(189)?.length, keyWith(190)]).toEqual([512, undefined])
  })

  it('does not exist for a step that started nothing', () => {
    const record = { ...recordOf(started('e-1')), runs: new Map() }
    expect(writeRunKey(prefix, record, date, sign)).toBeUndefined()
  })

  it.each([
    '',
    'a-1-started',
    'a-x1-unknown',
    'a-1-unknownx',
    '1-unknown',
    `batch-${'0'.repeat(64)}`,
  ])('is not read with the body "%s"', (body) => {
    expect(readRunKey(body)).toBeUndefined()
  })

  it.each(['.', '..', 'line\nbreak', ' padded', ''])('is not read with the id "%s"', (id) => {
    expect(readBack(keyOf(started(id)))).toBeUndefined()
  })
})

describe('a key', () => {
  const key = keyOf(started('e-1'))
  const forged = { kind: 'unreadable', why: expect.stringContaining('other credentials wrote it') }
  const otherVersion = { kind: 'unreadable', why: expect.stringContaining('another version') }

  it('is refused if it was made without the credentials', () => {
    const changed = key.replace('started', 'reported-success')
    expect(readKey(prefix, changed, sign)).toEqual(forged)
    const otherSign = signWith({ apiToken: 'token-1', apiKey: 'guessed' })
    const signed = writeRunKey(prefix, recordOf(started('e-1')), date, otherSign) ?? ''
    expect(readKey(prefix, signed, sign)).toEqual(forged)
  })

  it('is refused if it belongs to another step or workflow run', () => {
    const other = prefix.replace('4200', '4201')
    expect(readKey(other, key.replace('4200', '4201'), sign)).toEqual(forged)
  })

  it('of another version is not understood', () => {
    expect(readKey(prefix, key.replace('-v1-', '-v2-'), sign)).toEqual(otherVersion)
    for (const other of [
      'other',
      `${prefix}nothing`,
      `${prefix}x${key.slice(prefix.length)}`,
      `${key}x`,
    ])
      expect(readKey(prefix, other, sign)).toEqual(otherVersion)
  })
})

describe('the file of a batch', () => {
  const name = nameOfSeed({ key: '0123', occurrence: 3 }, sign)
  const record: StepRecord = {
    attempt: 2,
    isClosed: false,
    isReported: false,
    runs: new Map<string, RecordedRun>([
      [name, { ...started('A,ü'), attempt: 2 }],
      [name.replace('-3', '-4'), ended],
      [name.replace('-3', '-12345'), { kind: 'start-unknown', attempt: 1 }],
    ]),
  }

  /** Reads `content` with a key that was made for `keyed`. */
  function read(content: Uint8Array, keyed = content): StepRecord | undefined {
    const key = readKey(prefix, writeBatchKey(prefix, keyed, new Date(0), sign) ?? '', sign)
    return key.kind === 'read' ? readContent(key.body, content) : undefined
  }

  it('contains all runs', () => {
    expect(read(writeContent(record))).toEqual(record)
  })

  it('names each run by a hash that nobody can make without the credentials', () => {
    const other = signWith({ apiToken: 'token-1', apiKey: 'guessed' })
    expect(name).toBe('e4798a1f36deb86126471d66f93a3e1e-3')
    expect(nameOfSeed({ key: '0123', occurrence: 3 }, other)).not.toBe(name)
  })

  it('must match its key: a truncated or exchanged file is not read', () => {
    const content = writeContent(record)
    expect(read(content.subarray(0, -1), content)).toBeUndefined()
    expect(read(writeContent({ ...record, isClosed: true }), content)).toBeUndefined()
  })

  it('belongs to no key with another body', () => {
    const content = writeContent(record)
    const read = readKey(prefix, writeBatchKey(prefix, content, new Date(0), sign) ?? '', sign)
    const body = read.kind === 'read' ? read.body : ''
    for (const other of [`x${body}`, `${body}0`, '1-unknown'])
      expect(readContent(other, content)).toBeUndefined()
  })

  it.each<[string, object]>([
    ['without runs', {}],
    ['with a longer name', { runs: [[`x${name}`, started('e-1')]] }],
    ['with text after a name', { runs: [[`${name}x`, started('e-1')]] }],
    ['with an invalid id', { runs: [[name, { ...started('..') }]] }],
    ['with an invalid run', { runs: [[name, { kind: 'reported', attempt: 1 }]] }],
  ])('is not read when it is %s', (_, runs) => {
    const content = { attempt: 2, isClosed: true, isReported: false, ...runs }
    expect(read(Buffer.from(JSON.stringify(content)))).toBeUndefined()
  })
})
