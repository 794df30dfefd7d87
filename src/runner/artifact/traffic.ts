/** Whether bytes still move, whichever client moves them. */
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

// Milliseconds. Rare enough to cost nothing, and often against any stall worth the name.
const interval = 250

/**
 * Calls `onProgress` whenever bytes came or went since the last look, on any connection of a
 * request of this thread. The artifact client itself reports each block of 8 MB alone, which takes
 * minutes on a slow line.
 */
export function watchTraffic(onProgress: () => void): void {
  const sockets = new Set<Socket>()
  subscribe('http.client.request.created', (message) => {
    const { request } = message as { request: ClientRequest }
    request.once('socket', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  })
  let seen = 0
  setInterval(() => {
    const moved = [...sockets].reduce((sum, one) => sum + one.bytesWritten + one.bytesRead, 0)
    if (moved !== seen) onProgress()
    seen = moved
  }, interval).unref()
}
