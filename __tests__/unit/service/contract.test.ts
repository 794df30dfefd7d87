import { describe, expect, it } from '@jest/globals'
import {
  createProjectAnswerSchema,
  executionStatusSchema,
  startAnswerSchema,
  statusSchemaOf,
} from '../../../src/service/contract.ts'
import { record } from '../../support/execution-status.ts'

describe('the answer to a start', () => {
  it.each([
    [{ status: 'success', message: 'started', execution_id: 'e-1' }, 'e-1', 'started'],
    [{ exec_uuid: 'u-1', execution_id: 'e-1', message: {} }, 'u-1', ''],
    [{ exec_uuid: 'u-1', execution_id: ['e-1'] }, 'u-1', ''],
    [{ exec_uuid: null, execution_id: 'e-1' }, 'e-1', ''],
    [{ exec_uuid: '', execution_id: 'e-1' }, 'e-1', ''],
    [{ exec_uuid: '..', execution_id: ' e-1\n' }, 'e-1', ''],
    [{ exec_uuid: ' u-1\n' }, 'u-1', ''],
  ])('%j has the id %s and the message %j', (answer, executionId, message) => {
    expect(startAnswerSchema.parse(answer)).toEqual({ executionId, message })
  })

  it.each([
    ...[{}, { execution_id: null }, { execution_id: 1.5 }, { execution_id: ' ' }],
    ...[[], [{ execution_id: 'e-1' }], 'e-1', null, undefined],
  ])('%j is not valid', (answer) => {
    expect(startAnswerSchema.safeParse(answer).success).toBe(false)
  })

  it.each([
    [{}, ''],
    [{ exec_uuid: ' ', execution_id: '..' }, ' (found "..")'],
    [{ exec_uuid: 'a\nb' }, String.raw` (found "a\nb")`],
  ])('%j is refused with the id that cannot be used', (answer, found) => {
    const message = `neither exec_uuid nor execution_id is usable${found}`
    expect(startAnswerSchema.safeParse(answer).error?.issues).toMatchObject([{ message }])
  })
})

it.each([
  [{ message: 'created', id: 7 }, { message: 'created' }],
  [{}, undefined],
  [{ message: 7 }, undefined],
  [[], undefined],
])('the answer to a new project %j is read as %j', (answer, read) => {
  expect(createProjectAnswerSchema.safeParse(answer).data).toEqual(read)
})

const read = (answer: unknown) => executionStatusSchema.safeParse(answer).data

describe('a status record', () => {
  const flags = { finished: true, error: false, stopped: false, container_error: false }

  it('may have unknown members, and may lack the id and the links', () => {
    expect(read({ ...flags, progress: 0.5 })).toEqual({
      ...flags,
      result_url: null,
      logs_url: null,
    })
  })

  it.each(Object.keys(flags))('is malformed if %s is not true or false', (flag) => {
    for (const value of [undefined, null, 0, 1, '', 'true', [], {}]) {
      expect(read({ ...flags, [flag]: value })).toBeUndefined()
    }
  })

  it.each([[[]], [[record()]], [null], [undefined], ['finished'], [true], [7]])(
    'is not %j',
    (value) => expect(read(value)).toBeUndefined(),
  )
})

describe('a link', () => {
  const linksOf = (link: unknown) => {
    const { result_url, logs_url } = read({ ...record(), result_url: link, logs_url: link }) ?? {}
    return [result_url, logs_url]
  }
  const long = (bytes: number) => `https://store.example/?s=`.padEnd(bytes, 'x')

  it.each([
    'https://store.example/r?s=1',
    'http://127.0.0.1:8080/r',
    'http://[::1]/r',
    long(16_384),
    'https://store.example/a/.b/..c/d...?path=/../x#/../',
    'https://store.example/a%2F..%2Fb/%5C',
  ])('is an address that may carry secrets: %.60s', (link) =>
    expect(linksOf(` ${link}\n`)).toEqual([link, link]),
  )

  it.each([
    ...['e', '/r?s=1', 'store.example/r', 'http://store.example/r', 'ftp://store.example/r'],
    ...['https://', 'file:///etc/passwd', 'https://a.example/\nhttps://b.example/', long(16_385)],
    'https://a.example/\u2028x',
    ...['https://a.example/b/../c', 'https://a.example/b/%2E%2e/c?s=1', 'https://a.example/./c'],
    ...['https://a.example/b/.%2e', 'https://a.example/b\\c?s=1'],
    'x\n'.repeat(100_000),
  ])('is not usable: %.60s', (text) => expect(linksOf(text)).toEqual([undefined, undefined]))

  it.each([null, undefined, '', ' \t\n'])('is null if there is none: %j', (none) =>
    expect(linksOf(none)).toEqual([null, null]),
  )

  it.each([7, true, [], {}, ['https://store.example']])('makes %j malformed', (link) => {
    expect(read({ ...record(), result_url: link })).toBeUndefined()
    expect(read({ ...record(), logs_url: link })).toBeUndefined()
  })
})

describe('the status of an execution', () => {
  const uuid = '9B2F6C1E-0000-4000-8000-00000000000a'
  const parse = (asked: string, exec_uuid: unknown) =>
    statusSchemaOf(asked).safeParse({ ...record(), exec_uuid })

  it.each([
    ['the same id', uuid, uuid],
    ['in other letters', uuid, uuid.toLowerCase()],
    ['without hyphens', uuid, uuid.replaceAll('-', '')],
    ['none', uuid, null],
    ['missing', uuid, undefined],
    ['no UUID', uuid, 'run-7'],
    ['a UUID, for an id that is not one', 'run-7', uuid],
  ])('is valid with an exec_uuid that is %s', (_, asked, answered) =>
    expect(parse(asked, answered).success).toBe(true),
  )

  it('is not valid if it belongs to another execution', () => {
    expect(parse(uuid, uuid.replace('a', 'b')).error?.issues).toMatchObject([
      { path: ['exec_uuid'], message: 'it is the status of another execution' },
    ])
  })
})
