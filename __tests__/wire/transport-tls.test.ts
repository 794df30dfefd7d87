import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { conclusionOf } from '../../src/execution/ending.ts'
import { adviseOn } from '../../src/messages/advice.ts'
import { classify } from '../../src/service/send-at-most-once.ts'
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
    expect(classify(failure)).toBe('retry')
    expect(server.heads).toEqual([])
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
    await using server = await serveRaw({})
    const url = server.url.replace('http:', 'https:')
    const failure = await rejectionOf(send(url, { limits: { stallTimeout: 100 } }))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
  })
})

describe('after a TLS handshake', () => {
  beforeAll(() => tls.setDefaultCACertificates([...authorities, testCertificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(authorities))

  it('nothing was sent, nor is it sent again: TLS 1.3 asks for a client certificate', async () => {
    await using server = await serveRawOverTls({ onRequest: (s) => void s.end(ok) }, wantsClient)
    const failure = await rejectionOf(send(server.url))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    expect(classify(failure)).toBe('refused')
    // The service did not refuse the start, because the start never arrived.
    expect(conclusionOf({ kind: 'not-started', status: undefined, failure })).toBe('not-started')
  })

  const answerPlain = () => serveRaw({ onConnection: (s) => s.once('data', () => s.end(plain400)) })
  it.each<[string, () => Promise<RawServer>, string]>([
    [
      'TLS 1.3 asks for a client certificate',
      () => serveRawOverTls({}, wantsClient),
      'it asks for a client certificate). Use an address of the service that does not ask for a client certificate. This action has no client certificate.',
    ],
    [
      'TLS 1.2 asks for a client certificate',
      () => serveRawOverTls({}, { ...wantsClient, maxVersion: 'TLSv1.2' }),
      'it refused the TLS handshake). Check base-url. The server may ask for a client certificate, but this action has none.',
    ],
    [
      'the server is too old',
      () => serveRawOverTls({}, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: weakest }),
      'it does not support TLS 1.2 or later). The server must support TLS 1.2 or later.',
    ],
    [
      'the port speaks http',
      answerPlain,
      'it does not use TLS on this port). Check base-url: its port must be an https port.',
    ],
  ])('the error message says: %s', async (_, serve, words) => {
    await using server = await serve()
    const { host } = new URL(server.url)
    const failure = await rejectionOf(send(`https://${host}/`))
    const { why, hint } = adviseOn(failure, 'start', (text) => text)

    expect(`${why} ${hint}`).toBe(`No connection to the service (${host}: ${words}`)
  })

  it.each(['resetAndDestroy', 'destroy'] as const)(
    'a request may have arrived: the server does %s after it',
    async (act) => {
      await using server = await serveRawOverTls({
        onRequest: () => server.connections.forEach((connection) => connection[act]()),
      })
      const failure = await rejectionOf(send(server.url))

      expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
      expect(classify(failure)).toBe('unknown')
    },
  )
})
