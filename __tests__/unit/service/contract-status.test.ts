import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { executionStatusSchema } from '../../../src/service/contract.ts'
import { record } from '../../support/execution-status.ts'

const accepts = (value: unknown) => executionStatusSchema.safeParse(value).success
const flags = ['finished', 'error', 'stopped', 'container_error'] as const

describe('a status record', () => {
  it('is accepted in its documented form', () => {
    const link = 'https://store.example/result?signature=abc'

    expect(executionStatusSchema.parse(record({ finished: true, result_url: link }))).toEqual(
      record({ finished: true, result_url: link }),
    )
  })

  it('may have unknown members, which are kept', () => {
    expect(executionStatusSchema.parse({ ...record(), progress: 0.5 })).toMatchObject({
      progress: 0.5,
    })
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

  it.each(['', ' ', '\t\n', null, undefined])('has no link where the link is %j', (blank) => {
    const status = executionStatusSchema.parse({ ...record(), result_url: blank, logs_url: blank })

    expect([status.result_url, status.logs_url]).toEqual([null, null])
  })

  it.each([7, true, [], {}, ['https://store.example']])('is malformed with the link %j', (link) => {
    expect(accepts({ ...record(), result_url: link })).toBe(false)
    expect(accepts({ ...record(), logs_url: link })).toBe(false)
  })
})
