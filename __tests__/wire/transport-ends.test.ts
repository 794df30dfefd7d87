import { describe, expect, it } from '@jest/globals'
import { send } from '../support/connections.ts'
import { Deadline, systemClock } from '../../src/clock.ts'
import { serveRaw, type Misbehaviour } from '../support/raw-server.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../support/rejection.ts'
import { classify } from '../../src/service/classify.ts'

const reason = new Error('the step was cancelled')
const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"exe'

/** Returns the error of a request that is aborted when the server calls `abort`. */
async function rejectionAfter(behaviour: (abort: () => void) => Misbehaviour) {
  const controller = new AbortController()
  await using server = await serveRaw(behaviour(() => controller.abort(reason)))
  const failure = await rejectionOf(send(server.url, { signal: controller.signal }))
  return { failure, server }
}

it('an answer that arrived while the process was stopped counts, even after its time', async () => {
  const stopped = new Int32Array(new SharedArrayBuffer(4))
  await using server = await serveRaw({
    onRequest: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
      Atomics.wait(stopped, 0, 0, 1_100)
    },
  })

  using time = new Deadline(systemClock, 1_000)
  expect((await send(server.url, { signal: time.signal })).body).toBe('{}')
})

it('an answer before the end of the request counts, even if the connection is then closed', async () => {
  await using server = await serveRaw({
    onConnection: (socket) => {
      socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 2\r\n\r\n{}')
      socket.destroy()
    },
  })

  const body = ' '.repeat(10_000_000)
  expect(await send(server.url, { request: { body } })).toMatchObject({ status: 413, body: '{}' })
})

describe('a signal', () => {
  it('before the request: nothing is sent', async () => {
    await using server = await serveRaw({})
    const failure = await rejectionOf(send(server.url, { signal: AbortSignal.abort(reason) }))

    expect(failure).toMatchObject({ mayHaveArrived: false, message: reason.message })
    expect(server.heads).toEqual([])
  })

  it('while connecting: nothing is sent', async () => {
    await using server = await serveRaw({})
    const controller = new AbortController()
    const failure = rejectionOf(send(server.url, { signal: controller.signal }))
    controller.abort(reason)

    expect(await failure).toMatchObject({ mayHaveArrived: false, message: reason.message })
    expect(server.heads).toEqual([])
  })

  it('while the answer is awaited ends the request, which may have arrived', async () => {
    const { failure } = await rejectionAfter((abort) => ({ onRequest: abort }))

    const { message } = reason
    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true, message })
    expect((failure as Error).cause).toBe(reason)
  })

  it('within the body ends the reading', async () => {
    const { failure } = await rejectionAfter((abort) => ({
      onRequest: (socket) => socket.write(half, () => setImmediate(abort)),
    }))

    const message: unknown = expect.stringContaining(reason.message)
    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true, message })
    expect((failure as Error).cause).toBe(reason)
  })

  it('closes the connection', async () => {
    const closed = Promise.withResolvers<undefined>()
    await rejectionAfter((abort) => ({
      onConnection: (socket) => void socket.on('close', () => closed.resolve(undefined)),
      onRequest: abort,
    }))

    await expect(closed.promise).resolves.toBeUndefined()
  })
})

describe('a signal for the connection', () => {
  it('during the TLS handshake: nothing is sent', async () => {
    const controller = new AbortController()
    await using server = await serveRaw({
      onConnection: (socket) => socket.once('data', () => controller.abort(reason)),
    })
    const url = server.url.replace('http:', 'https:')
    const failure = await rejectionOf(send(url, { untilConnected: controller.signal }))

    expect(failure).toMatchObject({ mayHaveArrived: false, message: reason.message })
    expect(server.connections).toHaveLength(1)
  })

  it('after the connection was made: the request goes on', async () => {
    const controller = new AbortController()
    await using server = await serveRaw({
      onRequest: (socket) => {
        controller.abort(reason)
        setImmediate(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
      },
    })

    expect((await send(server.url, { untilConnected: controller.signal })).body).toBe('{}')
  })
})

/** Sends a start, and returns its answer or its error. This many seconds pass after the request. */
async function sendFor(seconds: number, sent: string[], rest = '') {
  const clock = new SimulatedClock({ maxJump: 0 })
  const asked = Promise.withResolvers<undefined>()
  await using server = await serveRaw({
    onRequest: (socket) => {
      for (const bytes of sent) socket.write(bytes)
      asked.resolve(undefined)
    },
  })
  const answer = send(server.url, { clock }).catch((error: unknown) => error)
  await asked.promise
  await clock.advance(seconds * 1000)
  for (const socket of server.connections) socket.write(rest)
  return await answer
}

describe('a start has 120 s in all, however lively its connection is', () => {
  it.each([
    ['silence', []],
    ['a head that never ends', ['HTTP/1.1 200 OK\r\n', 'x-a: b\r\n']],
    ['a body that never ends', ['HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n', '{', ' ']],
    ['hints that never end', ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 102 P\r\n\r\n']],
  ])('%s', async (_, sent) => {
    const failure = await sendFor(120, sent)
    expect(failure).toMatchObject({
      name: 'NetworkError',
      message: expect.stringContaining('no complete answer within 120 s') as unknown,
      mayHaveArrived: true,
    })
    expect(classify(failure)).toBe('unclear')
  })

  it('and a whole JSON object counts, although the connection stays open', async () => {
    const answer = await sendFor(120, ['HTTP/1.1 200 OK\r\n\r\n', '{}'])
    expect(answer).toMatchObject({ body: '{}' })
  })

  it('and no stall of 30 s cuts it', async () => {
    const answer = await sendFor(119, [], 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
    expect(answer).toMatchObject({ body: '{}' })
  })
})
