import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { adviseOn } from '../../src/messages/advice.ts'
import { classify } from '../../src/service/classify.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { send } from '../support/connections.ts'
import { serveRaw, serveRawOverTls, type RawServer } from '../support/raw-server.ts'
import { rejectionOf } from '../support/rejection.ts'
import { testCertificate } from '../support/test-certificate.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const plain400 = 'HTTP/1.1 400 Bad Request\r\n\r\n'
const wantsClient = { requestCert: true, rejectUnauthorized: true }
// OpenSSL offers TLS 1.1 only at its lowest security level.
const weakest = 'DEFAULT@SECLEVEL=0'
const authorities = tls.getCACertificates('default')

describe('after a TLS handshake that fails', () => {
  // Under mutation testing, all files share one process, and other files trust the certificate.
  beforeAll(() => tls.setDefaultCACertificates(authorities))

  it('nothing was sent: the certificate is not trusted', async () => {
    await using server = await serveRawOverTls({})
    const failure = await rejectionOf(send(server.url))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    // A retry cannot succeed.
    expect(classify(failure)).toBe('not-sent')
    expect(server.heads).toEqual([])
    // Node's message continues with a command-line option.
    expect(failure).toMatchObject({ message: expect.stringMatching(/: self-signed certificate$/) })
  })

  it.each(['resetAndDestroy', 'end'] as const)(
    'nothing was sent: the server does %s',
    async (act) => {
      await using server = await serveRaw({
        onConnection: (socket) => socket.once('data', () => socket[act]()),
      })
      const failure = await rejectionOf(send(server.url.replace('http:', 'https:')))

      expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    },
  )

  it('nothing was sent: the server stalls', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    await using server = await serveRaw({
      onConnection: (socket) => socket.once('data', () => void clock.advance(30_000)),
    })
    const failure = await rejectionOf(send(server.url.replace('http:', 'https:'), { clock }))

    const message = 'no connection within 30 s'
    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false, message })
  })
})

describe('after a TLS handshake', () => {
  beforeAll(() => tls.setDefaultCACertificates([...authorities, testCertificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(authorities))

  it('it is unknown whether the request arrived: TLS 1.3 asks for a client certificate', async () => {
    await using server = await serveRawOverTls({ onRequest: (s) => void s.end(ok) }, wantsClient)
    const failure = await rejectionOf(send(server.url))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
    const reason = 'TLS failed: tlsv13 alert certificate required'
    expect((failure as Error).message).toBe(`${new URL(server.url).host}: ${reason}`)
  })

  const answerPlain = () => serveRaw({ onConnection: (s) => s.once('data', () => s.end(plain400)) })
  it.each<[string, () => Promise<RawServer>]>([
    [
      'TLS 1.2 asks for a client certificate',
      () => serveRawOverTls({}, { ...wantsClient, maxVersion: 'TLSv1.2' }),
    ],
    [
      'the server is too old',
      () => serveRawOverTls({}, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: weakest }),
    ],
    ['the port speaks http', answerPlain],
  ])('the error message has the reason of OpenSSL: %s', async (_, serve) => {
    await using server = await serve()
    const { host } = new URL(server.url)
    const failure = await rejectionOf(send(`https://${host}/`))
    const { why, hint } = adviseOn(failure, 'start')

    const start = `No connection to the service at base-url (${host}: TLS failed:`
    expect(why.replace(/[a-z0-9/ ]+\)\.$/, '')).toBe(start)
    expect(hint).toMatch(/^Check base-url and its port\. The server must use TLS 1\.2 or later/)
  })

  it.each(['resetAndDestroy', 'destroy'] as const)(
    'a request may have arrived: the server does %s after it',
    async (act) => {
      await using server = await serveRawOverTls({
        onRequest: () => server.connections.forEach((connection) => connection[act]()),
      })
      const failure = await rejectionOf(send(server.url))

      expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
      expect(classify(failure)).toBe('unclear')
    },
  )
})
