import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { serveRemotely } from '../support/remote-service.ts'
import {
  json,
  plain,
  serveScripted,
  storedText,
  type RouteName,
  type Script,
} from '../support/scripted-service.ts'
import { finished } from '../support/execution-status.ts'
import { openOtherHost } from './support/other-host.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { runAction, type Inputs } from './support/run-action.ts'

const text = (bytes: string) => ({ bytes: Buffer.from(bytes), then: 'hold' as const })
const switching = text(
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
)

async function stepWith(scripts: Partial<Record<RouteName, Script>>, inputs: Inputs = {}) {
  await using service = await serveScripted(scripts)
  const sandbox = { baseUrl: service.url, apiToken: 'token-7f3a', apiKey: 'key-91bc' }
  await using step = await runAction({ sandbox, inputs })
  return { step, requests: service.requests }
}

describe('an answer of 101', () => {
  it('to a start: the outcome is unknown, and the start is not sent again', async () => {
    const { step, requests } = await stepWith({ start: () => switching })
    expect([step.exitCode, step.outputs['conclusion'], requests.start]).toEqual([1, 'unknown', 1])
    expect(theError(step).message).toContain('the connection was closed without an answer')
  })
})

it('a list of content encodings is undone, in answers of the service and in files', async () => {
  const encoded = (type: string, body: string, list: string) => {
    const bytes = gzipSync(body)
    const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-encoding: ${list}\r\n`
    const length = `content-length: ${bytes.length}\r\n\r\n`
    return { bytes: Buffer.concat([Buffer.from(head + length), bytes]), then: 'end' as const }
  }
  const { step } = await stepWith({
    start: () => encoded('application/json', '{"execution_id":"e-1"}', 'x-gzip, identity'),
    link: () => encoded('text/plain', storedText, 'gzip,aws-chunked'),
  })
  expect([step.exitCode, step.outputs['result']]).toEqual([0, storedText])
})

it('an unsupported content encoding: the bytes stay as received, and a line says so', async () => {
  const more = 'content-encoding: gzip, zstd\r\n'
  const { step } = await stepWith({ link: () => plain('text/plain', storedText, more) })
  expect([step.exitCode, step.outputs['result']]).toEqual([0, storedText])
  expect(annotationsOf(step, 'warning')).toEqual([])
  expect(step.stdout).toContain(
    'The result is not decoded (content-encoding: gzip, zstd); its bytes stay as they came',
  )
})

it('a link to this machine is not followed if the service is elsewhere', async () => {
  await using elsewhere = await openOtherHost('what else listens here')
  const status = json({ ...finished, result_url: `${elsewhere.url}/x?sig=1234567890abcdef` }).bytes
  await using remote = await serveRemotely(() => status)
  const inputs = { 'execution-id': 'e-1' }
  await using step = await runAction({ ...remote, action: 'wait', inputs })
  expect(step.exitCode).toBe(1)
  expect(theError(step).message).toContain('leads to this machine')
  expect(elsewhere.requests).toEqual([])
  // Another link would lead to the same place.
  expect(step.log).not.toContain('trying again')
})
