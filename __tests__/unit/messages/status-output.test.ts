import { describe, expect, it } from '@jest/globals'
import { statusOutput } from '../../../src/messages/execution-record.ts'
import { finished as status } from '../../support/execution-status.ts'

const signed = 'https://store.example/file?X-Signature=0123456789abcdef'
const shown = (more: object) => JSON.parse(statusOutput({ ...status, ...more })) as object

describe('the output status', () => {
  it.each([
    ['a link alone', { other: signed }, { other: '***' }],
    ['a link in a longer text', { note: `see <${signed}>, soon` }, { note: 'see <***>, soon' }],
    ['a link as a key', { [signed]: 1 }, { '***': 1 }],
    ['links in a list', { all: [[signed], 1] }, { all: [['***'], 1] }],
    ['another scheme', { at: 's3://bucket/a?b' }, { at: '***' }],
    ['a longer scheme', { at: 'sftp://bucket/a?b' }, { at: '***' }],
    ['a link without TLS encoded for another', { at: 'http%3A%2F%2Fa%2Fb' }, { at: '***' }],
    ['a link encoded for another', { at: encodeURIComponent(signed) }, { at: '***' }],
    ['a link in capitals', { at: 'HTTPS://STORE.EXAMPLE' }, { at: '***' }],
  ])('hides %s', (_, more, expected) => {
    expect(shown(more)).toMatchObject(expected)
  })

  it('hides the signature of a known link, even without the link', () => {
    const record = { result_url: signed, note: 'X-Signature=0123456789abcdef' }
    expect(shown(record)).toMatchObject({ note: '***' })
    expect(shown(record)).not.toHaveProperty('result_url')
  })

  it.each(['result_url', 'logs_url'])('has no %s', (name) => {
    expect(shown({ [name]: signed })).not.toHaveProperty(name)
  })

  it('hides a query that may be a signature, and keeps shorter ones', () => {
    const links = {
      result_url: 'https://store.example/a?v=2',
      logs_url: 'https://store.example/b?X=0123456789abcd',
    }
    expect(shown({ ...links, notes: ['v=2', 'X=0123456789abcd'] })).toMatchObject({
      notes: ['v=2', '***'],
    })
  })

  it('hides a link of the service that is no address', () => {
    expect(shown({ result_url: 'store/a', note: 'see store/a' })).toMatchObject({ note: 'see ***' })
  })

  it('keeps everything else as it is', () => {
    const more = { note: 'at 12:30: a//b, null', list: [1, null, true, { deep: [''] }, {}] }
    expect(shown(more)).toMatchObject(more)
  })

  it('has only the documented flags if the record is too large', () => {
    const { finished, error, stopped, container_error } = status
    expect(shown({ extra: 'a'.repeat(40_000) })).toEqual({
      exec_uuid: status.exec_uuid,
      finished,
      error,
      stopped,
      container_error,
    })
  })
})
