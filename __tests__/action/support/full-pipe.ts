/** Makes a pipe that is full. A program that writes to the pipe waits until the pipe is emptied. */
import { execFileSync } from 'node:child_process'
import { constants, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
import { codeOf } from '../../../src/errors.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

export async function openFullPipe() {
  const folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'pipe')
  execFileSync('mkfifo', [file])
  const end = openSync(file, constants.O_RDWR | constants.O_NONBLOCK)
  while (isTaken(end, Buffer.alloc(4_096)));
  const socket = new Socket({ fd: end, readable: true, writable: false })
  return {
    file,
    /** Reads the pipe from now on, so that the program continues. */
    empty: () => void socket.resume(),
    async [Symbol.asyncDispose]() {
      socket.destroy()
      await folder[Symbol.asyncDispose]()
    },
  }
}

function isTaken(pipe: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(pipe, bytes) > 0
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return false
    throw error
  }
}
