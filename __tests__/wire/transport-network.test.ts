import { describe, expect, it } from '@jest/globals'
import { classify } from '../../src/service/classify.ts'
import { send } from '../support/connections.ts'
import { serveRaw, type Misbehaviour } from '../support/raw-server.ts'
import { rejectionOf } from '../support/rejection.ts'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

/** Returns how often the message names an address. */
const namedIn = (failure: unknown, address: string) =>
  (failure as Error).message.split(address).length - 1

const saysAndEnds = (text: string): Misbehaviour => ({
  onRequest: (socket) => void socket.end(text),
})

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
    ['chunks without an end', saysAndEnds(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{ \r\n`)],
    ['a number that may be cut', saysAndEnds(`${head}content-length: 9\r\n\r\n47`)],
  ])('met %s', async (_what, behaviour) => {
    await using server = await serveRaw(behaviour)
    const failure = await rejectionOf(send(server.url))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
    expect(classify(failure)).toBe('unclear')
  })
})

describe('a whole JSON object is a whole answer, although', () => {
  const body = '{"execution_id":"e-1"}'
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n`

  it.each<[string, Misbehaviour]>([
    [
      'it follows a byte order mark, and the last chunk is missing',
      saysAndEnds(`${head}transfer-encoding: chunked\r\n\r\n3\r\n\ufeff\r\n${chunk}`),
    ],
    ['the last chunk is missing', saysAndEnds(`${head}transfer-encoding: chunked\r\n\r\n${chunk}`)],
    ['the length is one too large', saysAndEnds(`${head}content-length: 23\r\n\r\n${body}`)],
  ])('%s', async (_what, behaviour) => {
    await using server = await serveRaw(behaviour)
    expect((await send(server.url)).body.replace('\ufeff', '')).toBe(body)
  })
})
