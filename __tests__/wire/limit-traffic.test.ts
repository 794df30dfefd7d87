/** A download that is larger than it may be is cut, and no other on the same connections. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { limitTrafficOfThread } from '../../src/runner/storage/limit-traffic.ts'
import { rejectionOf } from '../support/rejection.ts'

describe('the limit of what a task may download', () => {
  const limitTraffic = limitTrafficOfThread()
  const agent = new Agent({ keepAlive: true })
  let finishSlow: (() => void) | undefined
  let server: Server

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/slow') finishSlow = () => response.end('slow')
      else response.end(Buffer.alloc(url === '/large' ? 2_000_000 : 10))
      if (url === '/slow') response.write('still ')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })

  afterAll(async () => {
    agent.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  async function open(url: string): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo
    const request = get({ port, path: url, agent })
    // A connection that is cut ends the request as well as its answer.
    request.on('error', () => undefined)
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return answer
  }
  const download = async (url: string) => (await buffer(await open(url))).length

  it('does not touch a connection that another task has taken over since', async () => {
    let other: IncomingMessage | undefined
    const cut = limitTraffic(1_000, async () => {
      const small = await download('/small')
      // Made by another task, on the connection that the small one left.
      other = await limitTraffic(1_000, () => open('/slow'))
      return small + (await download('/large'))
    })
    expect(await rejectionOf(cut)).toEqual(new Error('the download is larger than 1000 bytes'))
    finishSlow?.()
    expect(other && (await buffer(other)).toString()).toBe('still slow')
  })
})
