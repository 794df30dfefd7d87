/** Whether bytes still move, whichever client moves them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

// Milliseconds. Rare enough to cost nothing, and often against any stall worth the name.
const interval = 250

/** Runs a task; `onProgress` is called while bytes of its requests come or go. */
export type WatchTraffic = <Result>(
  onProgress: () => void,
  task: () => Promise<Result>,
) => Promise<Result>

/** A connection, and the task whose request it carries: the next one may be another's. */
interface Carrier {
  onProgress: (() => void) | undefined
  bytes: number
}

/**
 * Looks at the connections of all requests of this thread. The artifact client itself reports each
 * block of 8 MB alone, which takes minutes on a slow line. A request belongs to the task in whose
 * asynchronous context it was made, so that the traffic of one task is no progress of another.
 */
export function watchTrafficOfThread(): WatchTraffic {
  const tasks = new AsyncLocalStorage<() => void>()
  const carriers = new Map<Socket, Carrier>()
  const look = (socket: Socket, carrier: Carrier) => {
    const bytes = bytesOf(socket)
    if (bytes !== carrier.bytes) carrier.onProgress?.()
    carrier.bytes = bytes
  }
  const carry = (socket: Socket, onProgress: Carrier['onProgress']) => {
    const known = carriers.get(socket)
    if (known) look(socket, known)
    else {
      socket.once('close', () => {
        const carrier = carriers.get(socket)
        if (carrier) look(socket, carrier)
        carriers.delete(socket)
      })
    }
    carriers.set(socket, { onProgress, bytes: bytesOf(socket) })
  }
  subscribe('http.client.request.created', (message) => {
    const { request } = message as { request: ClientRequest }
    const onProgress = tasks.getStore()
    request.once('socket', (socket) => carry(socket, onProgress))
  })
  setInterval(() => carriers.forEach((carrier, socket) => look(socket, carrier)), interval).unref()
  return (onProgress, task) => tasks.run(onProgress, task)
}

function bytesOf({ bytesWritten, bytesRead }: Socket): number {
  return bytesWritten + bytesRead
}
