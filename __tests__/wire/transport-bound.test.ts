import { describe, expect, it } from '@jest/globals'
import { classify } from '../../src/service/send-at-most-once.ts'
import { HttpTransport, transportLimits } from '../../src/service/transport.ts'
import { userAgent } from '../support/connections.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'
import { serveRaw } from '../support/raw-server.ts'
import { rejectionOf } from '../support/rejection.ts'

/** What a call rejects with that is still not over after so many seconds. */
async function failureAfter(seconds: number, sent: string[], body = '{}') {
  const clock = new SimulatedClock({ longestJump: 0 })
  const asked = Promise.withResolvers<undefined>()
  await using server = await serveRaw({
    onRequest: (socket) => {
      for (const bytes of sent) socket.write(bytes)
      asked.resolve(undefined)
    },
  })
  const transport = new HttpTransport(userAgent, transportLimits, clock)
  const post = { method: 'POST', url: new URL(server.url), headers: {}, body } as const
  const failure = rejectionOf(transport.send(post, neverAborts))
  await asked.promise
  await clock.advance(seconds * 1000)
  return await failure
}

describe('a call has 30 s in all, however lively its connection is', () => {
  it.each([
    ['a head that never ends', ['HTTP/1.1 200 OK\r\n', 'x-a: b\r\n']],
    ['a body that never ends', ['HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n', '{', ' ']],
    ['hints that never end', ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 102 P\r\n\r\n']],
  ])('%s', async (_, sent) => {
    const failure = await failureAfter(30, sent)
    expect(failure).toMatchObject({
      name: 'NetworkError',
      message: 'no complete answer within 30 s',
      mayHaveArrived: true,
    })
    expect(classify(failure)).toBe('unknown')
  })

  it('and a second more for each 64 kB that it sends', async () => {
    const failure = await failureAfter(40, [], ' '.repeat(640_000))
    expect(failure).toMatchObject({ message: 'no complete answer within 40 s' })
  })
})
