import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  createProjectAnswerSchema,
  startAnswerSchema,
  executionStatusSchema,
  statusSchemaOf,
} from '../../../src/service/contract.ts'
import { record } from '../../support/execution-status.ts'

const idOf = (answer: unknown) => startAnswerSchema.safeParse(answer).data?.executionId

describe('the answer to a start', () => {
  it('returns the id and the message', () => {
    const answer = { status: 'success', message: 'started', execution_id: 'e-1' }

    expect(startAnswerSchema.parse(answer)).toEqual({ executionId: 'e-1', message: 'started' })
  })

  it('returns exec_uuid if it has one, else execution_id', () => {
    expect(idOf({ exec_uuid: 'u-1', execution_id: 'e-1' })).toBe('u-1')
    expect(idOf({ exec_uuid: 'u-1' })).toBe('u-1')
    expect(idOf({ exec_uuid: null, execution_id: 'e-1' })).toBe('e-1')
    expect(idOf({ exec_uuid: '', execution_id: 'e-1' })).toBe('e-1')
    expect(idOf({ exec_uuid: 7, execution_id: 'e-1' })).toBe('e-1')
    expect(idOf({ exec_uuid: 'u-1', execution_id: ['e-1'] })).toBe('u-1')
    expect(idOf({ exec_uuid: '..', execution_id: 'e-1' })).toBe('e-1')
  })

  it('returns an id without the white space around it', () => {
    expect(idOf({ exec_uuid: ' e-1\n' })).toBe('e-1')
  })

  it('is valid without a message, or with one that is not a string', () => {
    expect(startAnswerSchema.parse({ execution_id: 'e-1' }).message).toBe('')
    expect(startAnswerSchema.parse({ execution_id: 'e-1', message: {} }).message).toBe('')
  })

  it.each([[{}], [{ execution_id: null }], [{ execution_id: 1.5 }], [{ execution_id: ' ' }]])(
    'is not valid without a usable id: %j',
    (answer) => expect(idOf(answer)).toBeUndefined(),
  )

  it.each([[[]], [[{ execution_id: 'e-1' }]], ['e-1'], [null], [undefined]])(
    'is not valid if it is no object: %j',
    (answer) => expect(idOf(answer)).toBeUndefined(),
  )

  it.each([
    ['..', '".."'],
    ['a\nb', String.raw`"a\nb"`],
  ])('names an id that cannot be used: %j', (id, shown) => {
    const { error } = startAnswerSchema.safeParse({ exec_uuid: id })
    const words = 'neither exec_uuid nor execution_id is usable'
    expect(error?.issues[0]?.message).toBe(`${words} (found ${shown})`)
  })
})

describe('the answer to a new project', () => {
  it('is a message', () => {
    const answer = { message: 'created', id: 7 }
    expect(createProjectAnswerSchema.parse(answer)).toEqual({ message: 'created' })
  })

  it.each([[{}], [{ message: 7 }], [[]], [undefined]])('is not %j', (answer) => {
    expect(createProjectAnswerSchema.safeParse(answer).success).toBe(false)
  })
})

const accepts = (value: unknown) => executionStatusSchema.safeParse(value).success
const flags = ['finished', 'error', 'stopped', 'container_error'] as const

describe('a status record', () => {
  it('is accepted in its documented form', () => {
    const link = 'https://store.example/result?signature=abc'

    expect(executionStatusSchema.parse(record({ finished: true, result_url: link }))).toEqual(
      record({ finished: true, result_url: link }),
    )
  })

  it('may have unknown members, which are ignored', () => {
    expect(executionStatusSchema.parse({ ...record(), progress: 0.5 })).toEqual(record())
  })

  it('may lack the id and the links', () => {
    const { finished, error, stopped, container_error } = record()
    const status = executionStatusSchema.parse({ finished, error, stopped, container_error })

    expect(status).toMatchObject({ result_url: null, logs_url: null })
  })

  it.each(flags)('is malformed without %s', (flag) => {
    expect(accepts({ ...record(), [flag]: undefined })).toBe(false)
  })

  it('is malformed when a flag is anything but true or false', () => {
    const other = fc.jsonValue().filter((value) => typeof value !== 'boolean')
    fc.assert(
      fc.property(fc.constantFrom(...flags), other, (flag, value) => {
        expect(accepts({ ...record({ finished: true }), [flag]: value })).toBe(false)
      }),
    )
  })

  it.each([[[]], [[record()]], [null], [undefined], ['finished'], [true], [7]])(
    'is not %j',
    (value) => expect(accepts(value)).toBe(false),
  )

  it.each(['', ' ', '\t\n', null, undefined])('has no link if the link is %j', (blank) => {
    const status = executionStatusSchema.parse({ ...record(), result_url: blank, logs_url: blank })

    expect([status.result_url, status.logs_url]).toEqual([null, null])
  })

  it.each([7, true, [], {}, ['https://store.example']])('is malformed with the link %j', (link) => {
    expect(accepts({ ...record(), result_url: link })).toBe(false)
    expect(accepts({ ...record(), logs_url: link })).toBe(false)
  })
})

describe('a link', () => {
  const linkOf = (result_url: unknown) => executionStatusSchema.parse({ ...record(), result_url })
  const long = (bytes: number) => `https://store.example/?s=`.padEnd(bytes, 'x')

  it.each([
    'https://store.example/r?s=1',
    'http://127.0.0.1:8080/r',
    'http://[::1]/r',
    long(16_384),
    'https://store.example/a/.b/..c/d...?path=/../x#/../',
    'https://store.example/a%2F..%2Fb/%5C',
  ])('is an address that may carry secrets: %.60s', (link) =>
    expect(linkOf(` ${link}\n`).result_url).toBe(link),
  )

  it.each([
    ...['e', '/r?s=1', 'store.example/r', 'http://store.example/r', 'ftp://store.example/r'],
    ...['https://', 'file:///etc/passwd', 'https://a.example/\nhttps://b.example/', long(16_385)],
    'https://a.example/\u2028x',
    ...['https://a.example/b/../c', 'https://a.example/b/%2E%2e/c?s=1', 'https://a.example/./c'],
    ...['https://a.example/b/.%2e', 'https://a.example/b\\c?s=1'],
    'x\n'.repeat(100_000),
  ])('is not %.60s', (text) => expect(linkOf(text).result_url).toBeUndefined())

  it.each([null, undefined, '', ' \n'])('is null if there is no link: %j', (none) =>
    expect(linkOf(none).result_url).toBeNull(),
  )
})

describe('the status of an execution', () => {
  const uuid = '9B2F6C1E-0000-4000-8000-00000000000a'
  const isOf = (asked: string, exec_uuid: unknown) =>
    statusSchemaOf(asked).safeParse({ ...record(), exec_uuid }).success

  it.each([
    ['the same id', uuid, uuid],
    ['in other letters', uuid, uuid.toLowerCase()],
    ['without hyphens', uuid, uuid.replaceAll('-', '')],
    ['none', uuid, null],
    ['missing', uuid, undefined],
    ['no UUID', uuid, 'run-7'],
    ['a UUID, for an id that is not one', 'run-7', uuid],
  ])('is valid with an exec_uuid that is %s', (_, asked, answered) =>
    expect(isOf(asked, answered)).toBe(true),
  )

  it('is not valid if it belongs to another execution', () => {
    const answer = { ...record(), exec_uuid: uuid.replace('a', 'b') }
    const { error } = statusSchemaOf(uuid).safeParse(answer)

    expect(error?.issues).toMatchObject([
      { path: ['exec_uuid'], message: 'it is the status of another execution' },
    ])
  })
})
