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
const first =
  (answer: ReturnType<Script>): Script =>
  (count) =>
    count === 1 ? answer : undefined

async function stepWith(scripts: Partial<Record<RouteName, Script>>, inputs: Inputs = {}) {
  await using service = await serveScripted(scripts)
  const sandbox = { baseUrl: service.url, apiToken: 'token-7f3a', apiKey: 'key-91bc' }
  await using step = await runAction({ sandbox, inputs })
  return { step, requests: service.requests }
}

describe('an answer of 101', () => {
  it('to a start leaves it unknown, and it is not sent again', async () => {
    const { step, requests } = await stepWith({ start: () => switching })
    expect([step.exitCode, step.outputs['conclusion'], requests.start]).toEqual([1, 'unknown', 1])
    expect(theError(step).message).toContain('the connection was closed without an answer')
  })

  it('to a check is a failed check', async () => {
    const { step, requests } = await stepWith({ status: first(switching) })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(requests.status).toBeGreaterThan(1)
  })

  it('of the store is a link that failed', async () => {
    const { step, requests } = await stepWith({ link: first(switching) })
    expect([step.exitCode, step.outputs['result']]).toEqual([0, storedText])
    expect(requests.link).toBe(2)
  })
})

describe('a content encoding that is not understood', () => {
  it.each(['gzip, br'])(
    '%s leaves the bytes as they came, with a warning that names it',
    async (encoding) => {
      const more = `content-encoding: ${encoding}\r\n`
      const { step } = await stepWith({ link: () => plain('text/plain', storedText, more) })
      expect([step.exitCode, step.outputs['result']]).toEqual([0, storedText])
      expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
        `The store sent the result in an encoding that is not understood (content-encoding: ${encoding}). Its bytes were kept as they came.`,
      ])
    },
  )
})

it('a link into this machine is not followed where the service is elsewhere', async () => {
  await using elsewhere = await openOtherHost('what else listens here')
  const status = json({ ...finished, result_url: `${elsewhere.url}/x?sig=1234567890abcdef` }).bytes
  await using remote = await serveRemotely(() => status)
  const inputs = { 'execution-id': 'e-1' }
  await using step = await runAction({ ...remote, action: 'wait', inputs })
  expect(step.exitCode).toBe(1)
  expect(theError(step).message).toContain('leads to this machine')
  expect(elsewhere.requests).toEqual([])
})
