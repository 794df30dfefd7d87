import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { classify } from '../../src/service/send-at-most-once.ts'
import { send } from '../support/connections.ts'
import { serveRaw, serveRawOverTls } from '../support/raw-server.ts'
import { rejectionOf } from '../support/rejection.ts'
import { testCertificate } from '../support/test-certificate.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const authorities = tls.getCACertificates('default')

describe('after a TLS handshake that fails', () => {
  // Under mutation testing, all files share one process, and others trust the certificate.
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
    const options = { requestCert: true, rejectUnauthorized: true }
    await using server = await serveRawOverTls({ onRequest: (s) => void s.end(ok) }, options)
    const failure = await rejectionOf(send(server.url))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    expect((failure as Error).message).toContain('it asks for a client certificate')
    expect(classify(failure)).toBe('refused')
  })

  it('the answer is received', async () => {
    await using server = await serveRawOverTls({ onRequest: (socket) => void socket.end(ok) })

    expect((await send(server.url)).body).toBe('{}')
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
