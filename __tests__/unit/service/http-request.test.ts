import http from 'node:http'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { headOf } from '../../../src/service/http-request.ts'

/** A connection whose events the test emits. */
class ScriptedSocket extends Duplex {
  connecting = true
  ended = false
  setTimeout = (): this => this
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
  override _read(): void {
    // The test pushes the bytes.
  }
  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done()
  }
}

const heads = [
  'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 099 Odd\r\n\r\n',
  'HTTP/1.1 20',
  '{}',
  '\r\n',
  '\0garbage',
]

type Event = { bytes: string } | 'connect' | 'end' | 'destroy' | 'error' | 'timeout' | 'drain'

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...heads).map((bytes) => ({ bytes })) },
  fc.constantFrom<Event>('connect', 'end', 'destroy', 'error', 'timeout', 'drain'),
)

function emit(socket: ScriptedSocket, event: Event): void {
  if (typeof event === 'object') {
    if (!socket.ended && !socket.destroyed) socket.push(event.bytes)
  } else if (event === 'connect') {
    socket.connecting = false
    socket.emit('connect')
  } else if (event === 'end') {
    if (!socket.destroyed) socket.push(null)
    socket.ended = true
  } else if (event === 'destroy') socket.destroy()
  else if (event === 'error') socket.destroy(new Error('reset'))
  else socket.emit(event)
}

function requestOver(socket: Duplex, signal?: AbortSignal) {
  const options = { createConnection: () => socket, timeout: 60_000 }
  return http.request('http://a.test', { ...options, ...(signal && { signal }) })
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Returns how a request settles if its connection has these events, and then stalls or aborts. */
async function settledAfter(given: Event[], last: 'stall' | 'signal') {
  const socket = new ScriptedSocket()
  const cancellation = new AbortController()
  const outgoing = requestOver(socket, cancellation.signal)
  let end: 'answer' | 'rejected' | undefined
  headOf(outgoing, 60_000).then(
    (message) => {
      end = 'answer'
      message.destroy()
    },
    () => (end = 'rejected'),
  )
  outgoing.end()
  await turn()
  for (const event of given) {
    emit(socket, event)
    await turn()
  }
  if (last === 'stall') socket.emit('timeout')
  else cancellation.abort(new Error('enough'))
  for (let turns = 0; turns < 3; turns++) await turn()
  socket.destroy()
  return end
}

describe('an answer', () => {
  it('that is complete stays complete, even if the connection is reset before it is read', async () => {
    const socket = new ScriptedSocket()
    const outgoing = requestOver(socket)
    const head = headOf(outgoing, 60_000)
    outgoing.end()
    await turn()
    emit(socket, 'connect')
    emit(socket, { bytes: `${heads[0] ?? ''}ok` })
    const message = await head

    emit(socket, 'error')
    await turn()

    expect(await text(message)).toBe('ok')
  })
})

describe('a request settles', () => {
  it('whatever events its connection has', async () => {
    const sequences = fc.array(events, { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(sequences, fc.constantFrom('stall', 'signal'), async (given, last) => {
        expect(await settledAfter(given, last)).toMatch(/^answer$|^rejected$/)
      }),
      { numRuns: 1_000, seed: 101 },
    )
  })
})
