import { describe, expect, it } from '@jest/globals'
import { send } from '../support/connections.ts'
import { serveRaw, type Misbehaviour } from '../support/raw-server.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../support/rejection.ts'

const reason = new Error('the step was cancelled')
const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"exe'

/** What a request rejects with that is aborted at the moment the server names. */
async function rejectionAfter(behaviour: (abort: () => void) => Misbehaviour) {
  const controller = new AbortController()
  await using server = await serveRaw(behaviour(() => controller.abort(reason)))
  const failure = await rejectionOf(send(server.url, { signal: controller.signal }))
  return { failure, server }
}

describe('a signal', () => {
  it('before the request leaves nothing sent', async () => {
    await using server = await serveRaw({})
    const failure = await rejectionOf(send(server.url, { signal: AbortSignal.abort(reason) }))

    expect(failure).toMatchObject({ mayHaveArrived: false, message: reason.message })
    expect(server.heads).toEqual([])
  })

  it('while connecting leaves nothing sent', async () => {
    await using server = await serveRaw({})
    const controller = new AbortController()
    const failure = rejectionOf(send(server.url, { signal: controller.signal }))
    controller.abort(reason)

    expect(await failure).toMatchObject({ mayHaveArrived: false, message: reason.message })
    expect(server.heads).toEqual([])
  })

  it('while the answer is awaited ends the request, which may have arrived', async () => {
    const { failure } = await rejectionAfter((abort) => ({ onRequest: abort }))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
    expect((failure as Error).message).toBe(reason.message)
  })

  it('within the body ends the reading', async () => {
    const { failure } = await rejectionAfter((abort) => ({
      onRequest: (socket) => socket.write(half, () => setImmediate(abort)),
    }))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
  })

  it('closes the connection', async () => {
    const closed = Promise.withResolvers<undefined>()
    await rejectionAfter((abort) => ({
      onConnection: (socket) => void socket.on('close', () => closed.resolve(undefined)),
      onRequest: abort,
    }))

    await expect(closed.promise).resolves.toBeUndefined()
  })

  it('after the answer changes nothing', async () => {
    const controller = new AbortController()
    await using server = await serveRaw({
      onRequest: (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
    })
    const answer = await send(server.url, { signal: controller.signal })
    controller.abort(reason)

    expect(answer.body).toBe('{}')
    expect(neverAborts.aborted).toBe(false)
  })
})
