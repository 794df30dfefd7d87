import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { run } from './caller.ts'

describe('a webhook', () => {
  const received: { url: string | undefined; headers: object; body: unknown }[] = []
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ url: request.url, headers: request.headers, body: JSON.parse(body) })
      response.writeHead(204).end()
    })
  })
  let address = ''
  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  afterAll(() => {
    receiver.close()
  })

  it('gets the final result with the headers of the start', async () => {
    await using sandbox = await openSandbox()
    const headers = { 'X-Origin': 'a:b: c', authorization: 'Bearer own' }
    const body = { webhook: `${address}/own`, webhook_header: headers, seed: { days: 1 } }
    const { id } = await run(sandbox, 'chart-series', body)
    expect(received.pop()).toMatchObject({
      url: '/own',
      headers: { 'x-origin': 'a:b: c', authorization: 'Bearer own' },
      body: {
        execution: id,
        automation: 'chart-series',
        status: { finished: true, error: false, stopped: false, container_error: false },
        result: [{ day: '2026-01-01', runs: 20 }],
      },
    })
    expect(sandbox.deliveries).toEqual([{ status: 204 }])
  })
})
