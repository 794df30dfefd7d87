import { expect, it } from '@jest/globals'
import { statusOutput } from '../../../src/messages/row-of.ts'
import { finished as status } from '../../support/execution-status.ts'

it('the output status has the four flags and the redacted id, and nothing else', () => {
  const signed = 'https://store.example/file?X-Signature=0123456789abcdef'
  const record = { ...status, exec_uuid: 'id-s3cret', result_url: signed, logs_url: signed }
  const more = { ...record, note: signed }
  const shown = statusOutput(more, (text) => text.replace('s3cret', '***'))
  expect(JSON.parse(shown)).toEqual({
    exec_uuid: 'id-***',
    finished: true,
    error: false,
    stopped: false,
    container_error: false,
  })
})
