import { describe, expect, it } from '@jest/globals'
import { classify } from '../../src/service/classify.ts'
import { send } from '../support/connections.ts'
import { serveRaw, type Misbehaviour } from '../support/raw-server.ts'
import { rejectionOf } from '../support/rejection.ts'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

/** Returns the error of a request to a server that behaves like this. */
async function rejectionAt(behaviour: Misbehaviour, options = {}) {
  await using server = await serveRaw(behaviour)
  return await rejectionOf(send(server.url, options))
}

/** Returns how often the message names an address. */
const namedIn = (failure: unknown, address: string) =>
  (failure as Error).message.split(address).length - 1

const says = (text: string): Misbehaviour => ({ onRequest: (socket) => void socket.write(text) })
const saysAndEnds = (text: string): Misbehaviour => ({
  onRequest: (socket) => void socket.end(text),
})

/** Milliseconds. The last span is long enough for a busy machine. */
const spans = [100, 400, 1_600, 6_400]

/**
 * Runs a scenario about stall timeouts, which need a real socket's timer. `span` is the unit of all
 * times in the scenario, in milliseconds. A failed scenario is repeated with a longer span, because
 * the machine may have been too slow. A real fault fails with every span.
 */
async function atSomePace(scenario: (span: number) => Promise<void>): Promise<void> {
  const [slowest = 0, ...quicker] = [...spans].reverse()
  for (const span of quicker.reverse()) {
    try {
      await scenario(span)
      return
    } catch {
      // The scenario is repeated with the next span.
    }
  }
  await scenario(slowest)
}

describe('a request that cannot have arrived', () => {
  it.each(['http:', 'https:'])('met a port without a listener (%s)', async (protocol) => {
    const server = await serveRaw({})
    await server[Symbol.asyncDispose]()

    const failure = await rejectionOf(send(server.url.replace('http:', protocol)))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    expect(namedIn(failure, `127.0.0.1:${server.port}`)).toBe(1)
    expect(classify(failure)).toBe('again')
  })

  it('met a name that does not resolve', async () => {
    const failure = await rejectionOf(send('http://nobody.invalid/'))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    expect(namedIn(failure, 'nobody.invalid')).toBe(1)
    // A retry cannot succeed.
    expect(classify(failure)).toBe('not-sent')
  })
})

describe('a request that may have arrived', () => {
  it.each<[string, Misbehaviour]>([
    ['a reset after the request', { onRequest: (socket) => void socket.resetAndDestroy() }],
    ['an end without an answer', { onRequest: (socket) => void socket.end() }],
    ['bytes that are not HTTP', saysAndEnds('SSH-2.0-OpenSSH\r\n\r\n')],
    ['a head cut in half', saysAndEnds('HTTP/1.1 200 OK\r\ncontent-ty')],
    ['half a body', saysAndEnds(`${head}content-length: 100\r\n\r\n{"execution_id":`)],
    ['chunks without an end', saysAndEnds(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
  ])('met %s', async (_what, behaviour) => {
    const failure = await rejectionAt(behaviour)

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
    expect(classify(failure)).toBe('unclear')
  })

  it.each<[string, Misbehaviour]>([
    ['before the head', {}],
    ['within the body', says(`${head}content-length: 100\r\n\r\n{"exe`)],
    ['within a chunk', says(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"exe`)],
  ])('met a stall %s, and ended after its time', async (_where, behaviour) => {
    await atSomePace(async (post) => {
      const failure = await rejectionAt(behaviour, { limits: { post } })

      expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
      expect((failure as Error).message).toContain(
        `no complete answer within ${String(post / 1000)} s`,
      )
    })
  })
})
